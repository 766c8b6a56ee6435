//! Table that a router has learned: how long packets take through each of its ports.

use odonata_topology::PortIndex;

/// Value of a port that is not connected; no measurement comes near it.
const NEVER: i32 = i32::MAX;

/// Weights of new measurements.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LearningRates {
    /// Weight of a measurement that is shorter than the estimate, 0 to 1.
    pub good: f64,
    /// Weight of a measurement that is longer than the estimate, 0 to 1.
    pub bad: f64,
}

/// The table of one router: per row and router port, nanoseconds from the arrival here to the
/// arrival at the first router of the target group.
///
/// A row is (target group, source node modulo the nodes of a router): Kang, Wang, Lan 2021, and
/// the code of their 2022 study ("two-level" table). Values are whole nanoseconds, as there.
#[derive(Clone, PartialEq, Debug)]
pub struct QTable {
    rates: LearningRates,
    /// Ports before the first router port.
    first_port: u16,
    ports: u16,
    /// `[row * ports + (port - first_port)]`.
    values: Vec<i32>,
    /// Per row: the shortest estimate, at the lowest port on a tie.
    best: Vec<Best>,
}

/// The shortest estimate of a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Best {
    value: i32,
    /// Less the first port.
    port: u16,
}

impl QTable {
    /// A table of `rows` rows over router ports `ports` (half-open), whose first values are
    /// `initial(row, port)`; `None` for a port that is not connected.
    pub(crate) fn new(
        rows: u32,
        ports: std::ops::Range<u16>,
        rates: LearningRates,
        mut initial: impl FnMut(u32, PortIndex) -> Option<i32>,
    ) -> Self {
        let mut values = Vec::with_capacity(rows as usize * ports.len());
        for row in 0..rows {
            for port in ports.clone() {
                values.push(initial(row, PortIndex(port)).unwrap_or(NEVER));
            }
        }
        let mut table = Self {
            rates,
            first_port: ports.start,
            ports: ports.end - ports.start,
            values: values.into_iter().collect(),
            best: Vec::new(),
        };
        table.best = (0..rows).map(|row| table.search(row)).collect();
        table
    }

    /// A table without rows.
    pub(crate) fn empty() -> Self {
        Self {
            rates: LearningRates {
                good: 0.0,
                bad: 0.0,
            },
            first_port: 0,
            ports: 0,
            values: Vec::new(),
            best: Vec::new(),
        }
    }

    #[inline]
    fn entries_of(&self, row: u32) -> &[i32] {
        let ports = usize::from(self.ports);
        &self.values[row as usize * ports..][..ports]
    }

    /// The shortest estimate of `row`, looked for.
    fn search(&self, row: u32) -> Best {
        let mut best = Best {
            value: NEVER,
            port: 0,
        };
        for (port, value) in (0..self.ports).zip(self.entries_of(row)) {
            if *value < best.value {
                best = Best {
                    value: *value,
                    port,
                };
            }
        }
        best
    }

    /// The estimate of `row` through a port, less the first one, becomes `value`.
    #[inline]
    fn put(&mut self, row: u32, port: u16, value: i32) {
        let index = row as usize * usize::from(self.ports) + usize::from(port);
        self.values[index] = value;
        let best = self.best[row as usize];
        let is_better = value < best.value || value == best.value && port <= best.port;
        if is_better {
            self.best[row as usize] = Best { value, port };
        } else if port == best.port {
            self.best[row as usize] = self.search(row);
        }
    }

    /// The shortest estimate of `row` over all connected router ports, ns.
    #[inline]
    #[must_use]
    #[expect(clippy::cast_sign_loss, reason = "not below zero")]
    pub fn least(&self, row: u32) -> u32 {
        self.best[row as usize].value.max(0) as u32
    }

    /// The port with the shortest estimate of `row` (the lowest one on a tie), and the estimate.
    #[inline]
    pub(crate) fn best(&self, row: u32) -> (PortIndex, i32) {
        let best = self.best[row as usize];
        (PortIndex(self.first_port + best.port), best.value)
    }

    /// The estimate of `row` through `port`, ns.
    #[inline]
    #[must_use]
    pub fn estimate(&self, row: u32, port: PortIndex) -> i32 {
        self.entries_of(row)[usize::from(port.0 - self.first_port)]
    }

