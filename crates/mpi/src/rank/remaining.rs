//! Messages that a rank has still to send: for forecasts of jobs that nobody runs to their end.

use super::MpiRank;
use crate::collective::{Collective, Primitive};
use crate::operation::Operation;
use crate::program::RankProgram;

impl MpiRank {
    /// Messages that the rank has still to send, those of a collective in progress included; its
    /// program is over afterwards. `None` if it takes more than `most` steps to count them, or
    /// the program is no sequence of messages and collectives.
    pub fn messages_left(&mut self, most: u64) -> Option<u64> {
        if self.crew.is_some() {
            return None;
        }
        let (mut steps, mut sum) = (most, 0);
        if let Some(running) = self.strand.collective.take() {
            sum += sends(running.steps, &mut steps)?;
        }
        loop {
            let RankProgram::Sequence(program) = &mut self.program else {
                return None;
            };
            let operation = program.next();
            steps = steps.checked_sub(1)?;
            match &operation {
                Operation::Finish => return Some(sum),
                Operation::Send { .. } => sum += 1,
                Operation::Put { .. } | Operation::Get { .. } | Operation::Fence { .. } => {
                    return None;
                }
                Operation::Collective { call, .. } => {
                    sum += sends(self.ongoing(call)?.steps, &mut steps)?;
                }
                _ => {}
            }
        }
    }
}

/// Messages that a rank sends in what is left of a collective.
fn sends(mut steps: Collective, most: &mut u64) -> Option<u64> {
    let mut sum = 0;
    loop {
        *most = most.checked_sub(1)?;
        match steps.advance() {
            Primitive::Done => return Some(sum),
            Primitive::Send { .. } => sum += 1,
            _ => {}
        }
    }
}
