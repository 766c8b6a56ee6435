//! Which points of the mesh are at which rank.

use super::model::Model;

/// A mesh that is cut along x, y and z: every rank has a box.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    /// First and last point of each part, along x, y, z.
    parts: [Vec<[i32; 2]>; 3],
    /// From the number of a part along each axis to the rank.
    strides: [u32; 3],
}

/// Numbers of the parts of a rank along x, y and z.
type Numbers = [usize; 3];

impl Layout {
    /// Bricks, as the atoms are divided.
    pub(super) fn bricks(model: &Model) -> Self {
        let [_, y, z] = model.ranks_along.map(i32::unsigned_abs);
        let parts = [0, 1, 2].map(|axis| {
            let count = model.ranks_along[axis];
            let edge =
                |part: i32| cut(f64::from(part) / f64::from(count) * f64::from(model.mesh[axis]));
            (0..count)
                .map(|part| [edge(part), edge(part + 1) - 1])
                .collect()
        });
        Self {
            parts,
            strides: [y * z, z, 1],
        }
    }

    /// Whole lines along x.
    pub(super) fn lines(model: &Model) -> Self {
        let [_, y, z] = model.mesh;
        let (along_y, along_z) = if z.unsigned_abs() > model.ranks() {
            (1, model.ranks())
        } else {
            least_boxes(model.ranks(), [y, z])
        };
        Self::evenly(model.mesh, [1, along_y, along_z], [0, 1, along_y])
    }

    /// Whole lines along `axis` (1 or 2), which the other two directions are divided for.
    pub(super) fn planes(model: &Model, axis: usize) -> Self {
        let (few, many) = closest_factors(model.ranks());
        match axis {
            1 => Self::evenly(model.mesh, [few, 1, many], [1, 0, few]),
            _ => Self::evenly(model.mesh, [few, many, 1], [1, few, 0]),
        }
    }

    fn evenly(mesh: [i32; 3], counts: [u32; 3], strides: [u32; 3]) -> Self {
        let parts = [0, 1, 2].map(|axis| {
            let (count, points) = (i64::from(counts[axis]), i64::from(mesh[axis]));
            let edge = |part: i64| i32::try_from(part * points / count).unwrap_or(i32::MAX);
            (0..count)
                .map(|part| [edge(part), edge(part + 1) - 1])
                .collect()
        });
        Self { parts, strides }
    }

    /// The parts of `rank`.
    fn numbers(&self, rank: u32) -> Numbers {
        [0, 1, 2].map(|axis| match self.strides[axis] {
            0 => 0,
            stride => (rank / stride) as usize % self.parts[axis].len(),
        })
    }

    /// Points along each axis that part `number` shares with `range`.
    fn shared(part: [i32; 2], range: [i32; 2]) -> u64 {
        let points = part[1].min(range[1]) - part[0].max(range[0]) + 1;
        u64::try_from(points).unwrap_or(0)
    }

    fn ranges(&self, rank: u32) -> [[i32; 2]; 3] {
        let numbers = self.numbers(rank);
        [0, 1, 2].map(|axis| self.parts[axis][numbers[axis]])
    }

    /// Points that `rank` has here and `other` has in the layout `there`.
    pub(super) fn overlap(&self, rank: u32, there: &Self, other: u32) -> u64 {
        let (here, there) = (self.ranges(rank), there.ranges(other));
        (0..3)
            .map(|axis| Self::shared(here[axis], there[axis]))
            .product()
    }

    /// The ranks that have here any of the points that `rank` has in the layout `there`.
    pub(super) fn holders(&self, there: &Self, rank: u32) -> Vec<u32> {
        let mut found = vec![0];
        for ((parts, stride), wanted) in self.parts.iter().zip(self.strides).zip(there.ranges(rank))
        {
            let meet: Vec<u32> = (0..)
                .zip(parts)
                .filter(|(_, part)| Self::shared(**part, wanted) > 0)
                .map(|(number, _)| number * stride)
                .collect();
            found = found
                .iter()
                .flat_map(|sum| meet.iter().map(move |offset| sum + offset))
                .collect();
        }
        found
    }
}

/// Ranks along two directions of a plane so that the sides of a box sum to the least.
fn least_boxes(ranks: u32, plane: [i32; 2]) -> (u32, u32) {
    let mut best = (1, ranks);
    let mut least = (2 * (plane[0] + plane[1]).unsigned_abs(), 0);
    for first in (1..=ranks).filter(|&first| ranks.is_multiple_of(first)) {
        let second = ranks / first;
        let sides = [(plane[0], first), (plane[1], second)]
            .map(|(points, parts)| points.unsigned_abs().div_ceil(parts));
        let (sum, area) = (sides[0] + sides[1], sides[0] * sides[1]);
        if sum < least.0 || (sum == least.0 && area > least.1) {
            (best, least) = ((first, second), (sum, area));
        }
    }
    best
}

/// The two factors that are closest together, the smaller one first.
fn closest_factors(ranks: u32) -> (u32, u32) {
    let few = (1..=ranks.isqrt())
        .rev()
        .find(|&few| ranks.is_multiple_of(few));
    let few = few.unwrap_or(1);
    (few, ranks / few)
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "cut to whole points on purpose"
)]
const fn cut(at: f64) -> i32 {
    at as i32
}

#[cfg(test)]
mod tests {
    use super::{Layout, Model};

    #[test]
    fn every_point_goes_once() {
        for ranks in [1, 7, 24, 2_048] {
            let model = Model::new([3; 3], ranks);
            let all = [
                Layout::bricks(&model),
                Layout::lines(&model),
                Layout::planes(&model, 1),
                Layout::planes(&model, 2),
            ];
            let points = model.mesh.iter().product::<i32>().unsigned_abs();
            for [from, to] in [[0, 1], [1, 2], [2, 3], [3, 1], [3, 0]] {
                let (from, to): (&Layout, &Layout) = (&all[from], &all[to]);
                let mut sum = 0;
                for rank in 0..ranks {
                    for other in to.holders(from, rank) {
                        let points = from.overlap(rank, to, other);
                        assert!(points > 0);
                        sum += points;
                    }
                }
                assert_eq!(sum, u64::from(points), "{ranks} ranks");
            }
        }
    }
}
