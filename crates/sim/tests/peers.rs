//! Other simulators' numbers, under their own parameters.
//!
//! Every point is simulated as its peer did it and judged by its deviation. With `--nocapture` the
//! table is printed as Markdown; its rows are `docs/validation-peers.csv`.

#![expect(
    clippy::print_stdout,
    reason = "the table is what a reader of the test wants"
)]

use crate::support::{
    Measure, Traces, US, as_in_kang2022, booksim, codes, config, kang2022, number, open_loop,
    outcome, theta,
};
use odonata_sim::Outcome;
use serde_json::Value;

/// What of an outcome is compared.
#[derive(Clone, Copy)]
enum Quantity {
    /// Mean packet latency, ns.
    Latency,
    /// Accepted load.
    Accepted,
    /// Routers traversed by a packet, mean.
    Routers,
}

impl Quantity {
    const fn name(self) -> &'static str {
        match self {
            Self::Latency => "latency, ns",
            Self::Accepted => "accepted load",
            Self::Routers => "routers/packet",
        }
    }

    fn of(self, outcome: &Outcome) -> f64 {
        number(
            outcome,
            match self {
                Self::Latency => "/network/packet_latency_ns/mean",
                Self::Accepted => "/network/accepted_load",
                Self::Routers => "/network/hops_mean",
            },
        )
    }
}

/// Theirs, and how far off ours may be, per cent.
type Expected = (Quantity, f64, f64);

/// One run and what a peer has to say of it.
struct Point {
    name: String,
    outcome: Outcome,
    expected: Vec<Expected>,
}

fn simulate(system: &Value, routing: &str, traffic: Value, measure: Measure) -> Outcome {
    let config = config(system, routing, &[traffic], Some(measure));
    outcome(&config, &Traces::new(), 1)
}

/// Prints one row per number and fails if a deviation is beyond its tolerance.
fn judge(peer: &str, points: &[Point]) {
    let mut off = Vec::new();
    println!("| peer | point | quantity | theirs | ours | deviation | tolerance | verdict |");
    println!("|---|---|---|---|---|---|---|---|");
    for Point {
        name,
        outcome,
        expected,
    } in points
    {
        for (quantity, theirs, tolerance) in expected {
            let ours = quantity.of(outcome);
            let deviation = (ours / theirs - 1.0) * 100.0;
            let agrees = deviation.abs() <= *tolerance;
            let verdict = if agrees { "agrees" } else { "differs" };
            let digits = if *theirs > 20.0 { 1 } else { 4 };
            let what = quantity.name();
            println!(
                "| {peer} | {name} | {what} | {theirs:.digits$} | {ours:.digits$} | \
                 {deviation:+.2} % | {tolerance} % | {verdict} |"
            );
            if !agrees {
                off.push(format!("{name}, {what}: {ours} instead of {theirs}"));
            }
        }
    }
    assert!(off.is_empty(), "{peer}: {off:#?}");
}

/// `BookSim2`, configuration A: one packet of four flits per message, Bernoulli in each cycle.
#[test]
fn booksim_minimal() {
    use Quantity::{Accepted, Latency, Routers};
    let rows: [(f64, u64, Vec<Expected>); 5] = [
        (
            0.002,
            100,
            vec![(Latency, 127.59, 0.5), (Routers, 3.6932, 0.3)],
        ),
        (
            0.1,
            10,
            vec![
                (Latency, 128.4, 3.0),
                (Accepted, 0.1004, 1.0),
                (Routers, 3.693, 0.3),
            ],
        ),
        (
            0.3,
            10,
            vec![
                (Latency, 131.2, 3.0),
                (Accepted, 0.3, 1.0),
                (Routers, 3.697, 0.3),
            ],
        ),
        (
            0.5,
            8,
            vec![
                (Latency, 136.3, 3.0),
                (Accepted, 0.5005, 1.0),
                (Routers, 3.693, 0.3),
            ],
        ),
        (
            0.9,
            8,
            vec![
                (Latency, 210.0, 10.0),
                (Accepted, 0.8927, 1.0),
                (Routers, 3.693, 0.3),
            ],
        ),
    ];
    let points = rows.map(|(load, window, expected)| {
        let traffic = open_loop("uniform", load, 32, "bernoulli");
        let measure = (2 * US, window * US, 20 * US);
        let outcome = simulate(&booksim(), "minimal", traffic, measure);
        Point {
            name: format!("minimal, uniform, {load}"),
            outcome,
            expected,
        }
    });
    judge("BookSim2", &points);
}

