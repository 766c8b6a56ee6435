//! Sizes of datatypes: those that the file has, and those that follow from how a type was made.

use std::collections::BTreeMap;

use super::record::Record;

/// Bytes of each datatype by its number.
pub(super) struct Types {
    recorded: Vec<u64>,
    made: BTreeMap<i64, u64>,
}

impl Types {
    pub(super) const fn new(recorded: Vec<u64>) -> Self {
        Self {
            recorded,
            made: BTreeMap::new(),
        }
    }

    /// Bytes of a datatype; `None`: not known.
    pub(super) fn size(&self, datatype: i64) -> Option<u64> {
        if let Some(&size) = self.made.get(&datatype) {
            return Some(size);
        }
        let number = usize::try_from(datatype).ok()?;
        self.recorded.get(number).copied().filter(|&size| size > 0)
    }

    /// Takes note of a call that makes a datatype; false if it is another call.
    pub(super) fn take(&mut self, record: &Record) -> bool {
        let value = |at| record.value(at);
        let positive = |at| u64::try_from(value(at)).unwrap_or(0);
        let (elements, old, new) = match record.name {
            "Type_contiguous" => (positive(0), value(1), value(2)),
            "Type_vector" | "Type_hvector" | "Type_create_hvector" => {
                (positive(0).saturating_mul(positive(1)), value(3), value(4))
            }
            "Type_indexed" | "Type_hindexed" | "Type_create_hindexed" => {
                (sum(record.array(0)), value(1), value(2))
            }
            "Type_create_indexed_block" => {
                (positive(0).saturating_mul(positive(1)), value(2), value(3))
            }
            "Type_dup" => (1, value(0), value(1)),
            "Type_create_resized" => (1, value(0), value(3)),
            "Type_struct" | "Type_create_struct" => {
                return self.take_struct(record);
            }
            "Type_create_subarray" => {
                let sizes = record.array(1).iter();
                let product = sizes.fold(1_u64, |product, &size| {
                    product.saturating_mul(u64::try_from(size).unwrap_or(0))
                });
                (product, value(2), value(3))
            }
            _ => return false,
        };
        if let Some(size) = self.size(old) {
            self.made.insert(new, elements.saturating_mul(size));
        }
        true
    }

    fn take_struct(&mut self, record: &Record) -> bool {
        let types = record.array(record_types(record));
        let mut size = Some(0_u64);
        for (&count, &old) in record.array(0).iter().zip(types) {
            let part = self
                .size(i64::from(old))
                .map(|bytes| bytes.saturating_mul(u64::try_from(count).unwrap_or(0)));
            size = size.zip(part).map(|(sum, part)| sum.saturating_add(part));
        }
        if let (Some(size), Some(&new)) = (size, record.values.last()) {
            self.made.insert(new, size);
        }
        true
    }
}

/// Which array of a struct has its types: early versions lack that of the displacements.
fn record_types(record: &Record) -> usize {
    if record.array(2).is_empty() { 1 } else { 2 }
}

fn sum(counts: &[i32]) -> u64 {
    let counts = counts
        .iter()
        .map(|&count| u64::try_from(count).unwrap_or(0));
    counts.fold(0, u64::saturating_add)
}
