//! Message sizes times a factor, as Wang et al. 2018 vary the intensity of communication.

use odonata_mpi::Operation;

use super::Iteration;
use crate::spec::{Parameter, Spec};

/// Parameter of every skeleton.
pub(crate) const SIZE_SCALE: Parameter = Parameter::number(
    "size_scale",
    1.0,
    "factor of the payload of every message; a payload of any size stays at least 1 B",
)
.within(0.01, 20.0)
.source("Wang et al. 2018, section IV-B: 1 % to 2,000 %")
.sparse();

/// A factor of payloads.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Scale(Option<f64>);

impl Scale {
    /// The factor that `spec` gives under `size_scale`.
    pub(crate) fn of(spec: &Spec<'_>) -> Self {
        let factor = spec.ratio("size_scale");
        Self((factor.to_bits() != 1.0_f64.to_bits()).then_some(factor))
    }

    /// `bytes` times the factor, rounded; nothing stays nothing, and "as large as it comes" too.
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "payloads are far below 2^53, and the cast saturates"
    )]
    fn bytes(self, bytes: u64) -> u64 {
        match self.0 {
            Some(factor) if bytes != 0 && bytes != u64::MAX => {
                ((bytes as f64 * factor).round() as u64).max(1)
            }
            _ => bytes,
        }
    }

    /// The operation with its payloads scaled.
    pub(crate) fn apply(self, mut operation: Operation) -> Operation {
        if self.0.is_none() {
            return operation;
        }
        match &mut operation {
            Operation::Send { bytes, .. }
            | Operation::Receive { bytes, .. }
            | Operation::Put { bytes, .. }
            | Operation::Get { bytes, .. } => *bytes = self.bytes(*bytes),
            Operation::Collective { call, .. } => {
                call.sizes.replace(|bytes| self.bytes(bytes));
                call.incoming.replace(|bytes| self.bytes(bytes));
            }
            _ => {}
        }
        operation
    }
}

/// Iterations with their payloads scaled.
pub(crate) struct Scaled<I> {
    body: I,
    scale: Scale,
}

impl<I> Scaled<I> {
    pub(crate) const fn new(body: I, scale: Scale) -> Self {
        Self { body, scale }
    }
}

impl<I: Iteration> Iteration for Scaled<I> {
    fn step(&mut self, iteration: u64, index: usize) -> Option<Operation> {
        let operation = self.body.step(iteration, index)?;
        Some(self.scale.apply(operation))
    }
}
