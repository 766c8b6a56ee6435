//! Sizes of collectives that the ranks of a trace recorded one by one.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::op;
use super::table::TraceTable;

/// By operation: the payload of every rank of the communicator, where each rank recorded its own.
pub(super) type Gathered = BTreeMap<usize, Arc<[u64]>>;

/// Puts together the sizes of each allgatherv (for all of its ranks), and of each gatherv and
/// scatterv (for the root). The table has passed its check. Cost O(operations log operations).
pub(super) fn gather(table: &TraceTable) -> Gathered {
    // By (communicator, code, number among those): the operation of each rank, in any order.
    let mut calls: BTreeMap<(u32, u8, u64), Vec<(u32, usize)>> = BTreeMap::new();
    for rank in 0..table.rank_count() {
        let mut numbers: BTreeMap<(u32, u8), u64> = BTreeMap::new();
        for at in table.operations(rank) {
            let code = table.op[at];
            if matches!(
                op::blocking(code),
                op::ALLGATHERV | op::GATHERV | op::SCATTERV
            ) {
                let comm = table.comm[at];
                let number = numbers.entry((comm, code)).or_insert(0);
                calls
                    .entry((comm, code, *number))
                    .or_default()
                    .push((rank, at));
                *number += 1;
            }
        }
    }
    let mut gathered = Gathered::new();
    for ((comm, code, _), ranks) in calls {
        let own: BTreeMap<u32, usize> = ranks.into_iter().collect();
        let members = table.members(comm);
        let bytes = |member: &u32| own.get(member).map_or(0, |&at| table.bytes[at]);
        let sizes: Arc<[u64]> = members.iter().map(bytes).collect();
        for (&rank, &at) in &own {
            let root = usize::try_from(table.peer[at])
                .ok()
                .and_then(|root| members.get(root));
            if op::blocking(code) == op::ALLGATHERV || root == Some(&rank) {
                gathered.insert(at, Arc::clone(&sizes));
            }
        }
    }
    gathered
}
