//! The counters of the policy, made from those of a Slingshot NIC.
//!
//! The names are those of Cassini's telemetry. The numbers by which `dom_ops` reads them are not in
//! public text: whoever runs the machine makes a file of names and numbers
//! (`docs/preload-slingshot.md`).

use odonata_interpose::ReadError;
use odonata_policy::{Counters, Units};

use crate::classes::COUNTED;

/// Buckets of the histogram of request-response latency.
const BUCKETS: usize = 32;
/// Blocks that count cycles in which congestion control holds packets back.
const BLOCKS: usize = 4;

/// Names of the counters that are read, with the number of each: `pct_req_rsp_latency_0` to `_31`.
pub const NAMES: [(&str, usize); 4] = [
    ("pct_req_rsp_latency_", BUCKETS),
    ("oxe_stall_fgfc_blk_", BLOCKS),
    ("hni_sts_tx_ok_octets", 0),
    ("hni_pkts_sent_by_tc_", COUNTED),
];

/// Names under which a file may give the four numbers of the policy themselves.
const DIRECT: [&str; 4] = ["flits", "stalled", "packets", "latency_us"];

/// Request flits of 64 B of payload (De Sensi et al. 2019, section 2.1): the flit of Eq. 2.
const FLITS: u64 = 5;
const FLIT_GROUP_BYTES: u64 = 64;

/// The buckets of the histogram of latency, which a NIC may have set up in another way.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Buckets {
    /// Nanoseconds in the middle of the first bucket.
    pub first_ns: f64,
    /// Quotient of the middles of two neighbours.
    pub ratio: f64,
}

impl Buckets {
    /// Middles of the buckets in whole nanoseconds, below 2^40 (18 minutes).
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "cut to a positive range first"
    )]
    fn middles_ns(self) -> [u64; BUCKETS] {
        let mut middle = self.first_ns;
        std::array::from_fn(|_| {
            let whole = middle.clamp(1.0, 1.1e12) as u64;
            middle *= self.ratio;
            whole
        })
    }
}

/// Which counters are read, and what is made of them.
#[derive(Clone, PartialEq, Debug)]
pub struct Counting {
    numbers: Numbers,
    /// Nanoseconds in the middle of each bucket.
    buckets: [u64; BUCKETS],
    /// Clock of the NIC.
    clock_ghz: f64,
}

#[derive(Clone, PartialEq, Debug)]
enum Numbers {
    /// These counters are the four numbers of the policy, in its units on Aries.
    Direct([u32; 4]),
    /// These are counters of Cassini; the counters of classes may be missing.
    Cassini {
        latency: [u32; BUCKETS],
        blocked: [u32; BLOCKS],
        octets: u32,
        classes: Option<[u32; COUNTED]>,
    },
}

impl Counting {
    /// Counts by the text of a file of lines `NAME NUMBER`, the buckets of latency, and the clock
    /// of the NIC in GHz.
    ///
    /// # Errors
    ///
    /// The error is a sentence on the first line that is wrong, or the first counter that is
    /// missing.
    pub fn new(text: &str, buckets: Buckets, clock_ghz: f64) -> Result<Self, String> {
        let known = read(text)?;
        let find = |name: &str| {
            let found = known.iter().find(|(known, _)| *known == name);
            found
                .map(|(_, number)| *number)
                .ok_or_else(|| format!("there is no counter {name}"))
        };
        let numbers = if known.iter().any(|(name, _)| DIRECT.contains(name)) {
            let mut four = [0; 4];
            for (number, name) in four.iter_mut().zip(DIRECT) {
                *number = find(name)?;
            }
            Numbers::Direct(four)
        } else {
            let latency = several(NAMES[0].0, &find)?;
            let blocked = several(NAMES[1].0, &find)?;
            Numbers::Cassini {
                latency,
                blocked,
                octets: find(NAMES[2].0)?,
                classes: several(NAMES[3].0, &find).ok(),
            }
        };
        Ok(Self {
            numbers,
            buckets: buckets.middles_ns(),
            clock_ghz,
        })
    }

    /// Units of what [`Counting::counters`] gives.
    #[must_use]
    pub fn units(&self) -> Units {
        match self.numbers {
            Numbers::Direct(_) => Units::ARIES,
            // Stalls in cycles, latency in nanoseconds.
            Numbers::Cassini { .. } => Units::new(1.0, self.clock_ghz),
        }
    }

    /// Counts of the NIC, where `read` gives the counter of a number.
    ///
    /// # Errors
    ///
    /// An error of `read` is passed on.
    pub fn counters(
        &self,
        mut read: impl FnMut(u32) -> Result<u64, ReadError>,
    ) -> Result<Counters, ReadError> {
        match &self.numbers {
            Numbers::Direct([flits, stalled, packets, latency]) => Ok(Counters {
                flits: read(*flits)?,
                stalled: read(*stalled)?,
                packets: read(*packets)?,
                latency: read(*latency)?,
            }),
            Numbers::Cassini {
                latency,
                blocked,
                octets,
                ..
            } => {
                let (mut packets, mut sum, mut stalled) = (0_u64, 0_u64, 0_u64);
                for (number, middle) in latency.iter().zip(self.buckets) {
                    let count = read(*number)?;
                    packets = packets.saturating_add(count);
                    sum = sum.saturating_add(count.saturating_mul(middle));
                }
                for number in blocked {
                    stalled = stalled.saturating_add(read(*number)?);
                }
                let octets = read(*octets)?;
                Ok(Counters {
                    flits: (octets / FLIT_GROUP_BYTES).saturating_mul(FLITS),
                    stalled,
                    packets,
                    latency: sum,
                })
            }
        }
    }

