//! Links that change during the run: `[[system.failures.events]]`.

use odonata_routing::{LinkChange, Routing};
use odonata_topology::{FailedLink, PortIndex};
use odonata_units::{Instant, RouterId, Span};

use crate::config::{Config, LinkEvent};
use crate::error::{At, SimError};

const PATH: &str = "system.failures.events";

/// Changes of links.
pub(crate) fn events(config: &Config) -> &[LinkEvent] {
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
            "`telemetry.counters` would count rerouted packets twice; leave it out",
        ),
    ];
    match refused.iter().find(|(is_asked, _)| *is_asked) {
        Some((_, problem)) => Err(SimError::new(PATH, *problem)),
        None => Ok(()),
    }
}
