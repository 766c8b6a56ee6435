//! Links that change during the run: `[[system.failures.events]]`.

use odonata_routing::Routing;
use odonata_topology::{FailedLink, LinkChange, PortIndex};
use odonata_units::{Instant, RouterId, Span};
use serde_json::{Value, json};

use crate::config::{Config, LinkEvent};
use crate::error::{At, SimError};
use crate::finished::Finished;
use crate::statistic::ns;

const PATH: &str = "system.failures.events";

fn events(config: &Config) -> &[LinkEvent] {
    let failures = config.system.failures.as_ref();
    failures.map_or(&[], |failures| &failures.events)
}

/// `routing`, on links to which happens what `config` says.
pub(crate) fn amid_events(config: &Config, routing: Routing) -> Result<Routing, SimError> {
    let events = events(config);
    if events.is_empty() {
        return Ok(routing);
    }
    check(config)?;
    let changes: Result<Vec<LinkChange>, SimError> = (0..)
        .zip(events)
        .map(|(index, event)| change(index, event))
        .collect();
    let known_after = config.system.failures.as_ref();
    let known_after = known_after.map_or(0, |failures| failures.known_after_ps);
    routing
        .with_changes(&changes?, Span::from_ps(known_after))
        .at(PATH)
}

fn change(index: usize, event: &LinkEvent) -> Result<LinkChange, SimError> {
    let [from, to] = event.link[..] else {
        let problem = "a link is a pair of router ids such as [0, 1]";
        return Err(SimError::new(format!("{PATH}[{index}].link"), problem));
    };
    Ok(LinkChange {
        link: FailedLink {
            from: RouterId(from),
            to: RouterId(to),
            port: event.port.map(PortIndex),
        },
        at: Instant::from_ps(event.at_ps),
        share_ppm: event.share_ppm,
    })
}

/// Refuses what does not go with links that change.
fn check(config: &Config) -> Result<(), SimError> {
    let refused = [
        (
            config.stop.skip_ppm.is_some(),
            "`stop.skip` takes iterations that it leaves out to be like those before, which they \
             are not beside links that change; leave it out",
        ),
        (
            !config.stop.precision.is_empty(),
            "`stop.precision` estimates the mean of a steady run, which a run with links that \
             change is not; leave it out and give `stop.time` or jobs that end",
        ),
        (
            config.telemetry.blame,
            "`telemetry.blame` cannot say whom a packet waited for that was rerouted; leave it out",
        ),
        (
            config.telemetry.counters,
            "`telemetry.counters` would count packets twice that are rerouted; leave it out",
        ),
    ];
    match refused.iter().find(|(is_asked, _)| *is_asked) {
        Some((_, problem)) => Err(SimError::new(PATH, *problem)),
        None => Ok(()),
    }
}

/// What happened to links up to the end of the run, for the summary; `None` if nothing was to
/// happen.
pub(crate) fn summary(config: &Config, finished: &Finished) -> Option<Value> {
    let end = finished.network.end().ps();
    let events = events(config);
    let past = |event: &&LinkEvent| event.at_ps < end;
    let entry = |event: &LinkEvent| {
        json!({
            "at_ns": ns(event.at_ps),
            "link": event.link,
            "port": event.port,
            "bandwidth_share": f64::from(event.share_ppm) / 1e6,
        })
    };
    let mut past: Vec<&LinkEvent> = events.iter().filter(past).collect();
    past.sort_by_key(|event| event.at_ps);
    (!events.is_empty()).then(|| {
        json!({
            "events": past.into_iter().map(entry).collect::<Vec<_>>(),
            "still_to_come": events.iter().filter(|event| event.at_ps >= end).count(),
            "packets_rerouted": finished.network.rerouted(),
        })
    })
}

/// The same in a sentence.
pub(crate) fn note(config: &Config, finished: &Finished) -> Option<String> {
    let found = summary(config, finished)?;
    let events: Vec<String> = found["events"]
        .as_array()?
        .iter()
        .filter_map(|event| {
            let (one, other) = (&event["link"][0], &event["link"][1]);
            let us = event["at_ns"].as_f64()? / 1e3;
            let what = match event["bandwidth_share"].as_f64()? {
                0.0 => "went down".to_owned(),
                1.0 => "came back with all its lanes".to_owned(),
                share => format!("went on with {:.3} % of its bandwidth", share * 100.0),
            };
            Some(format!("{one}-{other} {what} at {us} us"))
        })
        .collect();
    let to_come = &found["still_to_come"];
    let rerouted = &found["packets_rerouted"];
    Some(if events.is_empty() {
        format!("the run ended before any of the {to_come} events of links")
    } else {
        format!(
            "links between routers: {}; {rerouted} packets were rerouted; {to_come} events were \
             still to come at the end",
            events.join(", ")
        )
    })
}
