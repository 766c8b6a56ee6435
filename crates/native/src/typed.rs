//! Columns of traces whose type is known when they are looked at.

use odonata_workload::{Column, Word};

/// Evaluates an expression for a column of any type.
macro_rules! each {
    ($kind:ident, $any:expr, $column:ident => $then:expr) => {
        match $any {
            $kind::U8($column) => $then,
            $kind::I32($column) => $then,
            $kind::U32($column) => $then,
            $kind::U64($column) => $then,
        }
    };
}
pub(crate) use each;

/// Some values of a column.
pub(crate) fn collected<T: Word>(column: &Column<T>, begin: usize, end: usize) -> Vec<T> {
    let mut values = Vec::with_capacity(end - begin);
    values.extend(column.range(begin..end));
    values
}
