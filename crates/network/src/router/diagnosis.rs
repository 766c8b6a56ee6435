//! The cycle of buffers that wait for each other in a network that does not move.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use borsh::{BorshDeserialize, BorshSerialize};
use odonata_topology::{Attachment, LinkKind, PortIndex};
use odonata_units::RouterId;

use crate::model::packet::Packet;
use crate::model::parameters::Architecture;
use crate::router::state::Router;
use crate::shared::all_groups::Shared;

/// A virtual channel of a link whose buffer at the far end is full, and that holds up packets.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Wait {
    /// Router whose packets wait.
    pub router: RouterId,
    /// Output port they wait for.
    pub port: PortIndex,
    /// Virtual channel without credits.
    pub vc: u8,
    /// Packets waiting here.
    pub packets: u32,
}

impl fmt::Display for Wait {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "router {}, output port {}, VC {}: {} packets wait for credits",
            self.router.0, self.port.0, self.vc, self.packets
        )
    }
}

/// A virtual channel of the link that leaves a port.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, BorshSerialize, BorshDeserialize)]
struct VirtualChannel {
    router: RouterId,
    port: u16,
    vc: u8,
}
/// A channel that packets wait for.
#[derive(Clone, Debug, BorshSerialize, BorshDeserialize)]
pub(crate) struct Waiting {
    channel: VirtualChannel,
    /// The channels whose buffers these packets hold.
    came_over: Vec<VirtualChannel>,
    /// How many wait in its queue.
    packets: u32,
}
/// Finds a cycle among blocked channels.
///
/// Channel A waits for channel B if packets that came in over A (and so hold A's buffer) wait for
/// B's credits. It suffices to follow, from a blocked channel, any blocked channel at its far end.
pub(crate) fn waiting_cycle<'a>(waiting: impl Iterator<Item = &'a Waiting>) -> Vec<Wait> {
    let mut waits: BTreeMap<VirtualChannel, Wait> = BTreeMap::new();
    let mut follows: BTreeMap<VirtualChannel, Vec<VirtualChannel>> = BTreeMap::new();
    for one in waiting {
        let VirtualChannel { router, port, vc } = one.channel;
        let wait = Wait {
            router,
            port: PortIndex(port),
            vc,
            packets: one.packets,
        };
        waits.entry(one.channel).or_insert(wait);
        for other in &one.came_over {
            follows.entry(*other).or_default().push(one.channel);
        }
    }
    follows.retain(|channel, _| waits.contains_key(channel));
    let cycle = find_cycle(&follows);
    cycle
        .iter()
        .filter_map(|channel| waits.get(channel).copied())
        .collect()
}

/// Waits of the packets of `routers`.
pub(crate) fn waiting<'a>(
    shared: &Shared,
    routers: impl Iterator<Item = &'a Router>,
) -> Vec<Waiting> {
    let mut all = Vec::new();
    for router in routers {
        router.each_waiting(shared, |channel, came_over, packets| {
            all.push(Waiting {
                channel,
                came_over: came_over.to_vec(),
                packets,
            });
        });
    }
    all
}

/// Depth-first search with an explicit stack: a cycle can pass through thousands of channels.
fn find_cycle(follows: &BTreeMap<VirtualChannel, Vec<VirtualChannel>>) -> Vec<VirtualChannel> {
    let mut done: BTreeSet<VirtualChannel> = BTreeSet::new();
    for start in follows.keys() {
        let mut path: Vec<(VirtualChannel, usize)> = vec![(*start, 0)];
        while let Some((channel, tried)) = path.last_mut() {
            let next = follows
                .get(channel)
                .and_then(|all| all.get(*tried))
                .copied();
            *tried += 1;
            let Some(next) = next else {
                done.insert(*channel);
                path.pop();
                continue;
            };
            if let Some(first) = path.iter().position(|(other, _)| *other == next) {
                return path[first..].iter().map(|(channel, _)| *channel).collect();
            }
            if !done.contains(&next) {
                path.push((next, 0));
            }
        }
    }
    Vec::new()
}

impl Router {
    /// Calls `each` for every channel that packets of this router wait for: the channel, the
    /// channels whose buffers these packets hold, and how many wait in its queue.
    #[expect(clippy::cast_possible_truncation, reason = "at most 32 VCs")]
    fn each_waiting(
        &self,
        shared: &Shared,
        mut each: impl FnMut(VirtualChannel, &[VirtualChannel], u32),
    ) {
        let ports = (0..).map(PortIndex).zip(&self.ports);
        for (port, output) in ports.filter(|(port, _)| !self.far_end(*port).is_node()) {
            for vc in (0..shared.vcs as u8).filter(|vc| output.waiting_vcs & (1 << vc) != 0) {
                let mut held = Vec::new();
                let mut packets = 0;
                self.each_queued(shared, port, vc, |packet| {
                    packets += 1;
                    if shared.parameters.architecture == Architecture::Voq {
                        held.extend(self.channel_into(shared, packet));
                    }
                });
                each(self.virtual_channel(port, vc), &held, packets);
            }
        }
        for head in self.crossbar.heads() {
            if shared.kinds[head.output.index()] == LinkKind::Host {
                continue;
            }
            let held = self.channel_into(shared, self.slab.get(head.index));
            if let Some(held) = held {
                each(self.virtual_channel(head.output, head.vc), &[held], 1);
            }
        }
    }

    const fn virtual_channel(&self, port: PortIndex, vc: u8) -> VirtualChannel {
        VirtualChannel {
            router: self.id,
            port: port.0,
            vc,
        }
    }

    /// The channel that `packet` came over; `None` from a node.
    fn channel_into(&self, shared: &Shared, packet: &Packet) -> Option<VirtualChannel> {
        let port = packet.in_port();
        match shared.topology.neighbour(self.id, port)? {
            Attachment::Router(router, port) => Some(VirtualChannel {
                router,
                port: port.0,
                vc: packet.vc,
            }),
            Attachment::Node(_) => None,
        }
    }
}
