//! Congestion control at end points: notices, and what NICs heed of them.
//!
//! A [`Controller`] reads the state of its own NIC only. It learns of others by a [`Notice`], which
//! takes the latency of a path: what is simulated depends neither on windows nor on threads. The
//! model is `docs/model/congestion.md`.

pub(crate) mod abate;
pub(crate) mod nscc;
pub(crate) mod pace;
pub(crate) mod port_marks;
pub(crate) mod rccc;

use odonata_units::{Instant, NodeId, Record, Span, record};

use crate::model::index::LaneIndex;

/// A notice that a NIC gets about one target.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Notice {
    /// When the NIC learns of it.
    pub(crate) at: Instant,
    /// The node whose NIC gets it.
    pub(crate) node: NodeId,
    /// The node that it is about.
    pub(crate) target: NodeId,
    pub(crate) content: Content,
}

/// What a notice says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Content {
    /// How many send to the target.
    Sources {
        /// The sources of the target; 1: the NIC may send as it likes.
        degree: u32,
        /// How long nothing may be sent to the target.
        pause: Span,
    },
    /// A packet was delivered.
    Delivered {
        packet: PacketName,
        /// A queue that it came through was long.
        is_marked: bool,
    },
    /// So many bytes were delivered.
    Ejected { bytes: u16 },
    /// The NIC is to send no more than what is delivered; or that is over.
    Abate { begins: bool },
    /// The NIC that gets it is asked for credit for so many bytes in all.
    Demand { bytes: u64 },
    /// The NIC gets credit for so many bytes more.
    Credit { bytes: u64 },
}

/// A packet among those of its NIC.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PacketName {
    pub(crate) lane: u8,
    pub(crate) sequence: u32,
}

impl PacketName {
    #[expect(clippy::cast_possible_truncation, reason = "at most 16 lanes")]
    pub(crate) const fn new(lane: LaneIndex, sequence: u32) -> Self {
        Self {
            lane: lane.index() as u8,
            sequence,
        }
    }
}

/// A packet of a message that starts at its NIC.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sent {
    pub(crate) target: NodeId,
    pub(crate) at: Instant,
    /// The time that it takes on the channel.
    pub(crate) wire: Span,
    pub(crate) bytes: u16,
    pub(crate) name: PacketName,
}

record!(Notice {
    at,
    node,
    target,
    content,
});
record!(PacketName { lane, sequence });

impl Record for Content {
    fn write(&self, out: &mut Vec<u8>) {
        match self {
            Self::Sources { degree, pause } => {
                0_u8.write(out);
                degree.write(out);
                pause.write(out);
            }
            Self::Delivered { packet, is_marked } => {
                1_u8.write(out);
                packet.write(out);
                is_marked.write(out);
            }
            Self::Ejected { bytes } => {
                2_u8.write(out);
                bytes.write(out);
            }
            Self::Abate { begins } => {
                3_u8.write(out);
                begins.write(out);
            }
            Self::Demand { bytes } => {
                4_u8.write(out);
                bytes.write(out);
            }
            Self::Credit { bytes } => {
                5_u8.write(out);
                bytes.write(out);
            }
        }
    }

    fn read(bytes: &mut &[u8]) -> Option<Self> {
        Some(match u8::read(bytes)? {
            0 => Self::Sources {
                degree: Record::read(bytes)?,
                pause: Record::read(bytes)?,
            },
            1 => Self::Delivered {
                packet: Record::read(bytes)?,
                is_marked: Record::read(bytes)?,
            },
            2 => Self::Ejected {
                bytes: Record::read(bytes)?,
            },
            3 => Self::Abate {
                begins: Record::read(bytes)?,
            },
            4 => Self::Demand {
                bytes: Record::read(bytes)?,
            },
            5 => Self::Credit {
                bytes: Record::read(bytes)?,
            },
            _ => return None,
        })
    }
}

/// Controls what one NIC sends, by what that NIC knows.
pub(crate) trait Controller {
    /// Whether no flow is held back.
    fn is_idle(&self) -> bool;

    /// The instant from which on a packet of `bytes` to `target` may start, as far as is known;
    /// never if only a notice can let it.
    fn may_send_at(&self, target: NodeId, bytes: u32) -> Instant;

    /// A packet starts.
    fn sent(&mut self, packet: Sent);

    /// A notice arrives; false if it says nothing to this NIC.
    fn noticed(&mut self, notice: &Notice) -> bool;
}

#[cfg(test)]
mod tests {
    use super::{Content, Notice, PacketName};
    use odonata_units::{Instant, NodeId, Record, Span};

    #[test]
    fn a_notice_is_the_same_in_another_process() {
        let sources = Content::Sources {
            degree: 0x0102_0304,
            pause: Span::from_ps(0x0506_0708_090A),
        };
        let delivered = |is_marked| Content::Delivered {
            packet: PacketName {
                lane: 7,
                sequence: 0x0B0C_0D0E,
            },
            is_marked,
        };
        let ejected = Content::Ejected { bytes: 0x0F10 };
        let abate = |begins| Content::Abate { begins };
        let bytes = 0x2122_2324_2526;
        let all = [
            sources,
            delivered(false),
            delivered(true),
            ejected,
            abate(true),
            abate(false),
            Content::Demand { bytes },
            Content::Credit { bytes },
        ];
        for content in all {
            let notice = Notice {
                at: Instant::from_ps(0x1112_1314_1516),
                node: NodeId(17),
                target: NodeId(18),
                content,
            };
            let mut bytes = Vec::new();
            notice.write(&mut bytes);
            assert_eq!(Notice::read(&mut &*bytes), Some(notice));
            assert_eq!(Notice::read(&mut &bytes[..bytes.len() - 1]), None);
        }
    }
}
