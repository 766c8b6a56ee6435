//! Sums over time: what happened between two readings, for any number of them.
//!
//! Every contribution has an instant of its own and is added to the bin that contains it, so that
//! the order in which they come does not matter. Bins that are over are kept without their zeros.
//! If there were too many, two neighbours become one, again and again.

use std::collections::BTreeMap;

use borsh::{BorshDeserialize, BorshSerialize};
use odonata_units::{Instant, Span};

/// A bin that things are added to.
#[derive(Clone, Debug, BorshSerialize, BorshDeserialize)]
struct Open<const W: usize> {
    number: u64,
    cells: Vec<[u64; W]>,
}

/// Sums of components with `W` cells each, by bins of time.
#[derive(Clone, Debug, BorshSerialize, BorshDeserialize)]
pub(crate) struct Samples<const W: usize> {
    /// First instant of the bin used last, and its width, ps.
    #[borsh(skip)]
    from: u64,
    #[borsh(skip)]
    width: u64,
    /// The bin used last; everything is in bin 0 without readings.
    recent: Open<W>,
    /// Others that things may still be added to.
    open: Vec<Open<W>>,
    /// By number: cells that are not 0; a cell may be there several times.
    over: BTreeMap<u64, Vec<(u32, u64)>>,
    /// Width of a bin, ps.
    bin_ps: u64,
    most_bins: u64,
    /// Contributions come at most this much later than others, ps.
    lag_ps: u64,
    /// `[component]`: whether it is kept; empty if all are.
    kept: Vec<bool>,
}

impl<const W: usize> Samples<W> {
    /// Sums of `components`, read every `every`, at most `most_bins` times; only at the end
    /// without.
    pub(crate) fn new(components: usize, every: Option<Span>, most_bins: u64, lag: Span) -> Self {
        let bin_ps = every.map_or(u64::MAX, |every| every.ps().max(1));
        Self {
            from: 0,
            width: bin_ps,
            recent: Open {
                number: 0,
                cells: vec![[0; W]; components],
            },
            open: Vec::new(),
            over: BTreeMap::new(),
            bin_ps,
            most_bins: most_bins.max(2),
            lag_ps: lag.ps(),
            kept: Vec::new(),
        }
    }

    /// Keeps only some components.
    pub(crate) fn keeping(self, kept: Vec<bool>) -> Self {
        Self { kept, ..self }
    }

    /// The sums of `component` in the bin that contains `at`.
    #[inline(always)]
    pub(crate) fn at(&mut self, component: usize, at: Instant) -> &mut [u64; W] {
        if at.ps().wrapping_sub(self.from) >= self.width {
            self.find(at.ps());
        }
        &mut self.recent.cells[component]
    }

    #[inline(never)]
    fn find(&mut self, ps: u64) {
        while ps / self.bin_ps >= self.most_bins {
            self.halve();
        }
        let number = ps / self.bin_ps;
        if number != self.recent.number {
            let component = self.open.iter().position(|open| open.number == number);
            let component = component.unwrap_or_else(|| self.begin(number));
            std::mem::swap(&mut self.recent, &mut self.open[component]);
        }
        (self.from, self.width) = (number * self.bin_ps, self.bin_ps);
    }

    /// Opens a bin, and closes those that nothing more is added to.
    fn begin(&mut self, number: u64) -> usize {
        let now = number * self.bin_ps;
        let mut spare = None;
        let mut component = 0;
        while component < self.open.len() {
            let end = (self.open[component].number + 1).saturating_mul(self.bin_ps);
            if end.saturating_add(self.lag_ps) < now {
                let mut closed = self.open.swap_remove(component);
                let filled = self.over.entry(closed.number).or_default();
                pack(&mut closed.cells, filled, &self.kept);
                spare = Some(closed.cells);
            } else {
                component += 1;
            }
        }
        let components = self.recent.cells.len();
        self.open.push(Open {
            number,
            cells: spare.unwrap_or_else(|| vec![[0; W]; components]),
        });
        self.open.len() - 1
    }

    /// Makes one bin of two.
    fn halve(&mut self) {
        self.bin_ps = self.bin_ps.saturating_mul(2);
        for (number, mut filled) in std::mem::take(&mut self.over) {
            self.over.entry(number / 2).or_default().append(&mut filled);
        }
        self.recent.number /= 2;
        for open in std::mem::take(&mut self.open) {
            let number = open.number / 2;
            let same = self.open.iter_mut().find(|other| other.number == number);
            let same = if self.recent.number == number {
                Some(&mut self.recent)
            } else {
                same
            };
            match same {
                Some(other) => {
                    let sums = other.cells.iter_mut().flatten();
                    for (sum, more) in sums.zip(open.cells.iter().flatten()) {
                        *sum = sum.wrapping_add(*more);
                    }
                }
                None => self.open.push(Open { number, ..open }),
            }
        }
        // Found again at the next contribution.
        (self.from, self.width) = (0, 0);
    }

