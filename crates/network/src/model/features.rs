//! What a network has beyond one class of one-way packets in `voq` routers, known to the compiler.
//!
//! The hot loop is compiled once per combination of [`Features`]; nothing else decides what is
//! compiled in. A constant says that a network of the combination *may* have something; whether
//! this one does is a field of [`Equipment`], which a [view](crate::shared::view::View) reads together with
//! its constant.

use std::num::NonZeroU32;

use odonata_routing::{Responses, Routing};

use crate::model::parameters::{Architecture, Control, CreditReturn, Parameters};

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
    /// NICs are told how to send, by last hops or by acknowledgements.
    const NOTICES: bool;
    /// Links go down, come back or lose lanes.
    const CHANGES: bool;
}

/// A network with none of the features.
#[derive(Debug)]
pub(crate) struct Plain;

impl Features for Plain {
    const CROSSBAR: bool = false;
    const CLASSES: bool = false;
    const RESPONSES: bool = false;
    const LEARNING: bool = false;
    const RESERVATION: bool = false;
    const NOTICES: bool = false;
    const CHANGES: bool = false;
}

/// A network with a crossbar and nothing else.
#[derive(Debug)]
pub(crate) struct WithCrossbar;

impl Features for WithCrossbar {
    const CROSSBAR: bool = true;
    const CLASSES: bool = false;
    const RESPONSES: bool = false;
    const LEARNING: bool = false;
    const RESERVATION: bool = false;
    const NOTICES: bool = false;
    const CHANGES: bool = false;
}

/// A network with several traffic classes and nothing else.
#[derive(Debug)]
pub(crate) struct WithClasses;

impl Features for WithClasses {
    const CROSSBAR: bool = false;
    const CLASSES: bool = true;
    const RESPONSES: bool = false;
    const LEARNING: bool = false;
    const RESERVATION: bool = false;
    const NOTICES: bool = false;
    const CHANGES: bool = false;
}

/// A network whose routing learns, and nothing else.
#[derive(Debug)]
pub(crate) struct WithLearning;

impl Features for WithLearning {
    const CROSSBAR: bool = false;
    const CLASSES: bool = false;
    const RESPONSES: bool = false;
    const LEARNING: bool = true;
    const RESERVATION: bool = false;
    const NOTICES: bool = false;
    const CHANGES: bool = false;
}

/// A network whose packets are answered or limited in number, and nothing else: Aries.
#[derive(Debug)]
pub(crate) struct WithResponses;

impl Features for WithResponses {
    const CROSSBAR: bool = false;
    const CLASSES: bool = false;
    const RESPONSES: bool = true;
    const LEARNING: bool = false;
    const RESERVATION: bool = false;
    const NOTICES: bool = false;
    const CHANGES: bool = false;
}

/// A network that reserves slots downstream, and nothing else: those that are simulated as CODES
/// does.
#[derive(Debug)]
pub(crate) struct WithReservation;

impl Features for WithReservation {
    const CROSSBAR: bool = false;
    const CLASSES: bool = false;
    const RESPONSES: bool = false;
    const LEARNING: bool = false;
    const RESERVATION: bool = true;
    const NOTICES: bool = false;
    const CHANGES: bool = false;
}

/// A network whose NICs are told how to send, with a crossbar or without, and nothing else:
/// Slingshot.
#[derive(Debug)]
pub(crate) struct WithNotices;

impl Features for WithNotices {
    const CROSSBAR: bool = true;
    const CLASSES: bool = false;
    const RESPONSES: bool = false;
    const LEARNING: bool = false;
    const RESERVATION: bool = false;
    const NOTICES: bool = true;
    const CHANGES: bool = false;
}

/// All features but links that change.
#[derive(Debug)]
pub(crate) struct Full;

impl Features for Full {
    const CROSSBAR: bool = true;
    const CLASSES: bool = true;
    const RESPONSES: bool = true;
    const LEARNING: bool = true;
    const RESERVATION: bool = true;
    const NOTICES: bool = true;
    const CHANGES: bool = false;
}

/// All features at once.
#[derive(Debug)]
pub(crate) struct Changing;

impl Features for Changing {
    const CROSSBAR: bool = true;
    const CLASSES: bool = true;
    const RESPONSES: bool = true;
    const LEARNING: bool = true;
    const RESERVATION: bool = true;
    const NOTICES: bool = true;
    const CHANGES: bool = true;
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
    /// [`WithReservation`].
    WithReservation,
    /// [`WithNotices`].
    WithNotices,
    /// [`Full`].
    Full,
    /// [`Changing`].
    Changing,
}

/// What one network has.
#[derive(Clone, Copy, Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent properties of a network"
)]
pub(crate) struct Equipment {
    pub(crate) has_crossbar: bool,
    pub(crate) learns: bool,
    pub(crate) reserves: bool,
    pub(crate) has_responses: bool,
    pub(crate) has_data: bool,
    pub(crate) outstanding_limit: Option<NonZeroU32>,
    pub(crate) classes: u8,
    /// What routers and NICs do against congestion.
    pub(crate) control: Option<Control>,
    /// Links change.
    pub(crate) changes: bool,
}

impl Equipment {
    pub(crate) fn new(parameters: &Parameters, routing: &Routing) -> Self {
        Self {
            has_crossbar: parameters.architecture == Architecture::Cioq,
            learns: routing.learns(),
            reserves: parameters.credit_return == CreditReturn::Reservation,
            has_responses: parameters.response_bytes > 0,
            has_data: parameters.responses() == Responses::Data,
            outstanding_limit: NonZeroU32::new(parameters.outstanding),
            classes: parameters.qos.classes,
            control: parameters.control,
            changes: routing.changes().is_some(),
        }
    }

    /// The least combination that has all of it.
    pub(crate) const fn combination(&self) -> Combination {
        if self.changes {
            return Combination::Changing;
        }
        let responds = self.has_responses || self.outstanding_limit.is_some();
        let features = (self.has_crossbar, self.classes > 1, responds, self.learns);
        if self.control.is_some() {
            return match (features, self.reserves) {
                ((_, false, false, false), false) => Combination::WithNotices,
                _ => Combination::Full,
            };
        }
        match (features, self.reserves) {
            ((false, false, false, false), false) => Combination::Plain,
            ((true, false, false, false), false) => Combination::WithCrossbar,
            ((false, true, false, false), false) => Combination::WithClasses,
            ((false, false, true, false), false) => Combination::WithResponses,
            ((false, false, false, true), false) => Combination::WithLearning,
            ((false, false, false, false), true) => Combination::WithReservation,
            _ => Combination::Full,
        }
    }
}
