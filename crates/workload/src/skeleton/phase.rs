//! Iterations put together from phases that all ranks share: a rank keeps no more than where it is.

use std::sync::Arc;

use odonata_mpi::Operation;

/// A rank in one of its iterations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct RankIteration {
    pub(crate) rank: u32,
    pub(crate) iteration: u64,
}

/// A rank that a phase exchanges with, and the number of the entry that says so.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Partner {
    pub(crate) rank: u32,
    pub(crate) entry: u32,
}

/// Where a rank is in its phase; what a phase leaves here is forgotten when the next one begins.
#[derive(Clone, Default, Debug)]
pub(crate) struct Cursor {
    /// With whom, by ascending entry.
    pub(crate) partners: Vec<Partner>,
    /// Act in progress, as the phase counts them.
    pub(crate) act: u32,
    /// Step of the act.
    pub(crate) at: u64,
}

/// A part of an iteration; one object for all ranks of the job.
pub(crate) trait Phase: Send + Sync {
    /// The rank comes to this phase; the cursor is empty.
    fn enter(&self, _current: RankIteration, _cursor: &mut Cursor) {}

    /// Its next operation; `None` behind the last one.
    fn next(&self, current: RankIteration, cursor: &mut Cursor) -> Option<Operation>;
}

/// The phases that each iteration consists of.
pub(crate) trait PhaseSequence: Send + Sync {
    /// Phase `number` of `iteration`; `None` behind the last one.
    fn phase(&self, iteration: u64, number: usize) -> Option<&dyn Phase>;
}

/// Every iteration has these phases.
impl PhaseSequence for Vec<Box<dyn Phase>> {
    fn phase(&self, _iteration: u64, number: usize) -> Option<&dyn Phase> {
        self.get(number).map(AsRef::as_ref)
    }
}

/// Every rank has these operations.
pub(crate) struct Alike(pub(crate) Vec<Operation>);

impl Phase for Alike {
    fn next(&self, _current: RankIteration, cursor: &mut Cursor) -> Option<Operation> {
        let operation = usize::try_from(cursor.at)
            .ok()
            .and_then(|at| self.0.get(at));
        cursor.at += 1;
        operation.cloned()
    }
}

/// One rank on its way through the phases of its job.
pub(crate) struct Walk {
    phases: Arc<dyn PhaseSequence>,
    rank: u32,
    /// Phase in progress, and whether it has been entered.
    number: u32,
    entered: bool,
    cursor: Cursor,
}

impl Walk {
    pub(crate) fn new(phases: Arc<dyn PhaseSequence>, rank: u32) -> Self {
        Self {
            phases,
            rank,
            number: 0,
            entered: false,
            cursor: Cursor::default(),
        }
    }

    /// Starts an iteration from its first phase.
    pub(crate) const fn restart(&mut self) {
        self.number = 0;
        self.entered = false;
    }

    /// The next operation of `iteration`; `None` behind the last one.
    pub(crate) fn next(&mut self, iteration: u64) -> Option<Operation> {
        let current = RankIteration {
            rank: self.rank,
            iteration,
        };
        loop {
            let phase = self.phases.phase(iteration, self.number as usize)?;
            if !self.entered {
                self.entered = true;
                self.cursor.partners.clear();
                (self.cursor.act, self.cursor.at) = (0, 0);
                phase.enter(current, &mut self.cursor);
            }
            if let Some(operation) = phase.next(current, &mut self.cursor) {
                return Some(operation);
            }
            self.number += 1;
            self.entered = false;
        }
    }
}
