//! Work without end: programs that never wait, and systems that no memory holds.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::support::{
    Traces, US, config, dragonfly, fingerprint, floats, inputs, job, number, open_loop, outcome,
    text, whole,
};
use odonata_sim::{Config, Control, Interrupt, Outcome, check, run_alone};
use odonata_units::Instant;
use serde_json::{Value, json};

const SYSTEM: (u32, u32, u32, u32) = (2, 2, 1, 3);

/// One rank of every kind, which has nobody to wait for.
fn loners() -> Vec<Value> {
    let endless = 4_000_000_000_u64;
    vec![
        json!({"kind": "allreduce", "ranks": 1, "message": 8, "iterations": endless}),
        json!({"kind": "halo3d", "ranks": 1, "face": 8, "iterations": endless}),
        json!({"kind": "milc", "ranks": 1, "iterations": endless}),
        json!({"kind": "fft3d", "ranks": 1, "nx": 4, "ny": 4, "nz": 4, "iterations": endless}),
        json!({"kind": "uniform-random", "ranks": 1, "message": 8, "iterations": endless}),
    ]
}

#[test]
fn who_never_waits_obeys_the_time_limit() {
    for preset in ["firefly-kang2022", "codes", "ideal"] {
        let mut system = dragonfly(SYSTEM, "voq");
        system["mpi"] = json!({ "preset": preset });
        for workload in loners() {
            let jobs = [job("alone", "contiguous", workload)];
            let mut config = config(&system, "minimal", &jobs, None);
            config.stop.time_ps = 100 * US;
            let outcome = outcome(&config, &Traces::new(), 2);
            assert_eq!(text(&outcome, "/stop"), "time-limit");
            assert!(number(&outcome, "/simulated_ns") >= 100_000.0);
        }
    }
}

/// Interrupts ranks from the start, and the run after its first epoch.
#[derive(Default)]
struct AtOnce {
    interrupt: Interrupt,
    begun: AtomicBool,
}

impl Control for AtOnce {
    fn progress(&self, _: Instant, _: u64, _: f64) {
        self.begun.store(true, Ordering::Relaxed);
    }

    fn interrupted(&self) -> bool {
        self.begun.load(Ordering::Relaxed)
    }

    fn interrupt(&self) -> Interrupt {
        self.interrupt.clone()
    }
}

/// An epoch of 64 ms is not waited for, though a call costs a picosecond.
#[test]
fn who_never_waits_can_be_interrupted() {
    let mut system = dragonfly(SYSTEM, "voq");
    for kind in ["host", "local", "global"] {
        system["links"][kind]["latency_ps"] = json!(2_000 * US);
    }
    system["mpi"] = json!({"preset": "ideal", "call_enter": 1});
    for workload in loners() {
        let jobs = [job("alone", "contiguous", workload)];
        let config = config(&system, "minimal", &jobs, None);
        let control = AtOnce::default();
        control.interrupt.raise();
        let outcome = run_alone(&config, &inputs(&Traces::new()), 1, &control);
        let stop = outcome.map(|outcome| text(&outcome, "/stop").to_owned());
        assert_eq!(stop, Ok("interrupted".to_owned()));
    }
}

#[test]
fn what_is_interrupted_before_it_begins_keeps_nothing() {
    let jobs = [open_loop("uniform", 0.1, 512, "fixed")];
    let measure = Some((0, US, US));
    let config = config(&dragonfly(SYSTEM, "voq"), "minimal", &jobs, measure);
    let control = AtOnce::default();
    control.begun.store(true, Ordering::Relaxed);
    let error = run_alone(&config, &inputs(&Traces::new()), 1, &control).map(|_| ());
    assert!(error.is_err_and(|error| error.message.contains("interrupted")));
}

fn notes(outcome: &Outcome) -> Vec<String> {
    let notes = outcome.summary.pointer("/notes").and_then(Value::as_array);
    let notes = notes.map_or(&[][..], Vec::as_slice);
    notes.iter().map(ToString::to_string).collect()
}

