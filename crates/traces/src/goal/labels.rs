//! Labels of a rank, and dependencies by label: a label may be used before it is there.

use std::collections::BTreeMap;

use odonata_workload::Column;

use crate::recorded::Edge;
use crate::text::shown;

/// Plain labels, such as `l17`, whose operations are beside each other.
const PAGE: u32 = 64;

/// Who waits for whom.
#[derive(Default)]
struct OpenEdges {
    later: Column<u32>,
    earlier: Column<u32>,
    is_start: Column<u8>,
    line: Column<u64>,
}

/// The labels of a rank: twice the number of a plain one, or an odd number for each other one.
#[derive(Default)]
pub(super) struct Labels {
    names: BTreeMap<String, u32>,
    open: OpenEdges,
    /// One more than the operation of each plain label, by page; 0: none so far.
    plain: BTreeMap<u32, Box<[u32; PAGE as usize]>>,
    named: Vec<u32>,
}

impl Labels {
    fn number(&mut self, label: &str) -> u32 {
        let digits = label.strip_prefix('l').filter(|digits| {
            let is_plain = digits.bytes().all(|byte| byte.is_ascii_digit());
            is_plain && !(digits.starts_with('0') && digits.len() > 1)
        });
        let number = digits.and_then(|digits| digits.parse::<u32>().ok());
        if let Some(twice) = number.and_then(|number| number.checked_mul(2)) {
            return twice;
        }
        if let Some(&number) = self.names.get(label) {
            return number;
        }
        let number = 2 * u32::try_from(self.named.len()).unwrap_or(u32::MAX / 2) + 1;
        self.named.push(0);
        self.names.insert(label.to_owned(), number);
        number
    }

    fn entry(&mut self, number: u32) -> &mut u32 {
        let half = number / 2;
        if number % 2 == 1 {
            return &mut self.named[half as usize];
        }
        let none = || Box::new([0; PAGE as usize]);
        let page = self.plain.entry(half / PAGE).or_insert_with(none);
        &mut page[(half % PAGE) as usize]
    }

    /// Notes the label of an operation.
    pub(super) fn define(&mut self, label: &str, operation: u32) -> Result<(), String> {
        let number = self.number(label);
        let entry = self.entry(number);
        if *entry > 0 {
            return Err(format!("label {} appears twice", shown(label)));
        }
        *entry = operation.saturating_add(1);
        Ok(())
    }

    /// Notes that an operation waits for another one.
    pub(super) fn wait(&mut self, later: &str, earlier: &str, is_start: bool, line: u64) {
        let (later, earlier) = (self.number(later), self.number(earlier));
        self.open.later.push(later);
        self.open.earlier.push(earlier);
        self.open.is_start.push(u8::from(is_start));
        self.open.line.push(line);
    }

    /// The dependencies by operation.
    pub(super) fn edges(mut self) -> Result<Vec<Edge>, String> {
        let mut edges = Vec::with_capacity(self.open.later.len());
        let open = std::mem::take(&mut self.open);
        for at in 0..open.later.len() {
            let mut of = |number: u32| match *self.entry(number) {
                0 => {
                    let name = self.name(number);
                    let line = open.line.get(at);
                    Err(format!(
                        "label {} is not defined (used in line {line})",
                        shown(&name)
                    ))
                }
                operation => Ok(operation - 1),
            };
            edges.push(Edge {
                later: of(open.later.get(at))?,
                earlier: of(open.earlier.get(at))?,
                is_start: open.is_start.get(at) != 0,
            });
        }
        Ok(edges)
    }

    fn name(&self, number: u32) -> String {
        if number.is_multiple_of(2) {
            return format!("l{}", number / 2);
        }
        let mut names = self.names.iter();
        let found = names.find(|(_, known)| **known == number);
        found.map_or_else(String::new, |(name, _)| name.clone())
    }
}
