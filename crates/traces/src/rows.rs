//! Operations of ranks whose turn in the table has not come.

use odonata_workload::Column;

use crate::recorded::Entry;

/// Operations with their lists, packed as in the table.
#[derive(Default)]
pub(crate) struct Rows {
    op: Column<u8>,
    peer: Column<i32>,
    bytes: Column<u64>,
    tag: Column<i32>,
    comm: Column<u32>,
    request: Column<u32>,
    duration_ps: Column<u64>,
    list_end: Column<u64>,
    lists: Column<u64>,
}

impl Rows {
    /// Appends an operation and its list.
    pub(crate) fn push(&mut self, entry: Entry, list: impl IntoIterator<Item = u64>) {
        self.op.push(entry.op);
        self.peer.push(entry.peer);
        self.bytes.push(entry.bytes);
        self.tag.push(entry.tag);
        self.comm.push(entry.comm);
        self.request.push(entry.request);
        self.duration_ps.push(entry.duration_ps);
        self.lists.extend(list);
        self.list_end.push(self.lists.len() as u64);
    }

    /// The operations and their lists, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Entry, Vec<u64>)> + '_ {
        let mut begin = 0;
        (0..self.op.len()).map(move |at| {
            let end = usize::try_from(self.list_end.get(at)).unwrap_or(begin);
            let list = if end > begin {
                self.lists.range(begin..end).collect()
            } else {
                Vec::new()
            };
            begin = end;
            let entry = Entry {
                op: self.op.get(at),
                peer: self.peer.get(at),
                bytes: self.bytes.get(at),
                tag: self.tag.get(at),
                comm: self.comm.get(at),
                request: self.request.get(at),
                duration_ps: self.duration_ps.get(at),
            };
            (entry, list)
        })
    }
}
