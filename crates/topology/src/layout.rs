//! Which port numbers are of which kind: the same ones on every router of a system.

use std::ops::Range;

use crate::channel::{LinkKind, PortIndex};

/// Host ports first, then local, row, column and global ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Layout {
    /// Per kind: one past its last port.
    ends: [u16; 5],
}

impl Layout {
    /// A layout with so many ports of each kind; `None` if they are more than `limit`.
    pub(crate) fn new(counts: [u64; 5], limit: u32) -> Option<Self> {
        let mut end = 0_u64;
        let mut ends = [0; 5];
        for (position, count) in ends.iter_mut().zip(counts) {
            end = end.saturating_add(count);
            if end > u64::from(limit) {
                return None;
            }
            *position = u16::try_from(end).ok()?;
        }
        Some(Self { ends })
    }

    /// Ports of a router.
    #[inline]
    pub(crate) const fn radix(&self) -> u16 {
        self.ends[4]
    }

    /// Host ports of a router.
    #[inline]
    pub(crate) const fn hosts(&self) -> u16 {
        self.ends[0]
    }

    /// The first port of `kind`.
    #[inline]
    pub(crate) const fn first(&self, kind: LinkKind) -> u16 {
        match kind {
            LinkKind::Host => 0,
            LinkKind::Local => self.ends[0],
            LinkKind::Row => self.ends[1],
            LinkKind::Column => self.ends[2],
            LinkKind::Global => self.ends[3],
        }
    }

    /// The ports of `kind`.
    #[inline]
    pub(crate) const fn ports(&self, kind: LinkKind) -> Range<u16> {
        self.first(kind)..self.ends[kind as usize]
    }

    /// The kind of `port`.
    #[inline]
    pub(crate) const fn kind(&self, port: PortIndex) -> LinkKind {
        let port = port.0;
        if port < self.ends[0] {
            LinkKind::Host
        } else if port < self.ends[1] {
            LinkKind::Local
        } else if port >= self.ends[3] {
            LinkKind::Global
        } else if port < self.ends[2] {
            LinkKind::Row
        } else {
            LinkKind::Column
        }
    }
}
