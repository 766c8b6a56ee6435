//! Ranks on a grid, the first dimension fastest.

use crate::error::WorkloadError;
use crate::spec::Spec;

/// Most dimensions of a grid.
pub(crate) const DIMENSIONS: usize = 5;

/// A step on a grid: how far along each dimension.
pub(crate) type Step = [i8; DIMENSIONS];

/// Ranks on a grid.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Grid {
    sides: Vec<u32>,
    periodic: bool,
}

impl Grid {
    /// A grid that ends at its faces.
    pub(crate) fn open(sides: &[u64]) -> Self {
        Self {
            sides: sides.iter().map(|&side| narrow(side)).collect(),
            periodic: false,
        }
    }

    /// A grid whose faces meet.
    pub(crate) fn periodic(sides: &[u64]) -> Self {
        Self {
            periodic: true,
            ..Self::open(sides)
        }
    }

    /// The rank one `step` away; `None` beyond a face, and where the step leads back.
    pub(crate) fn neighbour(&self, rank: u32, step: &Step) -> Option<u32> {
        let (mut found, mut rest, mut stride) = (0, rank, 1);
        for (&side, &by) in self.sides.iter().zip(step) {
            let position = i64::from(rest % side) + i64::from(by);
            let wrapped = position.rem_euclid(i64::from(side));
            if wrapped != position && !self.periodic {
                return None;
            }
            found += u32::try_from(wrapped).unwrap_or(0) * stride;
            rest /= side;
            stride *= side;
        }
        (found != rank).then_some(found)
    }
}

fn narrow(side: u64) -> u32 {
    u32::try_from(side).unwrap_or(u32::MAX)
}

/// The `dimensions` factors of `ranks` that are closest together, ascending.
pub(crate) fn even_sides(ranks: u64, dimensions: usize) -> Vec<u64> {
    let mut best = Vec::new();
    factor(ranks, dimensions, &mut Vec::new(), &mut best);
    best
}

/// Tries every ascending list of factors that begins with `begun`.
fn factor(rest: u64, left: usize, begun: &mut Vec<u64>, best: &mut Vec<u64>) {
    let least = begun.last().copied().unwrap_or(1);
    if left == 1 {
        let spread = |sides: &[u64]| sides[sides.len() - 1] - sides[0];
        begun.push(rest);
        if best.is_empty() || spread(begun) < spread(best) {
            best.clone_from(begun);
        }
        begun.pop();
        return;
    }
    let power = u32::try_from(left).unwrap_or(u32::MAX);
    let sides = (least..).take_while(|side| side.checked_pow(power).is_some_and(|all| all <= rest));
    for side in sides.filter(|&side| rest.is_multiple_of(side)) {
        begun.push(side);
        factor(rest / side, left - 1, begun, best);
        begun.pop();
    }
}

const NUMBERS: [&str; DIMENSIONS + 1] = ["no", "one", "two", "three", "four", "five"];
const AXES: [&str; DIMENSIONS + 1] = [
    "",
    "x",
    "x and y",
    "x, y and z",
    "x, y, z and t",
    "five directions",
];

/// The sides of the grid under `key`, or the most even ones of `ranks`, and the number of ranks:
/// one of both may be absent, `study` is the grid if both are.
pub(crate) fn sides(
    spec: &Spec<'_>,
    key: &str,
    study: &[u64],
) -> Result<(Vec<u64>, u32), WorkloadError> {
    let dimensions = study.len();
    let ranks = spec.optional_count("ranks");
    let given = match (spec.counts(key), ranks) {
        (Some(list), _) => list,
        (None, None) => study.to_vec(),
        (None, Some(ranks)) => even_sides(u64::from(spec.fit("ranks", ranks)?), dimensions),
    };
    if given.len() != dimensions {
        let (numbers, axes) = (NUMBERS[dimensions], AXES[dimensions]);
        return Err(spec.wrong(key, &format!("{numbers} numbers of ranks, along {axes}")));
    }
    let product = given.iter().try_fold(1_u32, |all, &side| {
        all.checked_mul(u32::try_from(side).ok()?)
    });
    let Some(product) = product else {
        return Err(spec.wrong(key, "a grid of at most 4294967295 ranks"));
    };
    match ranks {
        Some(ranks) if ranks != u64::from(product) => Err(spec.impossible(format!(
            "a grid of {} has {product} ranks, not {ranks}; leave `ranks` out, or use for example \
             {key} = {:?}",
            by(&given),
            even_sides(u64::from(spec.fit("ranks", ranks)?), dimensions),
        ))),
        _ => Ok((given, product)),
    }
}

/// `2 x 3 x 4`.
pub(crate) fn by(sides: &[u64]) -> String {
    let sides: Vec<String> = sides.iter().map(u64::to_string).collect();
    sides.join(" x ")
}

#[cfg(test)]
mod tests {
    use super::{Grid, even_sides};

    #[test]
    fn sides_are_as_even_as_the_factors_allow() {
        for (ranks, sides) in [
            (528, vec![22, 24]),
            (528, vec![6, 8, 11]),
            (512, vec![8, 8, 8]),
            (7, vec![1, 1, 7]),
            (12, vec![2, 2, 3]),
            (300, vec![3, 4, 5, 5]),
            (4_096, vec![8, 8, 8, 8]),
            (243, vec![3; 5]),
            (1, vec![1; 5]),
        ] {
            assert_eq!(even_sides(ranks, sides.len()), sides);
        }
    }

    #[test]
    fn neighbours_end_at_faces_or_wrap_around() {
        let (open, torus) = (Grid::open(&[3, 4]), Grid::periodic(&[3, 4]));
        assert_eq!(open.neighbour(0, &[1, 0, 0, 0, 0]), Some(1));
        assert_eq!(open.neighbour(0, &[-1, 0, 0, 0, 0]), None);
        assert_eq!(open.neighbour(4, &[1, 1, 0, 0, 0]), Some(8));
        assert_eq!(torus.neighbour(0, &[-1, -1, 0, 0, 0]), Some(11));
        assert_eq!(torus.neighbour(0, &[3, 0, 0, 0, 0]), None, "itself");
    }
}
