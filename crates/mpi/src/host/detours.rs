//! Where detours come from.

use std::sync::Arc;

use super::law::Distribution;
use super::recording::Recording;

/// Where detours of the operating system come from.
#[derive(Clone, Debug)]
pub enum Detours {
    /// Times between two detours, and their lengths, both in ps.
    Drawn {
        /// From the end of one to the beginning of the next.
        gap: Distribution,
        /// How long each takes.
        length: Distribution,
    },
    /// A recording, of which every CPU has a part of its own.
    Recorded(Arc<Recording>),
}
