//! Features of a network beyond one class of one-way packets in `voq` routers, known to the
//! compiler.
//!
//! The hot loop is compiled once per set of [`Features`]; nothing else decides what is compiled in.
//! A constant says that a network of the set *may* have something; whether this one does is a field
//! of [`Equipment`], which a [view](crate::shared::view::View) reads together with its constant.

use std::num::NonZeroU32;

use odonata_routing::{Responses, Routing};

use crate::model::parameters::{Architecture, Control, CreditReturn, Parameters};

/// Input FIFOs and a crossbar (`cioq`).
pub(crate) const CROSSBAR: u8 = 1 << 0;
/// Several traffic classes.
pub(crate) const CLASSES: u8 = 1 << 1;
/// Packets are answered, or their number is limited: Aries.
pub(crate) const RESPONSES: u8 = 1 << 2;
/// Routing learns from feedback.
pub(crate) const LEARNING: u8 = 1 << 3;
/// A slot downstream is reserved before a packet starts, as CODES does.
pub(crate) const RESERVATION: u8 = 1 << 4;
/// Routers send notices to NICs, which control congestion.
pub(crate) const NOTICES: u8 = 1 << 5;
/// Links go down, come back or lose lanes.
pub(crate) const CHANGES: u8 = 1 << 6;
/// Features of Slingshot.
pub(crate) const SLINGSHOT: u8 = CROSSBAR | NOTICES;
/// All features.
pub(crate) const ALL: u8 = (CHANGES << 1) - 1;
/// All features but links that change.
pub(crate) const UNCHANGING: u8 = ALL & !CHANGES;

/// The features that one copy of the hot loop is compiled with.
pub(crate) trait Features: Send + 'static {
    /// Their bits.
    const SET: u8;
    /// See [`CROSSBAR`].
    const CROSSBAR: bool = Self::SET & CROSSBAR != 0;
    /// See [`CLASSES`].
    const CLASSES: bool = Self::SET & CLASSES != 0;
    /// See [`RESPONSES`].
    const RESPONSES: bool = Self::SET & RESPONSES != 0;
    /// See [`LEARNING`].
    const LEARNING: bool = Self::SET & LEARNING != 0;
    /// See [`RESERVATION`].
    const RESERVATION: bool = Self::SET & RESERVATION != 0;
    /// See [`NOTICES`].
    const NOTICES: bool = Self::SET & NOTICES != 0;
    /// See [`CHANGES`].
    const CHANGES: bool = Self::SET & CHANGES != 0;
}

/// The features of `SET`, and no others.
#[derive(Debug)]
pub(crate) struct With<const SET: u8>;

impl<const SET: u8> Features for With<SET> {
    const SET: u8 = SET;
}

/// Equipment of one network.
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
    /// Control of congestion.
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

    /// The features that the network has.
    pub(crate) fn features(&self) -> u8 {
        let responds = self.has_responses || self.outstanding_limit.is_some();
        let bit = |has: bool, feature: u8| if has { feature } else { 0 };
        bit(self.has_crossbar, CROSSBAR)
            | bit(self.classes > 1, CLASSES)
            | bit(responds, RESPONSES)
            | bit(self.learns, LEARNING)
            | bit(self.reserves, RESERVATION)
            | bit(self.control.is_some(), NOTICES)
            | bit(self.changes, CHANGES)
    }
}