    /// Packets that left in each class; `None` if these counters are not known.
    ///
    /// # Errors
    ///
    /// An error of `read` is passed on.
    pub fn classes(
        &self,
        mut read: impl FnMut(u32) -> Result<u64, ReadError>,
    ) -> Result<Option<[u64; COUNTED]>, ReadError> {
        let Numbers::Cassini {
            classes: Some(numbers),
            ..
        } = &self.numbers
        else {
            return Ok(None);
        };
        let mut left = [0; COUNTED];
        for (left, number) in left.iter_mut().zip(numbers) {
            *left = read(*number)?;
        }
        Ok(Some(left))
    }
}

/// Reads the names and numbers of a file.
fn read(text: &str) -> Result<Vec<(&str, u32)>, String> {
    let mut known = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default();
        let mut words = line.split_whitespace();
        let (Some(name), number) = (words.next(), words.next()) else {
            continue;
        };
        let number = number.and_then(|number| number.parse().ok());
        let (Some(number), None) = (number, words.next()) else {
            return Err(format!(
                "line {}: `{}` is not NAME NUMBER",
                index + 1,
                line.trim()
            ));
        };
        known.push((name, number));
    }
    Ok(known)
}

fn several<const N: usize>(
    prefix: &str,
    find: &impl Fn(&str) -> Result<u32, String>,
) -> Result<[u32; N], String> {
    let mut numbers = [0; N];
    for (index, number) in numbers.iter_mut().enumerate() {
        *number = find(&format!("{prefix}{index}"))?;
    }
    Ok(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn buckets(first_ns: f64, ratio: f64) -> Buckets {
        Buckets { first_ns, ratio }
    }

    fn file() -> String {
        let mut text = "# of a test\n\n".to_owned();
        let mut number = 100;
        for (name, count) in NAMES {
            for index in 0..count.max(1) {
                let suffix = if count == 0 {
                    String::new()
                } else {
                    index.to_string()
                };
                text += &format!("{name}{suffix} {number} # {index}\n");
                number += 1;
            }
        }
        text
    }

    #[test]
    fn counters_are_summed_up() {
        let counting = Counting::new(&file(), buckets(100.0, 2.0), 1.5).unwrap();
        // 100 to 131: buckets; 132 to 135: blocked; 136: octets; 137 to 144: classes.
        let read = |number: u32| {
            Ok(match number {
                100 => 3,
                102 => 2,
                132 | 135 => 7,
                136 => 6_400,
                140 => 9,
                _ => 0,
            })
        };
        let found = counting.counters(read).unwrap();
        assert_eq!(
            found,
            Counters {
                flits: 500,
                stalled: 14,
                packets: 5,
                latency: 3 * 100 + 2 * 400
            }
        );
        assert_eq!(
            counting.classes(read).unwrap(),
            Some([0, 0, 0, 9, 0, 0, 0, 0])
        );
        assert_eq!(counting.units(), Units::new(1.0, 1.5));
    }

    #[test]
    fn any_counters_and_buckets_are_summed_without_a_fault() {
        for (first_ns, ratio) in [(1e300, 1e300), (f64::NAN, 0.0), (-1.0, -1.0), (0.0, 1e9)] {
            let counting = Counting::new(&file(), buckets(first_ns, ratio), f64::NAN).unwrap();
            assert!(counting.counters(|_| Ok(u64::MAX)).is_ok());
        }
    }

    #[test]
    fn the_four_numbers_may_be_given_directly() {
        let text = "flits 1\nstalled 2\npackets 3\nlatency_us 4";
        let counting = Counting::new(text, buckets(1.0, 1.0), 1.0).unwrap();
        let found = counting
            .counters(|number| Ok(u64::from(number) * 10))
            .unwrap();
        assert_eq!((found.flits, found.latency), (10, 40));
        assert_eq!(counting.classes(|_| Ok(0)).unwrap(), None);
        assert_eq!(counting.units(), Units::ARIES);
    }

    #[test]
    fn what_is_wrong_or_missing_is_said() {
        let said = |text: &str| Counting::new(text, buckets(1.0, 1.0), 1.0).unwrap_err();
        assert_eq!(said(""), "there is no counter pct_req_rsp_latency_0");
        assert_eq!(
            said("flits 1\nstalled 2\npackets 3"),
            "there is no counter latency_us"
        );
        assert_eq!(said("a 1\nb\n"), "line 2: `b` is not NAME NUMBER");
        assert_eq!(said("a 1 2"), "line 1: `a 1 2` is not NAME NUMBER");
        assert_eq!(said("a -1"), "line 1: `a -1` is not NAME NUMBER");
        let without = file().replace("hni_pkts_sent_by_tc_7", "other");
        let counting = Counting::new(&without, buckets(1.0, 1.0), 1.0).unwrap();
        assert_eq!(counting.classes(|_| Ok(0)).unwrap(), None);
    }

    #[test]
    fn a_counter_that_cannot_be_read_is_passed_on() {
        let counting = Counting::new(&file(), buckets(1.0, 1.0), 1.0).unwrap();
        let read = |_| Err(ReadError::Failed);
        assert_eq!(counting.counters(read), Err(ReadError::Failed));
        assert_eq!(counting.classes(read), Err(ReadError::Failed));
    }
}