#[test]
fn more_iterations_than_are_kept_are_thinned_with_a_note() {
    let workload = json!({"kind": "allreduce", "ranks": 7, "message": 100, "iterations": 300});
    let jobs = [job("a", "contiguous", workload)];
    let mut config = config(&dragonfly(SYSTEM, "voq"), "minimal", &jobs, None);
    config.telemetry.iteration_records = 7 * 300;
    let all = outcome(&config, &Traces::new(), 1);
    assert_eq!(notes(&all), Vec::<String>::new());
    config.telemetry.iteration_records = 100;
    let some = outcome(&config, &Traces::new(), 1);
    let said = notes(&some);
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].contains("one of every 32 iterations"), "{said:?}");
    // 14 of each of 7 ranks fit: 10 of 300 are kept, and they are those of the whole table.
    let numbers: Vec<u64> = (0..300).step_by(32).collect();
    assert_eq!(whole(&some, "iterations", "iteration"), numbers.repeat(7));
    let times = floats(&all, "iterations", "comm_time_ns");
    let kept = (0..7_usize).flat_map(|rank| (0..300).step_by(32).map(move |i| rank * 300 + i));
    let expected: Vec<f64> = kept.map(|row| times[row]).collect();
    assert_eq!(floats(&some, "iterations", "comm_time_ns"), expected);
    // Nothing else has moved.
    assert_eq!(some.summary.pointer("/jobs"), all.summary.pointer("/jobs"));
    let other = |outcome: &Outcome| -> Vec<_> {
        let others = outcome.tables.iter().filter(|one| one.name != "iterations");
        others.map(|one| format!("{one:?}")).collect()
    };
    assert_eq!(other(&some), other(&all));
    let three = outcome(&config, &Traces::new(), 3);
    assert!(fingerprint(&some) == fingerprint(&three), "on 3 threads");
}

fn refusal(config: &Config, memory_bytes: u64) -> String {
    let mut inputs = inputs(&Traces::new());
    inputs.memory_bytes = Some(memory_bytes);
    let refused = check(config, &inputs).map(|_| ());
    let also = run_alone(config, &inputs, 1, &crate::support::Unattended).map(|_| ());
    assert_eq!(refused, also, "`check` says what `run` says");
    refused.map_or_else(
        |error| format!("{}: {}", error.path, error.message),
        |()| String::new(),
    )
}

/// None of these is built: that would take gigabytes to terabytes.
#[test]
fn what_does_not_fit_into_memory_is_refused_with_numbers() {
    let jobs = [open_loop("uniform", 0.1, 512, "fixed")];
    let measure = Some((0, US, US));
    let gigabyte = 1_000_000_000;
    let large = |letters| config(&dragonfly(letters, "voq"), "minimal", &jobs, measure);
    let found = refusal(&large((1, 200, 50, 9_999)), 16 * gigabyte);
    assert!(
        found.starts_with("system.topology: this needs about "),
        "{found}"
    );
    assert!(
        found.contains("MB of memory and 16000 MB are free"),
        "{found}"
    );
    let mut many = large((1, 1, 0, 1));
    many.system.topology = topology(&json!({
        "kind": "megafly", "groups": 2_000, "leaf_routers_per_group": 100,
        "spine_routers_per_group": 100, "nodes_per_leaf": 100, "links_per_group_pair": 1,
    }));
    // Over a limit of the program: no memory helps.
    let found = refusal(&many, u64::MAX);
    let expected =
        "system.topology: nodes: 20000000 is more than the 16777216 that can be numbered";
    assert_eq!(found, expected);
    // A system that fits, and a job that does not.
    let workload = json!({"kind": "allreduce", "ranks": 400, "message": 8});
    let system = dragonfly((4, 8, 4, 33), "voq");
    let jobs = [job("a", "contiguous", workload)];
    let whole = config(&system, "minimal", &jobs, None);
    assert_eq!(refusal(&whole, gigabyte), "");
    assert!(refusal(&whole, 1_000_000).contains("needs about"));
}

fn topology(value: &Value) -> odonata_sim::config::TopologyChoice {
    match serde_json::from_value(value.clone()) {
        Ok(choice) => choice,
        Err(error) => unreachable!("complete: {error}"),
    }
}
