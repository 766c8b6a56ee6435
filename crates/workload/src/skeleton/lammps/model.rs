//! The box of atoms, its mesh, and what goes over the faces of a rank's part of them.

/// Lengths of the basic box, which has 32,000 atoms.
const BASIC: [f64; 3] = [55.0, 77.0, 72.726_1];
const ATOMS: f64 = 32_000.0;
/// How far atoms of other ranks matter, and points of the mesh.
const GHOST_CUTOFF: f64 = 12.0;
const MESH_CUTOFF: f64 = 2.0;
/// Parameter of the Ewald sum, and the accuracy that the mesh must have.
const EWALD: f64 = 0.243_177;
const ACCURACY: f64 = 0.033_206;
/// Bytes per volume, as they were measured: ghosts, atoms that have moved, borders.
const GHOST_BYTES: f64 = 2.488_410_713_56;
const MOVED_BYTES: f64 = 3.086_737_898_51;
const BORDER_BYTES: f64 = 6.635_630_715_93;

/// Sizes of the whole.
#[derive(Clone, Debug)]
pub(super) struct Model {
    lengths: [f64; 3],
    /// Ranks along x, y, z, z fastest.
    pub(super) ranks_along: [i32; 3],
    /// Points of the mesh.
    pub(super) mesh: [i32; 3],
}

/// A message to one neighbour while one comes from another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Hop {
    pub(super) from: u32,
    pub(super) to: u32,
    pub(super) bytes: u64,
}

/// Which hops.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Hops {
    /// Positions of ghost atoms: x, y, z.
    Ghosts,
    /// Forces of ghost atoms: z, y, x.
    Reverse,
    /// Atoms that have moved to another rank.
    Moved,
    /// New ghost atoms.
    Borders,
    /// Charges at the edge of a brick of the mesh, to the rank whose brick they are in.
    ToMesh,
    /// Fields at the edge of a brick, from there.
    FromMesh,
}

impl Model {
    pub(super) fn new(replicas: [u64; 3], ranks: u32) -> Self {
        let mut lengths = BASIC;
        for (length, copies) in lengths.iter_mut().zip(replicas) {
            *length *= f64::from(u32::try_from(copies).unwrap_or(u32::MAX));
        }
        let copies: f64 = (0..3).map(|axis| lengths[axis] / BASIC[axis]).product();
        Self {
            lengths,
            ranks_along: least_surface(ranks, lengths),
            mesh: [0, 1, 2].map(|axis| points(axis, lengths, ATOMS * copies.round())),
        }
    }

    pub(super) fn ranks(&self) -> u32 {
        self.ranks_along.iter().product::<i32>().unsigned_abs()
    }

    /// Coordinates of a rank along x, y, z.
    pub(super) fn coordinates(&self, rank: u32) -> [i32; 3] {
        let [_, y, z] = self.ranks_along;
        let rank = i32::try_from(rank).unwrap_or(i32::MAX);
        [rank / z / y, rank / z % y, rank % z]
    }

    /// The rank one step up or down along an axis; the box is periodic.
    fn neighbour(&self, rank: u32, axis: usize, by: i32) -> u32 {
        let mut coordinates = self.coordinates(rank);
        coordinates[axis] = (coordinates[axis] + by).rem_euclid(self.ranks_along[axis]);
        let [_, y, z] = self.ranks_along;
        ((coordinates[0] * y + coordinates[1]) * z + coordinates[2]).unsigned_abs()
    }

    fn length(&self, axis: usize) -> f64 {
        self.lengths[axis] / f64::from(self.ranks_along[axis])
    }

    /// How many ranks away along an axis the cutoff of ghosts ends.
    fn shells(&self, axis: usize) -> u64 {
        whole(GHOST_CUTOFF / self.length(axis) + 1.0)
    }

    /// Hop `number`; `None` behind the last one.
    pub(super) fn hop(&self, hops: Hops, rank: u32, number: u64) -> Option<Hop> {
        match hops {
            Hops::Ghosts => self.ghosts(rank, [0, 1, 2], GHOST_BYTES, number),
            Hops::Reverse => self.ghosts(rank, [2, 1, 0], GHOST_BYTES, number),
            Hops::Borders => {
                // A count goes before each border.
                let mut hop = self.ghosts(rank, [0, 1, 2], BORDER_BYTES, number / 2)?;
                if number.is_multiple_of(2) {
                    (hop.from, hop.to, hop.bytes) = (hop.to, hop.from, 4);
                }
                Some(hop)
            }
            Hops::Moved => self.moved(rank, number),
            Hops::ToMesh => self.mesh_hop(rank, [2, 1, 0], number, 8),
            Hops::FromMesh => self.mesh_hop(rank, [0, 1, 2], number, 24),
        }
    }

    /// Both ways along an axis, first downwards.
    fn shift(&self, rank: u32, axis: usize, downwards: bool, bytes: u64) -> Hop {
        let by = if downwards { -1 } else { 1 };
        Hop {
            from: self.neighbour(rank, axis, -by),
            to: self.neighbour(rank, axis, by),
            bytes,
        }
    }