    /// Learns that a packet of `row` that left through `port` took `measured_ns` from its arrival
    /// here to its arrival at the next router, whose own estimate was `estimate_ns`. Returns the
    /// error: target minus old estimate.
    ///
    /// The step is the error times a learning rate, truncated toward zero; so errors of less than
    /// 1 / rate nanoseconds move nothing. There is no discount.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a share of the error is smaller than the error"
    )]
    #[expect(
        clippy::cast_precision_loss,
        reason = "an error of 2^53 ns is 100 days"
    )]
    pub fn update(&mut self, port: PortIndex, row: u32, measured_ns: u32, estimate_ns: u32) -> i64 {
        let port = port.0 - self.first_port;
        let index = row as usize * usize::from(self.ports) + usize::from(port);
        let old = i64::from(self.values[index]);
        let error = i64::from(measured_ns) + i64::from(estimate_ns) - old;
        let rate = if error < 0 {
            self.rates.good
        } else {
            self.rates.bad
        };
        let new = old + (error as f64 * rate) as i64;
        let new = i32::try_from(new).unwrap_or(NEVER - 1).min(NEVER - 1);
        self.put(row, port, new);
        error
    }

    /// Row, port and estimate (ns) of every connected port, row by row; to be saved.
    pub fn entries(&self) -> impl Iterator<Item = (u32, PortIndex, i32)> + '_ {
        let rows = self.values.chunks(usize::from(self.ports.max(1)));
        (0..).zip(rows).flat_map(move |(row, values)| {
            let ports = (self.first_port..).map(PortIndex).zip(values);
            ports
                .filter(|(_, value)| **value != NEVER)
                .map(move |(port, value)| (row, port, *value))
        })
    }

    /// Takes over a saved estimate; false if there is no such entry.
    #[must_use]
    pub fn set(&mut self, row: u32, port: PortIndex, estimate_ns: i32) -> bool {
        let ports = usize::from(self.ports);
        let Some(port) = port.0.checked_sub(self.first_port) else {
            return false;
        };
        let index = row as usize * ports + usize::from(port);
        let is_there = usize::from(port) < ports
            && self.values.get(index).is_some_and(|value| *value != NEVER);
        if is_there {
            self.put(row, port, estimate_ns.clamp(0, NEVER - 1));
        }
        is_there
    }
}

#[cfg(test)]
mod tests {
    use super::{LearningRates, QTable};
    use odonata_topology::PortIndex;

    fn table() -> QTable {
        let rates = LearningRates {
            good: 0.2,
            bad: 0.04,
        };
        QTable::new(2, 4..8, rates, |row, port| match (row, port.0) {
            (_, 7) => None,
            (_, 6) => Some(300),
            _ => Some(330),
        })
    }

    #[test]
    fn the_least_and_the_best_of_a_row() {
        let mut table = table();
        assert_eq!((table.least(0), table.best(0)), (300, (PortIndex(6), 300)));
        table.update(PortIndex(6), 0, 1_300, 0);
        assert_eq!(table.estimate(0, PortIndex(6)), 340);
        assert_eq!(
            table.best(0),
            (PortIndex(4), 330),
            "the lowest port on a tie"
        );
        assert_eq!(table.least(1), 300, "rows do not touch each other");
    }

    #[test]
    fn good_news_counts_more_and_steps_are_truncated() {
        let mut table = table();
        let port = PortIndex(4);
        // 330 -> 130 + 100: error -100, a fifth of it.
        assert_eq!(table.update(port, 1, 130, 100), -100);
        assert_eq!(table.estimate(1, port), 310);
        // 310 -> 360: error 50, 4 % of it.
        assert_eq!(table.update(port, 1, 360, 0), 50);
        assert_eq!(table.estimate(1, port), 312);
        // 4 % of 24 is 0.96, a fifth of -4 is -0.8: both are cut to nothing.
        assert_eq!(table.update(port, 1, 336, 0), 24);
        assert_eq!(table.update(port, 1, 308, 0), -4);
        assert_eq!(table.estimate(1, port), 312);
        // -1.8 and 1.04 are cut toward zero.
        assert_eq!(table.update(port, 1, 303, 0), -9);
        assert_eq!(table.estimate(1, port), 311);
        assert_eq!(table.update(port, 1, 337, 0), 26);
        assert_eq!(table.estimate(1, port), 312);
    }

    #[test]
    fn tables_are_saved_and_loaded() {
        let mut saved = table();
        saved.update(PortIndex(5), 1, 30, 100);
        let mut fresh = table();
        for (row, port, estimate) in saved.entries() {
            assert!(fresh.set(row, port, estimate));
        }
        assert_eq!(fresh, saved);
        assert!(!fresh.set(0, PortIndex(7), 1), "not connected");
        assert!(!fresh.set(0, PortIndex(3), 1) && !fresh.set(2, PortIndex(4), 1));
    }

    #[test]
    fn an_estimate_never_becomes_that_of_a_missing_port() {
        let mut table = table();
        for _ in 0..200 {
            table.update(PortIndex(5), 0, u32::MAX, u32::MAX);
        }
        assert_eq!(table.estimate(0, PortIndex(5)), i32::MAX - 1);
    }
}