#[test]
fn booksim_adversarial_and_ugal() {
    use Quantity::{Accepted, Latency, Routers};
    let traffic = open_loop("adversarial", 0.02, 32, "bernoulli");
    let below = simulate(&booksim(), "minimal", traffic, (2 * US, 40 * US, 20 * US));
    let traffic = open_loop("adversarial", 0.1, 32, "bernoulli");
    let beyond = simulate(&booksim(), "minimal", traffic, (20 * US, 40 * US, 0));
    let traffic = open_loop("uniform", 0.1, 32, "bernoulli");
    let ugal = simulate(
        &booksim(),
        "booksim-ugal",
        traffic,
        (2 * US, 10 * US, 20 * US),
    );
    let point = |name: &str, outcome, expected| Point {
        name: name.to_owned(),
        outcome,
        expected,
    };
    let points = [
        point(
            "minimal, adversarial +1, 0.02",
            below,
            vec![
                (Latency, 134.5, 3.0),
                (Accepted, 0.0199, 1.0),
                (Routers, 3.752, 0.3),
            ],
        ),
        point(
            "minimal, adversarial +1, 0.1",
            beyond,
            vec![(Accepted, 1.0 / 32.0, 1.0)],
        ),
        point(
            "booksim-ugal, uniform, 0.1",
            ugal,
            vec![
                (Latency, 129.4, 3.0),
                (Accepted, 0.0998, 1.0),
                (Routers, 3.718, 0.3),
            ],
        ),
    ];
    judge("BookSim2", &points);
}

/// CODES, dragonfly-dally: every node sends 200 messages in step, all of them count.
#[test]
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a time in ps"
)]
fn codes_minimal() {
    let rows = [
        (0.05, 1.134),
        (0.1, 1.135),
        (0.2, 1.140),
        (0.3, 1.168),
        (0.4, 1.178),
        (0.5, 1.213),
        (0.6, 1.274),
        (0.7, 1.362),
        (0.8, 1.527),
    ];
    let points = rows.map(|(load, latency_us)| {
        let traffic = open_loop("uniform", load, 1_024, "fixed");
        let window = (199.5 * 76_294.0 / load) as u64;
        let outcome = simulate(&codes(), "minimal", traffic, (0, window, 100 * US));
        let expected = vec![
            (Quantity::Latency, latency_us * 1e3, 3.0),
            (Quantity::Routers, 3.697, 0.3),
        ];
        Point {
            name: format!("minimal, uniform, {load}"),
            outcome,
            expected,
        }
    });
    judge("CODES", &points);
}

/// CODES, dragonfly-custom on Theta: every node sends 20 messages in step, all of them count.
#[test]
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a time in ps"
)]
fn codes_theta_minimal() {
    let rows = [
        (0.05, 2.510, 5.235),
        (0.1, 2.552, 5.229),
        (0.15, 2.653, 5.232),
        (0.2, 2.815, 5.233),
        (0.25, 3.027, 5.235),
        (0.3, 3.236, 5.234),
    ];
    let points = rows.map(|(load, latency_us, hops)| {
        let traffic = open_loop("uniform", load, 2_048, "fixed");
        let window = (19.5 * 119_210.0 / load) as u64;
        let outcome = simulate(&theta(), "minimal", traffic, (0, window, 500 * US));
        let expected = vec![
            (Quantity::Latency, latency_us * 1e3, 2.0),
            (Quantity::Routers, hops, 0.5),
        ];
        Point {
            name: format!("Theta, minimal, uniform, {load}"),
            outcome,
            expected,
        }
    });
    judge("CODES", &points);
}

