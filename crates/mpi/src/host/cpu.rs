//! One CPU, which is away now and then.

use std::sync::Arc;

use odonata_units::{Instant, Purpose, Span, Stream};

use super::detours::Detours;
use super::law::{Distribution, Law, whole};
use super::recording::Recording;

/// The detours of one source, one after the other: the CPU is away from `begin` to `end`, half
/// open.
#[derive(Debug)]
struct Source {
    kind: Kind,
    begin: u64,
    end: u64,
}

#[derive(Debug)]
enum Kind {
    Drawn {
        gap: Distribution,
        length: Distribution,
        stream: Stream,
    },
    Recorded {
        recording: Arc<Recording>,
        next: usize,
        /// Where in the recording time 0 is.
        offset: u64,
    },
}

impl Source {
    /// A source whose first detour is known.
    fn new(detours: &Detours, mut stream: Stream) -> Self {
        match detours {
            Detours::Drawn { gap, length } => {
                // CPUs do not tick in step.
                let first = match gap.law {
                    Law::Fixed => gap.draw(&mut stream) * stream.unit(),
                    _ => gap.draw(&mut stream),
                };
                let begin = whole(first);
                let end = begin.saturating_add(whole(length.draw(&mut stream)));
                let kind = Kind::Drawn {
                    gap: *gap,
                    length: *length,
                    stream,
                };
                Self { kind, begin, end }
            }
            Detours::Recorded(recording) => {
                let offset = (u128::from(stream.next_u64()) * u128::from(recording.length())) >> 64;
                let offset = u64::try_from(offset).unwrap_or(0);
                let kind = Kind::Recorded {
                    recording: Arc::clone(recording),
                    next: recording.first_behind(offset),
                    offset,
                };
                let mut source = Self {
                    kind,
                    begin: 0,
                    end: 0,
                };
                source.advance();
                source
            }
        }
    }

    /// Goes on to the next detour.
    fn advance(&mut self) {
        match &mut self.kind {
            Kind::Drawn {
                gap,
                length,
                stream,
            } => {
                // Time passes between two detours, however short the law makes it.
                let until = whole(gap.draw(stream)).max(LEAST_GAP);
                self.begin = self.end.saturating_add(until);
                self.end = self.begin.saturating_add(whole(length.draw(stream)));
            }
            Kind::Recorded {
                recording,
                next,
                offset,
            } => {
                let (begin, end) = recording.detour(*next);
                *next += 1;
                self.begin = begin.saturating_sub(*offset);
                self.end = end.saturating_sub(*offset);
            }
        }
    }
}

/// Least time between two detours of a source, ps.
const LEAST_GAP: u64 = 1_000;

/// A CPU; asked about times that do not fall.
#[derive(Debug)]
pub(super) struct Cpu {
    sources: Vec<Source>,
}

impl Cpu {
    /// The CPU whose draws all come from `root`.
    pub(super) fn new(detours: &[Detours], mut root: Stream) -> Self {
        let sources = detours.iter().zip(0..).map(|(one, number)| {
            let stream = Stream::new(root.next_u64(), Purpose::Host, number);
            Source::new(one, stream)
        });
        Self {
            sources: sources.collect(),
        }
    }

    /// When `work` that begins at `now` is done: the CPU has been there for so long, and is there.
    pub(super) fn end_of_work(&mut self, now: Instant, work: Span) -> Instant {
        let (mut at, mut left) = (now.ps(), work.ps());
        loop {
            let mut first = (u64::MAX, u64::MAX);
            for source in &mut self.sources {
                while source.end <= at && source.end < u64::MAX {
                    source.advance();
                }
                first = first.min((source.begin, source.end));
            }
            let (begin, end) = first;
            if begin > at {
                if begin - at > left {
                    return Instant::from_ps(at.saturating_add(left));
                }
                left -= begin - at;
            }
            if end == u64::MAX {
                return Instant::NEVER;
            }
            at = end;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All detours of the CPU until `until`, from the laws alone, in order.
    fn listed(detours: &[Detours], mut root: Stream, until: u64) -> Vec<(u64, u64)> {
        let mut all = Vec::new();
        for (one, number) in detours.iter().zip(0..) {
            let mut stream = Stream::new(root.next_u64(), Purpose::Host, number);
            match one {
                Detours::Drawn { gap, length } => {
                    let share = |stream: &mut Stream| gap.mean * stream.unit();
                    let mut at = whole(match gap.law {
                        Law::Fixed => share(&mut stream),
                        _ => gap.draw(&mut stream),
                    });
                    while at < until {
                        let end = at + whole(length.draw(&mut stream));
                        all.push((at, end));
                        at = end + whole(gap.draw(&mut stream)).max(LEAST_GAP);
                    }
                }
                Detours::Recorded(recording) => {
                    let product = u128::from(stream.next_u64()) * u128::from(recording.length());
                    let offset = u64::try_from(product >> 64).unwrap();
                    for number in 0.. {
                        let (begin, end) = recording.detour(number);
                        if begin >= until + offset {
                            break;
                        }
                        if end > offset {
                            all.push((begin.saturating_sub(offset), end - offset));
                        }
                    }
                }
            }
        }
        all
    }

    /// The slow twin: walks through time picosecond by picosecond.
    fn by_walking(detours: &[(u64, u64)], now: u64, work: u64) -> u64 {
        let (mut at, mut left) = (now, work);
        loop {
            let is_away = detours.iter().any(|&(from, to)| from <= at && at < to);
            if !is_away {
                if left == 0 {
                    return at;
                }
                left -= 1;
            }
            at += 1;
        }
    }

    fn law(law: Law, mean: f64) -> Distribution {
        Distribution {
            law,
            mean,
            most: 9_000.0,
        }
    }

    #[test]
    fn work_ends_when_walking_says() {
        let recording = Recording::parse("10 40\n700 900\n1600 1\n2500\n").unwrap();
        let sources = [
            Detours::Drawn {
                gap: law(Law::Fixed, 3_000.0),
                length: law(Law::Exponential, 400.0),
            },
            Detours::Drawn {
                gap: law(Law::Pareto(1.5), 4_000.0),
                length: law(Law::Lognormal(1.2), 600.0),
            },
            Detours::Recorded(Arc::new(recording)),
        ];
        for (seed, chosen) in (0..60).zip([0..0, 0..1, 1..2, 2..3, 0..3].iter().cycle()) {
            let detours = &sources[chosen.clone()];
            let root = Stream::new(seed, Purpose::Host, 9);
            let known = listed(detours, root.clone(), 400_000);
            let mut cpu = Cpu::new(detours, root);
            let mut dice = Stream::new(seed, Purpose::Program, 1);
            let mut now = 0;
            while now < 60_000 {
                let work = u64::from(dice.below(3)) * u64::from(dice.below(2_000));
                let end = cpu.end_of_work(Instant::from_ps(now), Span::from_ps(work));
                assert_eq!(
                    end.ps(),
                    by_walking(&known, now, work),
                    "{seed}: {now} + {work}"
                );
                now = end.ps() + u64::from(dice.below(1_500));
            }
        }
    }

    #[test]
    fn cpus_have_detours_of_their_own() {
        let detours = [Detours::Drawn {
            gap: law(Law::Fixed, 5_000.0),
            length: law(Law::Fixed, 100.0),
        }];
        let begin = |seed| Cpu::new(&detours, Stream::new(seed, Purpose::Host, 1)).sources[0].begin;
        assert_ne!(begin(1), begin(2));
        assert_eq!(begin(3), begin(3));
    }
}
