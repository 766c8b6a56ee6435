//! Changes of links, routers and nodes during a run.

use serde_json::{Value, json};

use crate::build::events::events;
use crate::config::{Config, Event};
use crate::report::finished::Finished;
use crate::result::statistic::ns;

/// What changed up to the end of the run, for the summary; `None` if nothing was to happen.
pub(crate) fn summary(config: &Config, finished: &Finished) -> Option<Value> {
    let end = finished.network.end().ps();
    let events = events(config);
    let past = |event: &&Event| event.at_ps < end;
    let entry = |event: &Event| {
        let share = f64::from(event.share_ppm) / 1e6;
        let at = ns(event.at_ps);
        match (event.router, event.node) {
            (Some(router), _) => {
                json!({"at_ns": at, "router": router, "bandwidth_share": share})
            }
            (_, Some(node)) => json!({"at_ns": at, "node": node, "bandwidth_share": share}),
            _ => json!({
                "at_ns": at,
                "link": event.link,
                "port": event.port,
                "bandwidth_share": share,
            }),
        }
    };
    let mut past: Vec<&Event> = events.iter().filter(past).collect();
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
            let named = |kind: &str| Some(format!("{kind} {}", event.get(kind)?));
            let link = || format!("{}-{}", event["link"][0], event["link"][1]);
            let name = named("router").or_else(|| named("node"));
            let name = name.unwrap_or_else(link);
            let us = event["at_ns"].as_f64()? / 1e3;
            let what = match event["bandwidth_share"].as_f64()? {
                0.0 => "went down".to_owned(),
                1.0 if event.get("link").is_none() => "came back".to_owned(),
                1.0 => "came back with all its lanes".to_owned(),
                share => format!("went on with {:.3} % of its bandwidth", share * 100.0),
            };
            Some(format!("{name} {what} at {us} us"))
        })
        .collect();
    let to_come = &found["still_to_come"];
    let rerouted = &found["packets_rerouted"];
    let is_of_links = self::events(config).iter().all(Event::is_of_link);
    let (of, during) = if is_of_links {
        ("links", "links between routers")
    } else {
        ("failures", "during the run")
    };
    Some(if events.is_empty() {
        format!("the run ended before any of the {to_come} events of {of}")
    } else {
        format!(
            "{during}: {}; {rerouted} packets were rerouted; {to_come} events were \
             still to come at the end",
            events.join(", ")
        )
    })
}