/// Adaptive and Valiant routing on CODES' systems, after a warm-up: nothing to compare with, but what must hold.
///
/// Below saturation what is offered is accepted, and routers per packet lie between those of minimal and of
/// Valiant routing.
#[test]
#[ignore = "minutes: prints the rows of docs/validation-codes.csv"]
fn codes_adaptive() {
    let theta_loads = [0.05, 0.1, 0.15];
    let dally_loads = [0.05, 0.1, 0.2, 0.3, 0.4];
    let cases: [(_, _, _, _, &[f64]); 5] = [
        (
            "wang2018-theta",
            theta(),
            "codes-adaptive",
            2_048,
            &theta_loads,
        ),
        ("wang2018-theta", theta(), "codes-par", 2_048, &theta_loads),
        (
            "wang2018-theta",
            theta(),
            "valiant-node",
            2_048,
            &theta_loads,
        ),
        (
            "codes-dally-1056",
            codes(),
            "codes-par",
            1_024,
            &dally_loads,
        ),
        (
            "codes-dally-1056",
            codes(),
            "valiant-group",
            1_024,
            &dally_loads,
        ),
    ];
    println!("| preset | routing | load | accepted | latency, ns | routers/packet | non-minimal |");
    println!("|---|---|---|---|---|---|---|");
    for (preset, system, routing, message, loads) in cases {
        for &load in loads {
            let traffic = open_loop("uniform", load, message, "exponential");
            let outcome = simulate(&system, routing, traffic, (10 * US, 10 * US, 40 * US));
            let accepted = Quantity::Accepted.of(&outcome);
            let hops = Quantity::Routers.of(&outcome);
            let share = number(&outcome, "/network/nonminimal_fraction");
            println!(
                "| {preset} | {routing} | {load} | {accepted:.3} | {:.0} | {hops:.3} | {share:.3} |",
                Quantity::Latency.of(&outcome)
            );
            assert!(
                (0.9..1.03).contains(&(accepted / load)),
                "{preset}, {routing}: {accepted}"
            );
            assert!((3.6..10.0).contains(&hops), "{preset}, {routing}: {hops}");
        }
    }
}

/// SST merlin: all nodes in step, 10 us of warm-up.
#[test]
fn merlin_minimal() {
    use Quantity::{Accepted, Latency};
    let rows = [
        (0.1, 479.0, 0.0999, 3.0),
        (0.3, 483.2, 0.2998, 3.0),
        (0.5, 496.8, 0.4999, 3.0),
        (0.7, 539.5, 0.7001, 3.0),
        (0.9, 769.2, 0.8996, 10.0),
    ];
    let points = rows.map(|(load, latency, accepted, tolerance)| {
        let traffic = open_loop("uniform", load, 512, "fixed");
        let outcome = simulate(&kang2022(), "minimal", traffic, (10 * US, 20 * US, 20 * US));
        let expected = vec![(Latency, latency, tolerance), (Accepted, accepted, 1.0)];
        Point {
            name: format!("minimal, uniform, {load}"),
            outcome,
            expected,
        }
    });
    judge("SST merlin", &points);
}

/// The code of Kang et al. in merlin, zero bias.
#[test]
fn kang2022_adaptive() {
    let rows = [
        ("ugal-group", 0.1, 587.5),
        ("ugal-group", 0.5, 619.2),
        ("par", 0.1, 821.8),
        ("par", 0.5, 1_259.0),
    ];
    let points = rows.map(|(routing, load, latency)| {
        let traffic = open_loop("uniform", load, 512, "fixed");
        let measure = Some((10 * US, 20 * US, 20 * US));
        let config = as_in_kang2022(config(&kang2022(), routing, &[traffic], measure));
        let outcome = outcome(&config, &Traces::new(), 1);
        let expected = vec![
            (Quantity::Latency, latency, 5.0),
            (Quantity::Accepted, load, 1.0),
        ];
        Point {
            name: format!("{routing}, uniform, {load}"),
            outcome,
            expected,
        }
    });
    judge("Kang et al. 2022", &points);
}
