//! The controller of a NIC, and the notices on their way to it.

use std::collections::VecDeque;

use odonata_endpoint::Message;
use odonata_routing::{Routing, Sprayer};
use odonata_units::{Instant, NodeId, Purpose, Stream};

use crate::model::packet::Packet;
use crate::rules::congestion::abate::Abated;
use crate::rules::congestion::nscc::Windows;
use crate::rules::congestion::pace::Source;
use crate::rules::congestion::rccc::{CreditNotice, Credits};
use crate::rules::congestion::{Content, Controller, Notice, Sent};
use crate::shared::all_groups::Shared;

/// A controller of any kind.
#[derive(Debug)]
enum AnyController {
    Pace(Source),
    Nscc(Box<Windows>),
    Abate(Box<Abated>),
}

impl AnyController {
    #[inline]
    fn get(&self) -> &dyn Controller {
        match self {
            Self::Pace(source) => source,
            Self::Nscc(windows) => windows.as_ref(),
            Self::Abate(abated) => abated.as_ref(),
        }
    }

    #[inline]
    fn get_mut(&mut self) -> &mut dyn Controller {
        match self {
            Self::Pace(source) => source,
            Self::Nscc(windows) => windows.as_mut(),
            Self::Abate(abated) => abated.as_mut(),
        }
    }
}

impl AnyController {
    /// The window to `target`, if NICs have windows.
    fn window_to(&self, target: NodeId, now: Instant) -> Option<u64> {
        match self {
            Self::Nscc(windows) => windows.window_to(target, now),
            Self::Pace(_) | Self::Abate(_) => None,
        }
    }
}

/// The controller of a NIC, and what is on its way to it.
#[derive(Debug)]
pub(crate) struct NicControl {
    controller: AnyController,
    /// Credit that targets give, if they do.
    credits: Option<Box<Credits>>,
    /// The paths that the NIC sprays over, if it does.
    sprayer: Option<Box<Sprayer>>,
    /// Notices on their way, by instant; of one instant, acknowledgements come first.
    pending: VecDeque<Notice>,
    /// When the last one arrived.
    last: Instant,
    /// Starts matter even while no flow is held back.
    heeds_starts: bool,
}

impl Default for NicControl {
    fn default() -> Self {
        Self::with(AnyController::Pace(Source::default()))
    }
}

impl NicControl {
    /// Control of the NIC of `node` in this network.
    pub(crate) fn new(shared: &Shared, node: NodeId) -> Self {
        let controller = match (shared.window_rules, shared.abate_rules) {
            (Some(rules), _) => AnyController::Nscc(Box::new(Windows::new(rules))),
            (_, Some(rules)) => AnyController::Abate(Box::new(Abated::new(rules))),
            _ => AnyController::Pace(Source::default()),
        };
        let credits = shared.credit_rules.map(Credits::new);
        let sprays = shared.window_rules.is_some() && shared.routing.sprays();
        let draws = Stream::new(shared.parameters.seed, Purpose::Path, node.0.into());
        Self {
            credits: credits.map(Box::new),
            sprayer: sprays.then(|| Box::new(Sprayer::new(draws))),
            heeds_starts: shared.window_rules.is_some(),
            ..Self::with(controller)
        }
    }

    const fn with(controller: AnyController) -> Self {
        Self {
            controller,
            credits: None,
            sprayer: None,
            pending: VecDeque::new(),
            last: Instant::ZERO,
            heeds_starts: false,
        }
    }

    /// Whether no notice has ever come to matter: everything may start.
    #[inline]
    pub(crate) fn is_idle(&self) -> bool {
        self.controller.get().is_idle() && self.credits.as_ref().is_none_or(|it| it.is_idle())
    }

    /// The instant until which a packet of `bytes` to `target` that is not a small one is held
    /// back.
    #[inline]
    pub(crate) fn held_until(&self, target: NodeId, bytes: u32) -> Instant {
        let controller = self.controller.get();
        let mut until = Instant::ZERO;
        if !controller.is_idle() {
            until = controller.may_send_at(target, bytes);
        }
        if let Some(credits) = &self.credits {
            until = until.max(credits.may_send_at(target, bytes));
        }
        until
    }

