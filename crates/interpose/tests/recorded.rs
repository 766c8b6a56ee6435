//! The sequence of messages and counters that every user of the policy replays: a library decides
//! as the policy alone does, for one thread; and several threads do not wait for each other.

use std::sync::{Arc, Mutex};

use odonata_interpose::{
    CommonSettings, CounterSource, JsonObject, ProcessIdentity, ReadError, Steering,
};
use odonata_policy::{Counters, Message, Operation, Parameters, Policy, Units};

#[path = "../../policy/tests/support/recorded.rs"]
mod support;

/// Counters that someone else sets.
struct Shown(Arc<Mutex<Counters>>);

impl CounterSource for Shown {
    fn read(&mut self) -> Result<Counters, ReadError> {
        self.0
            .lock()
            .map(|shown| *shown)
            .map_err(|_| ReadError::Failed)
    }
}

#[test]
fn decisions_are_those_recorded() {
    for (parameters, is_recorded) in [(Parameters::PAPER, true), (Parameters::default(), false)] {
        let shown = Arc::new(Mutex::new(Counters::default()));
        let steering = Steering::new(
            CommonSettings {
                parameters,
                ..CommonSettings::default()
            },
            Units::ARIES,
            Some(Box::new(Shown(shown.clone()))),
        );
        let mut alone = Policy::new(parameters);
        alone.observe(&Counters::default(), Units::ARIES);
        for (number, recorded) in support::recorded().enumerate() {
            let verdict = steering.before(recorded.message).unwrap();
            let decision = alone.decide(recorded.message);
            assert_eq!(verdict.mode, decision.mode, "line {}", number + 2);
            if is_recorded {
                assert_eq!(verdict.mode.name(), recorded.mode, "line {}", number + 2);
            }
            *shown.lock().unwrap() = recorded.counters;
            assert!(!steering.after(verdict));
            if decision.reads_counters {
                alone.observe(&recorded.counters, Units::ARIES);
            }
        }
        assert!(alone.counts().changes > 0);
    }
}

/// Settings by which every decision is followed by a reading.
fn by_the_text() -> CommonSettings {
    CommonSettings {
        parameters: Parameters::PAPER,
        ..CommonSettings::default()
    }
}

/// Counters whose reading waits until someone lets it go.
struct Stuck(std::sync::mpsc::Receiver<()>, std::sync::mpsc::Sender<()>);

impl CounterSource for Stuck {
    fn read(&mut self) -> Result<Counters, ReadError> {
        let _ = self.1.send(());
        let _ = self.0.recv();
        Ok(Counters::default())
    }
}

#[test]
fn a_thread_that_reads_counters_keeps_nobody_waiting() {
    let (release, released) = std::sync::mpsc::channel();
    let (began, begun) = std::sync::mpsc::channel();
    release.send(()).unwrap(); // the reading when everything starts
    let source = Box::new(Stuck(released, began));
    let steering = Steering::new(by_the_text(), Units::ARIES, Some(source));
    begun.recv().unwrap();
    let message = Message {
        bytes: 65_536,
        operation: Operation::Put,
        alltoall: false,
    };
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let verdict = steering.before(message).unwrap();
            assert!(verdict.reads_counters);
            steering.after(verdict);
        });
        begun.recv().unwrap(); // it holds everything, and reads
        for _ in 0..1_000 {
            let verdict = steering.before(message).unwrap();
            assert_eq!(
                (verdict.mode.name(), verdict.reads_counters),
                ("adaptive-0", false)
            );
            steering.after(verdict);
        }
        assert!(steering.policy().is_none());
        release.send(()).unwrap();
    });
    let counts = steering.policy().unwrap().counts();
    assert_eq!((counts.decisions, counts.empty), (1, 1));
}

/// Counters that grow with every reading.
struct Growing(Counters);

impl CounterSource for Growing {
    fn read(&mut self) -> Result<Counters, ReadError> {
        self.0.flits += 5_120;
        self.0.packets += 1_024;
        self.0.latency += 2_048;
        Ok(self.0)
    }
}

#[test]
fn threads_that_decide_at_once_lose_no_message() {
    const THREADS: u64 = 8;
    const EACH: u64 = 20_000;
    let source = Box::new(Growing(Counters::default()));
    let steering = Steering::new(CommonSettings::default(), Units::ARIES, Some(source));
    let message = Message {
        bytes: 5_000,
        operation: Operation::Put,
        alltoall: false,
    };
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                for _ in 0..EACH {
                    let verdict = steering.before(message).unwrap();
                    steering.after(verdict);
                }
            });
        }
    });
    let mut object = JsonObject::new("libx", &ProcessIdentity::default(), None);
    object.describe(&steering);
    let text = object.finish();
    let number = |key: &str| -> u64 {
        let rest = text.split(&format!("\"{key}\": ")).nth(1).unwrap();
        rest.split([',', '}']).next().unwrap().parse().unwrap()
    };
    // Every message was decided or took the last mode, and none is counted twice.
    let modes = text
        .split("\"messages\": {")
        .nth(1)
        .unwrap()
        .split('}')
        .next()
        .unwrap();
    let messages: u64 = modes
        .split(',')
        .map(|item| item.split(": ").nth(1).unwrap().parse::<u64>().unwrap())
        .sum();
    assert_eq!(messages, THREADS * EACH);
    assert!(number("decisions") + number("contended") >= THREADS * EACH);
    assert!(number("counter_reads") <= number("decisions"));
}
