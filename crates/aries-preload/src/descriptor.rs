//! Posts of uGNI: which of them may be steered, and how modes are written there.

use odonata_policy::{Mode, Operation};

use crate::counts::LeftAlone;

/// Delivery modes that say no more than "adaptive": PERFORMANCE (the same as ADAPTIVE0), ADAPTIVE1,
/// 2, 3. With any other bit set the program asked for an order or a path, and gets it.
const ADAPTIVE: [u16; 4] = [0x00, 0x20, 0x40, 0x80];

/// The delivery mode of uGNI that stands for a routing mode.
#[must_use]
pub const fn delivery_mode(mode: Mode) -> u16 {
    match mode {
        Mode::Adaptive0 => 0x00,
        Mode::Adaptive1 => 0x20,
        Mode::Adaptive3 => 0x80,
    }
}

/// Operation of a post, by `type` and `dlvr_mode` of its descriptor, if it may be steered.
///
/// # Errors
///
/// The error is the reason for which it is left alone.
pub fn operation(kind: u32, delivery_mode: u16) -> Result<Operation, LeftAlone> {
    if !is_adaptive(delivery_mode) {
        return Err(LeftAlone::OtherMode);
    }
    match kind {
        // RDMA_PUT, FMA_PUT, FMA_PUT_W_SYNCFLAG.
        1 | 3 | 4 => Ok(Operation::Put),
        // RDMA_GET, FMA_GET, FMA_GET_W_FLAG.
        2 | 5 | 9 => Ok(Operation::Get),
        // Atomics, CQWRITE, collective engine.
        _ => Err(LeftAlone::OtherKind),
    }
}

/// Whether a program that set this mode leaves the path open.
pub(crate) fn is_adaptive(delivery_mode: u16) -> bool {
    ADAPTIVE.contains(&delivery_mode)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_puts_and_gets_that_say_adaptive_are_steered() {
        for mode in 0..=u16::MAX {
            let says_adaptive = matches!(mode, 0 | 0x20 | 0x40 | 0x80);
            for kind in 0..12 {
                let found = operation(kind, mode);
                let is_data = matches!(kind, 1..=5 | 9);
                assert_eq!(found.is_ok(), says_adaptive && is_data, "{kind} {mode:#x}");
            }
        }
        for mode in Mode::ALL {
            assert!(is_adaptive(delivery_mode(mode)));
        }
    }
}