    fn ghosts(&self, rank: u32, axes: [usize; 3], per_volume: f64, number: u64) -> Option<Hop> {
        let mut left = number;
        for axis in axes {
            let shells = self.shells(axis);
            if left < 2 * shells {
                let volume = self.ghost_volume(axis, shells, left / 2);
                let bytes = whole(volume * per_volume + 0.5);
                return Some(self.shift(rank, axis, left.is_multiple_of(2), bytes));
            }
            left -= 2 * shells;
        }
        None
    }

    /// Volume of ghosts that one shell of ranks sends along an axis: those of the axes before go
    /// with it, cut to a whole number each time.
    #[expect(clippy::cast_precision_loss, reason = "volumes are far below 2^53")]
    fn ghost_volume(&self, axis: usize, shells: u64, shell: u64) -> f64 {
        let side = |other: usize| {
            let ghosts = if other < axis {
                2.0 * GHOST_CUTOFF
            } else {
                0.0
            };
            self.length(other) + ghosts
        };
        let others: Vec<f64> = (0..3).filter(|&other| other != axis).map(side).collect();
        let face = others[0] * others[1];
        let inner = whole(face * self.length(axis)) as f64;
        if shell + 1 < shells {
            inner
        } else {
            whole(face * GHOST_CUTOFF - inner * (shells - 1) as f64) as f64
        }
    }

    /// Per axis: the counts downwards and upwards, then the atoms; once where both neighbours
    /// are one rank.
    #[expect(clippy::cast_precision_loss, reason = "areas are far below 2^53")]
    fn moved(&self, rank: u32, number: u64) -> Option<Hop> {
        let mut left = number;
        for axis in 0..3 {
            let ways = if self.ranks_along[axis] > 2 { 2 } else { 1 };
            if left < 2 * ways {
                let downwards = left.is_multiple_of(ways);
                if left < ways {
                    // Counts go the other way round than atoms do.
                    return Some(self.shift(rank, axis, !downwards, 4));
                }
                let others: Vec<usize> = (0..3).filter(|&other| other != axis).collect();
                let first = whole(self.length(others[0])) as f64;
                let area = whole(first * self.length(others[1])) as f64;
                let bytes = whole(area * MOVED_BYTES + 0.5);
                return Some(self.shift(rank, axis, downwards, bytes));
            }
            left -= 2 * ways;
        }
        None
    }

    /// Points of the mesh over the faces, with the edges that came over the faces of later axes.
    fn mesh_hop(&self, rank: u32, axes: [usize; 3], number: u64, point_bytes: u64) -> Option<Hop> {
        let axis = *axes.get(usize::try_from(number / 2).ok()?)?;
        let downwards = number.is_multiple_of(2);
        let to_mesh = axes[0] == 2;
        let coordinates = self.coordinates(rank);
        let count = self.ranks_along[axis];
        let depth = match (to_mesh, downwards) {
            (true, true) => self.beyond_low(axis, coordinates[axis], true),
            (true, false) => self.beyond_high(axis, coordinates[axis] + 1, true),
            (false, true) => self.beyond_high(axis, (coordinates[axis] - 1) % count + 1, true),
            (false, false) => self.beyond_low(axis, (coordinates[axis] + 1) % count, true),
        };
        let mut points = i64::from(depth);
        for other in (0..3).filter(|&other| other != axis) {
            let own = self.own_points(other, coordinates[other]);
            let edges = if other < axis {
                self.beyond_low(other, coordinates[other], false)
                    + self.beyond_high(other, coordinates[other] + 1, false)
            } else {
                0
            };
            points *= i64::from(own) + i64::from(edges);
        }
        let bytes = points.unsigned_abs() * point_bytes;
        Some(self.shift(rank, axis, downwards, bytes))
    }

    fn own_points(&self, axis: usize, coordinate: i32) -> i32 {
        let mesh = f64::from(self.mesh[axis]) / f64::from(self.ranks_along[axis]);
        point(mesh * f64::from(coordinate + 1)) - point(mesh * f64::from(coordinate))
    }

    /// Points beyond the upper edge of `edge` parts.
    fn beyond_high(&self, axis: usize, edge: i32, rounded: bool) -> i32 {
        let outer = self.scaled(axis, edge, MESH_CUTOFF / 2.0) + 0.5;
        let inner = self.scaled(axis, edge, 0.0);
        let [outer, inner] = [outer, inner].map(|at| if rounded { ten_digits(at) } else { at });
        (point(outer) - (point(inner) - 1)).abs() + 2
    }

    /// Points beyond the lower edge behind `edge` parts.
    fn beyond_low(&self, axis: usize, edge: i32, rounded: bool) -> i32 {
        let outer = self.scaled(axis, edge, -MESH_CUTOFF / 2.0) + 0.5;
        let inner = self.scaled(axis, edge, 0.0);
        let [outer, inner] = [outer, inner].map(|at| if rounded { ten_digits(at) } else { at });
        (point(outer) - point(inner)).abs() + 2
    }

