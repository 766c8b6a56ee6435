//! Communicators of a job, from what each of its ranks recorded when it made them.
//!
//! A rank knows its own arguments only: of a split its colour and its key. The `n`-th call on a
//! communicator is the same one on all of its members (MPI 4.0, section 7.4), so the members of the
//! new ones follow when all ranks have been read.

use std::collections::BTreeMap;

/// How a rank made a communicator.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Creation {
    /// It has the same members.
    Dup,
    /// Members of one colour, by key; a negative colour gets none.
    Split { color: i64, key: i64 },
    /// These ranks of the parent, in this order; `None`: not known.
    Create(Option<Vec<u32>>),
    /// The first ranks of the parent.
    First(u32),
    /// A grid of the ranks of the parent without some of its dimensions.
    Sub { dims: Vec<u32>, remain: Vec<bool> },
    /// Not known.
    Unknown,
}

/// A call that makes communicators, as one rank recorded it.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Made {
    /// The rank's own number of the parent, and of the new one.
    parent: u32,
    child: u32,
    creation: Creation,
}

/// The communicators of one rank, by its own numbers: 0 is the job, 1 the rank alone.
#[derive(Clone, Debug)]
pub(crate) struct LocalCommunicators {
    made: Vec<Made>,
    count: u32,
    /// The index of the rank and the number of members that a communicator must have.
    expected: BTreeMap<u32, (u64, u64)>,
}

impl Default for LocalCommunicators {
    fn default() -> Self {
        Self {
            made: Vec::new(),
            count: 2,
            expected: BTreeMap::new(),
        }
    }
}

impl LocalCommunicators {
    /// The communicator of the whole job.
    pub(crate) const WORLD: u32 = 0;
    /// The communicator of the rank alone.
    pub(crate) const OWN: u32 = 1;

    /// Says what is known of a communicator: without these members it is not the one that is meant.
    pub(crate) fn expect(&mut self, number: u32, rank: u64, size: u64) {
        self.expected.insert(number, (rank, size));
    }

    /// Takes note of a call; returns the rank's number of what it made.
    pub(crate) fn make(&mut self, parent: u32, creation: Creation) -> u32 {
        let child = self.count;
        self.count += 1;
        self.made.push(Made {
            parent,
            child,
            creation,
        });
        child
    }
}

/// The communicators of the job.
pub(crate) struct Resolved {
    /// Ranks of the job of each.
    pub(crate) members: Vec<Vec<u32>>,
    /// By rank and the rank's own number: the number in `members`.
    pub(crate) names: Vec<Vec<Option<u32>>>,
}

impl Resolved {
    fn add(&mut self, members: Vec<u32>) -> u32 {
        self.members.push(members);
        u32::try_from(self.members.len() - 1).unwrap_or(u32::MAX)
    }
}

/// Finds the members of every communicator. Cost O(sum of members).
pub(crate) fn resolve(locals: &[LocalCommunicators]) -> Resolved {
    let size = u32::try_from(locals.len()).unwrap_or(u32::MAX);
    let mut resolved = Resolved {
        members: vec![(0..size).collect()],
        names: locals
            .iter()
            .map(|local| vec![None; local.count as usize])
            .collect(),
    };
    // What each rank made of each of its communicators, in order.
    let mut calls: Vec<BTreeMap<u32, Vec<&Made>>> = vec![BTreeMap::new(); locals.len()];
    for (rank, local) in locals.iter().enumerate() {
        resolved.names[rank][LocalCommunicators::WORLD as usize] = Some(0);
        for made in &local.made {
            calls[rank].entry(made.parent).or_default().push(made);
        }
    }
    add_own(locals, &mut resolved);
    // A communicator of the job, and the number that each of its members has for it.
    let mut open: Vec<(u32, Vec<u32>)> = vec![(0, vec![LocalCommunicators::WORLD; locals.len()])];
    while let Some((comm, numbers)) = open.pop() {
        let members = resolved.members[comm as usize].clone();
        let of = |index: usize| -> &[&Made] {
            let made = calls[members[index] as usize].get(&numbers[index]);
            made.map_or(&[], Vec::as_slice)
        };
        let rounds = (0..members.len()).map(|index| of(index).len()).min();
        for round in 0..rounds.unwrap_or(0) {
            let made: Vec<&Made> = (0..members.len()).map(|index| of(index)[round]).collect();
            for indices in groups(&made) {
                let ranks = indices.iter().map(|&index| members[index]).collect();
                let child = resolved.add(ranks);
                let numbers: Vec<u32> = indices.iter().map(|&index| made[index].child).collect();
                for (&index, &number) in indices.iter().zip(&numbers) {
                    resolved.names[members[index] as usize][number as usize] = Some(child);
                }
                open.push((child, numbers));
            }
        }
    }
    forget_unexpected(locals, &mut resolved);
    resolved
}

/// Takes the name from communicators that are not what the rank saw when it used them.
fn forget_unexpected(locals: &[LocalCommunicators], resolved: &mut Resolved) {
    for (rank, local) in locals.iter().enumerate() {
        for (&number, &(index, size)) in &local.expected {
            let name = &mut resolved.names[rank][number as usize];
            let fits = name.is_some_and(|comm| {
                let members = &resolved.members[comm as usize];
                let at = usize::try_from(index)
                    .ok()
                    .and_then(|index| members.get(index));
                members.len() as u64 == size && at.is_some_and(|&member| member as usize == rank)
            });
            if !fits {
                *name = None;
            }
        }
    }
}

