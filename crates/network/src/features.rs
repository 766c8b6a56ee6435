//! What a network has beyond one class of one-way packets in `voq` routers, known to the compiler.
//!
//! The hot loop is compiled once per combination of [`Features`]; nothing else decides what is
//! compiled in. A constant says that a network of the combination *may* have something; whether
//! this one does is a field of [`Equipment`], which can be read only together with its constant.

use odonata_routing::{Responses, Routing};

use crate::parameters::{Architecture, CreditReturn, Parameters};

/// A combination of features.
pub(crate) trait Features: Send + 'static {
    /// Input FIFOs and a crossbar (`cioq`).
    const CROSSBAR: bool;
    /// Several traffic classes.
    const CLASSES: bool;
    /// Packets are answered, or their number is limited.
    const RESPONSES: bool;
    /// Routing learns from feedback.
    const LEARNING: bool;
    /// A slot downstream is reserved before a packet starts.
    const RESERVATION: bool;
}

/// None of them.
#[derive(Debug)]
pub(crate) struct Plain;

impl Features for Plain {
    const CROSSBAR: bool = false;
    const CLASSES: bool = false;
    const RESPONSES: bool = false;
    const LEARNING: bool = false;
    const RESERVATION: bool = false;
}

/// A crossbar, nothing else.
#[derive(Debug)]
pub(crate) struct WithCrossbar;

impl Features for WithCrossbar {
    const CROSSBAR: bool = true;
    const CLASSES: bool = false;
    const RESPONSES: bool = false;
    const LEARNING: bool = false;
    const RESERVATION: bool = false;
}

/// Several traffic classes, nothing else.
#[derive(Debug)]
pub(crate) struct WithClasses;

impl Features for WithClasses {
    const CROSSBAR: bool = false;
    const CLASSES: bool = true;
    const RESPONSES: bool = false;
    const LEARNING: bool = false;
    const RESERVATION: bool = false;
}

/// A routing that learns, nothing else.
#[derive(Debug)]
pub(crate) struct WithLearning;

impl Features for WithLearning {
    const CROSSBAR: bool = false;
    const CLASSES: bool = false;
    const RESPONSES: bool = false;
    const LEARNING: bool = true;
    const RESERVATION: bool = false;
}

/// Answered packets, or a limit of their number, nothing else: what a NIC of Aries does.
#[derive(Debug)]
pub(crate) struct WithResponses;

impl Features for WithResponses {
    const CROSSBAR: bool = false;
    const CLASSES: bool = false;
    const RESPONSES: bool = true;
    const LEARNING: bool = false;
    const RESERVATION: bool = false;
}

/// Everything there is.
#[derive(Debug)]
pub(crate) struct Full;

impl Features for Full {
    const CROSSBAR: bool = true;
    const CLASSES: bool = true;
    const RESPONSES: bool = true;
    const LEARNING: bool = true;
    const RESERVATION: bool = true;
}

/// The combination a network is simulated by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Combination {
    /// [`Plain`].
    Plain,
    /// [`WithCrossbar`].
    WithCrossbar,
    /// [`WithClasses`].
    WithClasses,
    /// [`WithLearning`].
    WithLearning,
    /// [`WithResponses`].
    WithResponses,
    /// [`Full`].
    Full,
}

/// What one network has.
#[derive(Clone, Copy, Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent properties of a network"
)]
pub(crate) struct Equipment {
    has_crossbar: bool,
    learns: bool,
    reserves: bool,
    has_responses: bool,
    has_data: bool,
    outstanding: u32,
    classes: usize,
}

impl Equipment {
    pub(crate) fn new(parameters: &Parameters, routing: &Routing) -> Self {
        Self {
            has_crossbar: parameters.architecture == Architecture::Cioq,
            learns: routing.learns(),
            reserves: parameters.credit_return == CreditReturn::Reservation,
            has_responses: parameters.response_bytes > 0,
            has_data: parameters.responses() == Responses::Data,
            outstanding: parameters.outstanding,
            classes: usize::from(parameters.qos.classes),
        }
    }

    /// The least combination that has all of it.
    pub(crate) const fn combination(&self) -> Combination {
        let responds = self.has_responses || self.outstanding > 0;
        let features = (self.has_crossbar, self.classes > 1, responds, self.learns);
        match (features, self.reserves) {
            ((false, false, false, false), false) => Combination::Plain,
            ((true, false, false, false), false) => Combination::WithCrossbar,
            ((false, true, false, false), false) => Combination::WithClasses,
            ((false, false, true, false), false) => Combination::WithResponses,
            ((false, false, false, true), false) => Combination::WithLearning,
            _ => Combination::Full,
        }
    }

    #[inline(always)]
    pub(crate) const fn has_crossbar<F: Features>(&self) -> bool {
        F::CROSSBAR && self.has_crossbar
    }

    #[inline(always)]
    pub(crate) const fn learns<F: Features>(&self) -> bool {
        F::LEARNING && self.learns
    }

    #[inline(always)]
    pub(crate) const fn reserves<F: Features>(&self) -> bool {
        F::RESERVATION && self.reserves
    }

    #[inline(always)]
    pub(crate) const fn has_responses<F: Features>(&self) -> bool {
        F::RESPONSES && self.has_responses
    }

    /// Whether the data of gets are responses.
    #[inline(always)]
    pub(crate) const fn has_data<F: Features>(&self) -> bool {
        F::RESPONSES && self.has_data
    }

    /// Requests of a NIC started and not answered at most, if there is a limit.
    #[inline(always)]
    pub(crate) const fn limit<F: Features>(&self) -> Option<u32> {
        if F::RESPONSES && self.outstanding > 0 {
            Some(self.outstanding)
        } else {
            None
        }
    }

    /// Traffic classes.
    #[inline(always)]
    pub(crate) const fn classes<F: Features>(&self) -> usize {
        if F::CLASSES { self.classes } else { 1 }
    }

    /// Virtual networks of a class: requests, and responses if there are any.
    #[inline(always)]
    pub(crate) const fn networks<F: Features>(&self) -> usize {
        if self.has_responses::<F>() { 2 } else { 1 }
    }

    /// Send queues of a NIC: one per class and virtual network.
    #[inline(always)]
    pub(crate) const fn send_queues<F: Features>(&self) -> usize {
        self.classes::<F>() * self.networks::<F>()
    }
}