    /// Where on the mesh the edge behind `edge` parts is, and `by` further.
    fn scaled(&self, axis: usize, edge: i32, by: f64) -> f64 {
        let length = self.lengths[axis];
        let at = f64::from(edge) * length / f64::from(self.ranks_along[axis]) + by;
        at * f64::from(self.mesh[axis]) / length
    }
}

/// Ranks along each axis so that their parts have the least surface.
fn least_surface(ranks: u32, lengths: [f64; 3]) -> [i32; 3] {
    let areas = [
        lengths[0] * lengths[1],
        lengths[0] * lengths[2],
        lengths[1] * lengths[2],
    ];
    let (mut best, mut least) = ([1; 3], f64::INFINITY);
    let divisors = |of: u32| (1..=of).filter(move |&one| of.is_multiple_of(one));
    for x in divisors(ranks) {
        for y in divisors(ranks / x) {
            let along = [x, y, ranks / x / y];
            let [p, q, r] = along.map(f64::from);
            let surface = areas[0] / p / q + areas[1] / p / r + areas[2] / q / r;
            if surface < least {
                least = surface;
                best = along.map(|side| i32::try_from(side).unwrap_or(i32::MAX));
            }
        }
    }
    best
}

/// Points of the mesh along an axis: as few as meet the accuracy, and factors of 2, 3 and 5 only.
fn points(axis: usize, lengths: [f64; 3], atoms: f64) -> i32 {
    let length = lengths[axis];
    let mut spacing = 1.0 / EWALD;
    let mut points = point(length / spacing) + 1;
    // The error is looked at before the spacing follows, so that one point more is added.
    let mut error = mesh_error(spacing, length, lengths, atoms);
    while error > ACCURACY {
        error = mesh_error(spacing, length, lengths, atoms);
        points += 1;
        spacing = length / f64::from(points);
    }
    while !factorable(points) {
        points += 1;
    }
    points
}

/// The error of forces from a mesh of this spacing (Deserno and Holm 1998, order 5).
fn mesh_error(spacing: f64, length: f64, lengths: [f64; 3], atoms: f64) -> f64 {
    const SERIES: [f64; 5] = [
        1.0 / 23_232.0,
        7_601.0 / 13_628_160.0,
        143.0 / 69_120.0,
        517_231.0 / 106_536_960.0,
        106_640_677.0 / 11_737_571_328.0,
    ];
    let charge = 19.426_017 * (atoms * lengths.iter().product::<f64>()).sqrt();
    let relative = spacing * EWALD;
    let square = relative * relative;
    let sum = SERIES
        .iter()
        .rev()
        .fold(0.0, |sum, term| sum * square + term);
    let tail = EWALD * length * (2.0 * std::f64::consts::PI).sqrt() * sum / atoms;
    charge * square * square * relative * tail.sqrt() / (length * length)
}

fn factorable(mut number: i32) -> bool {
    for factor in [2, 3, 5] {
        while number % factor == 0 {
            number /= factor;
        }
    }
    number == 1
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "cut to whole points on purpose"
)]
const fn point(at: f64) -> i32 {
    at as i32
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "cut to whole bytes and volumes on purpose"
)]
const fn whole(number: f64) -> u64 {
    number as u64
}

/// Rounded to ten digits behind the point, so that edges on a point are there.
fn ten_digits(at: f64) -> f64 {
    (at * 1e10 + 0.5).floor() / 1e10
}

#[cfg(test)]
mod tests {
    use super::{Hops, Model};

    #[test]
    fn the_box_of_the_study_is_divided_as_there() {
        let model = Model::new([3; 3], 2_048);
        assert_eq!(model.ranks_along, [8, 16, 16]);
        assert_eq!(model.mesh, [72, 96, 90]);
    }

    #[test]
    fn hops_of_the_study_have_their_sizes() {
        let model = Model::new([3; 3], 2_048);
        let sizes = |hops, rank| -> Vec<u64> {
            (0..)
                .map_while(|number| Some(model.hop(hops, rank, number)?.bytes))
                .collect()
        };
        let ghosts = [5_878, 5_878, 18_170, 18_170, 51_219, 51_219];
        assert_eq!(sizes(Hops::Ghosts, 77), ghosts);
        let mut back = ghosts;
        back.reverse();
        assert_eq!(sizes(Hops::Reverse, 77), back);
        let borders = sizes(Hops::Borders, 5);
        assert_eq!(
            borders,
            [
                4, 15_673, 4, 15_673, 4, 48_453, 4, 48_453, 4, 136_581, 4, 136_581
            ]
        );
        let moved = [4, 4, 586, 586, 4, 4, 840, 840, 4, 4, 889, 889];
        assert_eq!(sizes(Hops::Moved, 5), moved);
        // Smallest and largest of all ranks, which differ by their position on the mesh.
        for (hops, least, most) in [(Hops::ToMesh, 480, 4_928), (Hops::FromMesh, 1_440, 14_784)] {
            let all = || (0..2_048).flat_map(|rank| sizes(hops, rank));
            assert_eq!((all().min(), all().max()), (Some(least), Some(most)));
        }
    }
}
