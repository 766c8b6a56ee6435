//! Offered and accepted load of open-loop traffic, and whether the network could take it.

use odonata_engine::Stop;
use odonata_units::{Instant, Span};

use crate::config::Config;
use crate::report::finished::Finished;

/// Load is compared no finer than this: the packets on their way at either end of the window
/// differ.
const LEAST_NOISE: f64 = 0.01;

/// Standard deviations of the number of messages that count as noise.
const DEVIATIONS: f64 = 3.0;

/// Fractions of the injection bandwidth of the nodes that send.
pub(crate) struct Load {
    pub(crate) offered: f64,
    pub(crate) accepted: f64,
}

/// Load of the open-loop ones of `jobs`; `None` without a measured window or open-loop job.
#[expect(clippy::cast_precision_loss, reason = "statistics")]
pub(crate) fn of_jobs(config: &Config, finished: &Finished, jobs: &[usize]) -> Option<Load> {
    let measure = config.measure.as_ref()?;
    let stats = finished.heard.stats()?;
    let parameters = &finished.machine.parameters;
    let (mut nodes, mut offered, mut delivered) = (0_u64, 0.0, 0_u64);
    for index in jobs
        .iter()
        .copied()
        .filter(|index| finished.placed.open_loop[*index])
    {
        let sources = finished.sources.get(index)?;
        if sources.count > 0 {
            nodes += sources.count;
            offered += sources.load(parameters) * sources.count as f64;
        }
        delivered += stats.jobs[index].window_bytes_delivered;
    }
    if nodes == 0 {
        return None;
    }
    let rate = parameters.host.bandwidth.bytes_per_second();
    let capacity = rate as f64 * nodes as f64 * measure.window_ps as f64 / 1e12;
    Some(Load {
        offered: offered / nodes as f64,
        accepted: delivered as f64 / capacity,
    })
}

/// Whether open-loop job `index` got less through than it offered, beyond the noise of the window,
/// or measured packets of it never arrived. `None` if the run did not reach the end of the window.
pub(crate) fn is_saturated(config: &Config, finished: &Finished, index: usize) -> Option<bool> {
    let stats = finished.heard.stats()?.jobs.get(index)?;
    let drained = has_drained(config, finished)?;
    let lost = drained && stats.packets_measured > stats.packets;
    #[expect(clippy::cast_precision_loss, reason = "statistics")]
    let accepted = stats.window_bytes_delivered as f64;
    Some(lost || accepted < least_accepted(config, finished, index)?)
}

/// Whether any open-loop job is saturated, or measured packets never arrived.
pub(crate) fn saturated(config: &Config, finished: &Finished) -> Option<bool> {
    let drained = has_drained(config, finished)?;
    let lost = drained && finished.network.measured_undelivered() > 0;
    let one = (0..config.jobs.len()).any(|index| {
        finished.placed.open_loop[index] && is_saturated(config, finished, index) == Some(true)
    });
    Some(lost || one)
}

/// Whether the run went on after the window for as long as it was to; `None` if there is no window,
/// or the run did not reach its end.
fn has_drained(config: &Config, finished: &Finished) -> Option<bool> {
    let measure = config.measure.as_ref()?;
    let window = Instant::from_ps(measure.warm_up_ps) + Span::from_ps(measure.window_ps);
    (finished.network.end() >= window).then_some(finished.stop == Stop::Finished)
}

/// Bytes that job `index` delivers in the window at least, unless the network is saturated: what
/// its sources create in it on average, less the noise.
#[expect(clippy::cast_precision_loss, reason = "statistics")]
fn least_accepted(config: &Config, finished: &Finished, index: usize) -> Option<f64> {
    let measure = config.measure.as_ref()?;
    let sources = finished.sources.get(index)?;
    let wire = sources.wire_bytes(&finished.machine.parameters) as f64;
    let messages = sources.messages_in(measure.window_ps);
    let bytes = messages * wire;
    // Sources in step, and bursts, have so much more or less in the window all at once.
    let in_step = sources.count as f64 * sources.batch;
    let random = if sources.are_periodic {
        0.0
    } else {
        messages * sources.batch.max(1.0)
    };
    let noise = (DEVIATIONS * random.sqrt() + in_step) * wire;
    Some(bytes - noise.max(LEAST_NOISE * bytes))
}