    /// Width of a bin; `None` without readings.
    pub(crate) const fn bin(&self) -> Option<Span> {
        if self.bin_ps == u64::MAX {
            None
        } else {
            Some(Span::from_ps(self.bin_ps))
        }
    }

    /// Makes bins as wide as `bin`, which is a power of two times their width, and at least so wide
    /// that those before `end` are not too many.
    pub(crate) fn widen(&mut self, bin: Option<Span>, end: Instant) {
        let Some(bin) = bin else { return };
        while self.bin_ps < bin.ps() || end.ps() / self.bin_ps >= self.most_bins {
            self.halve();
        }
    }

    /// Puts all bins away. Nothing is added after that.
    pub(crate) fn close(&mut self) {
        let components = self.recent.cells.len();
        for open in std::iter::once(&mut self.recent).chain(&mut self.open) {
            let filled = self.over.entry(open.number).or_default();
            pack(&mut open.cells, filled, &self.kept);
        }
        self.open.clear();
        debug_assert!(components == self.recent.cells.len(), "components stay");
    }

    /// Adds what bin `number` holds to `sums`; all bins from `number` on if it is the last.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "W is small, and a cell is one of a component"
    )]
    pub(crate) fn add_to(&self, sums: &mut [[u64; W]], number: u64, is_last: bool) {
        let last = if is_last { u64::MAX } else { number };
        for filled in self.over.range(number..=last).map(|(_, filled)| filled) {
            for (cell, more) in filled {
                let sum = &mut sums[(cell / W as u32) as usize][(cell % W as u32) as usize];
                *sum = sum.wrapping_add(*more);
            }
        }
    }

    /// Number of components.
    pub(crate) fn components(&self) -> usize {
        self.recent.cells.len()
    }
}

/// Moves what is not 0 and kept out of `cells`; all are 0 after it.
#[expect(clippy::cast_possible_truncation, reason = "fewer cells than 2^32")]
fn pack<const W: usize>(cells: &mut [[u64; W]], filled: &mut Vec<(u32, u64)>, kept: &[bool]) {
    for (component, sums) in cells.iter_mut().enumerate() {
        let is_kept = kept.get(component).is_none_or(|kept| *kept);
        for (cell, sum) in sums.iter_mut().enumerate() {
            if *sum != 0 {
                let sum = std::mem::take(sum);
                if is_kept {
                    filled.push(((component * W + cell) as u32, sum));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use odonata_units::{Instant, Span};

    use super::Samples;

    fn readings(samples: &Samples<2>, count: u64) -> Vec<u64> {
        let mut sums = vec![[0; 2]; samples.components()];
        let mut read = |number| {
            samples.add_to(&mut sums, number, number + 1 == count);
            sums[0][0]
        };
        (0..count).map(&mut read).collect()
    }

    #[test]
    fn contributions_in_any_order_are_read_at_their_instants() {
        for lag in [0, 5, 1_000] {
            let every = Some(Span::from_ps(10));
            let mut samples = Samples::<2>::new(1, every, 100, Span::from_ps(lag));
            for at in [3, 25, 4, 99, 0, 31, 9, 10, 98, 55] {
                samples.at(0, Instant::from_ps(at))[0] += 1;
            }
            samples.close();
            let expected = [4, 5, 6, 7, 7, 8, 8, 8, 8, 10];
            assert_eq!(readings(&samples, 10), expected, "lag {lag}");
        }
    }

    #[test]
    fn too_many_bins_become_fewer_and_nothing_is_lost() {
        let mut samples = Samples::<2>::new(1, Some(Span::from_ps(10)), 4, Span::ZERO);
        for at in 0..320 {
            samples.at(0, Instant::from_ps(at))[0] += at;
        }
        assert_eq!(samples.bin(), Some(Span::from_ps(80)));
        samples.widen(Some(Span::from_ps(160)), Instant::from_ps(320));
        samples.close();
        assert_eq!(readings(&samples, 2), [159 * 160 / 2, 319 * 320 / 2]);
    }

    #[test]
    fn what_is_not_kept_is_gone() {
        let samples = Samples::<2>::new(2, Some(Span::from_ps(10)), 9, Span::ZERO);
        let mut samples = samples.keeping(vec![false, true]);
        for (at, component) in [(3, 0), (40, 0), (3, 1), (40, 1)] {
            samples.at(component, Instant::from_ps(at)).fill(1);
        }
        samples.close();
        let mut sums = vec![[0; 2]; 2];
        samples.add_to(&mut sums, 0, true);
        assert_eq!(sums, [[0, 0], [2, 2]]);
    }

    #[test]
    fn without_readings_there_is_one_bin() {
        let mut samples = Samples::<2>::new(1, None, 4, Span::ZERO);
        for at in [0, 1, u64::MAX - 1] {
            samples.at(0, Instant::from_ps(at))[0] += 1;
        }
        samples.close();
        assert_eq!((samples.bin(), readings(&samples, 1)), (None, vec![3]));
    }
}