/// Communicators of one rank that are used; every rank has its own.
fn add_own(locals: &[LocalCommunicators], resolved: &mut Resolved) {
    for rank in 0..locals.len() {
        let member = u32::try_from(rank).unwrap_or(u32::MAX);
        let comm = if locals.len() == 1 {
            0
        } else {
            resolved.add(vec![member])
        };
        resolved.names[rank][LocalCommunicators::OWN as usize] = Some(comm);
    }
}

/// The groups of ranks of the parent, as indices, that one call makes.
fn groups(made: &[&Made]) -> Vec<Vec<usize>> {
    let all = || (0..made.len()).collect::<Vec<usize>>();
    match &made[0].creation {
        Creation::Dup if made.iter().all(|made| made.creation == Creation::Dup) => vec![all()],
        Creation::First(count) => {
            let count = *count as usize;
            vec![all().into_iter().take(count).collect()]
        }
        Creation::Create(_) => created(made),
        Creation::Split { .. } | Creation::Sub { .. } => split(made),
        Creation::Dup | Creation::Unknown => Vec::new(),
    }
}

fn created(made: &[&Made]) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for made in made {
        if let Creation::Create(Some(members)) = &made.creation {
            let members: Vec<usize> = members.iter().map(|&rank| rank as usize).collect();
            if !groups.contains(&members) {
                groups.push(members);
            }
        }
    }
    let fits = |group: &Vec<usize>| !group.is_empty() && group.iter().all(|&at| at < made.len());
    groups.retain(fits);
    groups
}

fn split(made: &[&Made]) -> Vec<Vec<usize>> {
    let mut colors: BTreeMap<i64, Vec<(i64, usize)>> = BTreeMap::new();
    for (index, made) in made.iter().enumerate() {
        let (color, key) = match &made.creation {
            Creation::Split { color, key } => (*color, *key),
            Creation::Sub { dims, remain } => sub_grid(index, dims, remain),
            _ => return Vec::new(),
        };
        if color >= 0 {
            colors.entry(color).or_default().push((key, index));
        }
    }
    let ordered = |mut group: Vec<(i64, usize)>| {
        group.sort_unstable();
        group.into_iter().map(|(_, index)| index).collect()
    };
    colors.into_values().map(ordered).collect()
}

/// Colour and key of an index of a grid in row-major order (MPI 4.0, section 8.5.4).
fn sub_grid(index: usize, dims: &[u32], remain: &[bool]) -> (i64, i64) {
    let mut rest = i64::try_from(index).unwrap_or(i64::MAX);
    let mut at = Vec::new();
    for &size in dims.iter().rev() {
        let size = i64::from(size.max(1));
        at.push((rest % size, size));
        rest /= size;
    }
    let (mut color, mut key) = (0_i64, 0_i64);
    for ((coordinate, size), stays) in at.into_iter().rev().zip(remain) {
        let target = if *stays { &mut key } else { &mut color };
        *target = target.saturating_mul(size).saturating_add(coordinate);
    }
    (color, key)
}

#[cfg(test)]
mod tests {
    use super::{Creation, LocalCommunicators, resolve, sub_grid};

    fn ranks(make: impl Fn(u32, &mut LocalCommunicators)) -> Vec<LocalCommunicators> {
        (0..6)
            .map(|rank| {
                let mut local = LocalCommunicators::default();
                make(rank, &mut local);
                local
            })
            .collect()
    }

    #[test]
    fn a_split_orders_by_key_and_a_dup_of_it_has_the_same_members() {
        let locals = ranks(|rank, local| {
            let half = local.make(
                LocalCommunicators::WORLD,
                Creation::Split {
                    color: i64::from(rank % 2),
                    key: -i64::from(rank),
                },
            );
            local.make(half, Creation::Dup);
        });
        let resolved = resolve(&locals);
        let name = |rank: usize, number: usize| {
            resolved.names[rank][number].map(|comm| resolved.members[comm as usize].clone())
        };
        assert_eq!(name(0, 2), Some(vec![4, 2, 0]));
        assert_eq!(name(0, 3), Some(vec![4, 2, 0]));
        assert_ne!(resolved.names[0][2], resolved.names[0][3]);
        assert_eq!(name(5, 3), Some(vec![5, 3, 1]));
        assert_eq!(name(3, 1), Some(vec![3]));
    }

    #[test]
    fn who_has_no_colour_has_no_communicator() {
        let locals = ranks(|rank, local| {
            let color = if rank < 2 { -1 } else { 7 };
            local.make(0, Creation::Split { color, key: 0 });
        });
        let resolved = resolve(&locals);
        assert_eq!(resolved.names[1][2], None);
        let comm = resolved.names[2][2].unwrap();
        assert_eq!(resolved.members[comm as usize], [2, 3, 4, 5]);
    }

    #[test]
    fn a_row_of_a_grid_is_a_communicator() {
        assert_eq!(sub_grid(5, &[2, 3], &[false, true]), (1, 2));
        assert_eq!(sub_grid(5, &[2, 3], &[true, false]), (2, 1));
    }

    #[test]
    fn a_call_that_one_rank_lacks_makes_nothing() {
        let locals = ranks(|rank, local| {
            if rank < 5 {
                local.make(0, Creation::Dup);
            }
        });
        assert_eq!(resolve(&locals).names[0][2], None);
    }
}
