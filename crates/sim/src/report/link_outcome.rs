//! Changes of links during a run.

use serde_json::{Value, json};

use crate::build::link_events::events;
use crate::config::{Config, LinkEvent};
use crate::report::finished::Finished;
use crate::result::statistic::ns;

/// Changes of links up to the end of the run, for the summary; `None` if nothing was to
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