    /// When the last notice arrived.
    #[inline]
    pub(crate) const fn last(&self) -> Instant {
        self.last
    }

    /// Decides on the path of a packet that starts, if the NIC sprays.
    #[inline]
    pub(crate) fn choose_path(&mut self, routing: &Routing, packet: &mut Packet) {
        if let Some(sprayer) = &mut self.sprayer {
            let mut route = packet.route();
            sprayer.choose(routing, &mut route);
            packet.set_route(&route);
        }
    }

    /// A packet that is not a small one starts.
    #[inline]
    pub(crate) fn sent(&mut self, packet: Sent) {
        if self.heeds_starts || !self.controller.get().is_idle() {
            self.controller.get_mut().sent(packet);
        }
        if let Some(credits) = &mut self.credits {
            credits.window = self.controller.window_to(packet.target, packet.at);
            credits.sent(packet);
        }
    }

    /// So many bytes are handed over for `target` at `now`, and exist from `exists` on.
    pub(crate) fn hand_over(&mut self, handed: HandedOver) {
        if let Some(credits) = &mut self.credits {
            credits.window = self.controller.window_to(handed.target, handed.now);
            let at = handed.exists.max(handed.now);
            credits.hand_over(handed.target, handed.bytes, at);
        }
    }

    /// `notice` is on its way.
    pub(crate) fn expect(&mut self, notice: Notice) {
        let order = |notice: &Notice| {
            let is_acknowledgement = matches!(notice.content, Content::Delivered { .. });
            (notice.at, !is_acknowledgement)
        };
        // Few are later: those behind it are looked at, not those before.
        let later = self.pending.iter().rev();
        let later = later.take_while(|other| order(other) > order(&notice));
        let place = self.pending.len() - later.count();
        self.pending.insert(place, notice);
    }

    /// When the next notice arrives, or the NIC gives credit; never if nothing is on its way.
    #[inline]
    pub(crate) fn next_notice(&self) -> Instant {
        let notice = self.pending.front();
        let at = notice.map_or(Instant::NEVER, |notice| notice.at);
        match &self.credits {
            Some(credits) => at.min(credits.pull_at),
            None => at,
        }
    }

    /// Takes the next notice and returns it, or gives credit if that comes first.
    pub(crate) fn take_notice(&mut self, routing: &Routing) -> Option<Notice> {
        if let Some(credits) = &mut self.credits {
            let pull_at = credits.pull_at;
            let is_first = |notice: &Notice| notice.at > pull_at;
            if self.pending.front().is_none_or(is_first) {
                credits.pull(pull_at);
                return None;
            }
        }
        let notice = self.pending.pop_front()?;
        let mut frees = self.controller.get_mut().noticed(&notice);
        if let Some(credits) = &mut self.credits {
            credits.window = self.controller.window_to(notice.target, notice.at);
            frees |= credits.noticed(&notice);
        }
        if let Some(sprayer) = &mut self.sprayer
            && let Content::Delivered {
                is_marked, decided, ..
            } = notice.content
        {
            let packet = Packet::route_as_decided(notice.node, notice.target, decided);
            sprayer.acknowledged(routing, &packet, is_marked);
        }
        if frees {
            self.last = notice.at;
        }
        Some(notice)
    }

    /// Notices about credit that are to be sent to other NICs.
    pub(crate) fn credit_notices(&mut self) -> Option<&mut Vec<CreditNotice>> {
        let credits = self.credits.as_mut()?;
        Some(&mut credits.notices)
    }
}

/// A message handed over to a NIC.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HandedOver {
    pub(crate) target: NodeId,
    /// With the headers of its packets.
    pub(crate) bytes: u64,
    pub(crate) now: Instant,
    /// The instant of its creation.
    pub(crate) exists: Instant,
}

impl HandedOver {
    /// A message that is handed over at `now`.
    pub(crate) fn new(shared: &Shared, message: &Message, now: Instant, exists: Instant) -> Self {
        let headers =
            shared.packets_of(message.bytes, 1) * u64::from(shared.parameters.header_bytes);
        Self {
            target: message.target,
            bytes: message.bytes + headers,
            now,
            exists,
        }
    }
}
