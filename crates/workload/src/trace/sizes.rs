//! Sizes of collectives that the ranks of a trace recorded one by one, and the factor of all sizes.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::column::Column;
use super::table::TraceTable;
use super::{op, order};

/// The factor of the sizes of messages and collectives.
#[derive(Clone, Copy, Debug)]
pub(super) struct SizeScale(pub(super) f64);

impl SizeScale {
    /// A size times the factor, rounded to the nearest byte.
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::float_cmp,
        reason = "a scale other than 1 is exact to 2^-53; the conversion saturates"
    )]
    pub(super) fn of(self, size: u64) -> u64 {
        // A receive of whatever comes stays one.
        if self.0 == 1.0 || size == u64::MAX {
            return size;
        }
        libm::round(size as f64 * self.0) as u64
    }
}

/// The calls of a rank of one kind of collective.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct CallKey {
    comm: u32,
    code: u8,
    rank: u32,
}

/// A collective: communicator, code, and its number among those.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Number {
    comm: u32,
    code: u8,
    number: usize,
}

/// Index of the payloads of all ranks of a collective, where each recorded its own.
///
/// It knows where these operations are, in few bytes each; the sizes themselves it looks up, once
/// for all ranks that come to the collective one after the other.
pub(super) struct Gathered {
    /// Where the operations are in the table.
    calls: BTreeMap<CallKey, Column<u64>>,
    last: Mutex<Option<(Number, Arc<[u64]>)>>,
}

impl Gathered {
    /// Looks for allgatherv, gatherv and scatterv. The table has passed its check.
    pub(super) fn new(table: &TraceTable) -> Self {
        let mut calls: BTreeMap<_, Column<u64>> = BTreeMap::new();
        for rank in 0..table.rank_count() {
            for at in order::rows(table, rank) {
                let code = table.op.get(at);
                if is_gathered(code) {
                    let comm = table.comm.get(at);
                    let key = CallKey { comm, code, rank };
                    calls.entry(key).or_default().push(at as u64);
                }
            }
        }
        calls.values_mut().for_each(Column::close);
        Self {
            calls,
            last: Mutex::new(None),
        }
    }

    /// The payload of every rank, if `rank` needs them: in an allgatherv and as a root.
    pub(super) fn of(
        &self,
        table: &TraceTable,
        rank: u32,
        at: usize,
        scale: SizeScale,
    ) -> Arc<[u64]> {
        let (comm, code) = (table.comm.get(at), table.op.get(at));
        let members = table.members(comm);
        let root = usize::try_from(table.peer.get(at))
            .ok()
            .and_then(|root| members.get(root));
        let needs = op::blocking(code) == op::ALLGATHERV || root == Some(&rank);
        let number = needs
            .then(|| self.number(CallKey { comm, code, rank }, at))
            .flatten();
        let Some(number) = number else {
            return Arc::from([]);
        };
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let collective = Number { comm, code, number };
        if let Some((known, sizes)) = &*last
            && *known == collective
        {
            return Arc::clone(sizes);
        }
        let bytes = |member: &u32| {
            let own = self.calls.get(&CallKey {
                comm,
                code,
                rank: *member,
            })?;
            let at = usize::try_from((number < own.len()).then(|| own.get(number))?).ok()?;
            Some(scale.of(table.bytes.get(at)))
        };
        let sizes = members.iter().map(|member| bytes(member).unwrap_or(0));
        let sizes: Arc<[u64]> = sizes.collect();
        *last = Some((collective, Arc::clone(&sizes)));
        sizes
    }

    fn number(&self, key: CallKey, at: usize) -> Option<usize> {
        let own = self.calls.get(&key)?;
        let (mut low, mut high) = (0, own.len());
        while low < high {
            let middle = low.midpoint(high);
            if own.get(middle) < at as u64 {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        if low < own.len() && own.get(low) == at as u64 {
            return Some(low);
        }
        // Of a graph they may stand in another order than that of issue.
        own.iter().position(|row| row == at as u64)
    }
}

const fn is_gathered(code: u8) -> bool {
    matches!(
        op::blocking(code),
        op::ALLGATHERV | op::GATHERV | op::SCATTERV
    )
}
