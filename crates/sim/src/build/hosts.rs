//! From `[system.host]` to the hosts of ranks.

use std::sync::Arc;

use odonata_mpi::{CallCost, Detours, Distribution, HostModel, Law, MpiParameters, Recording};
use odonata_units::Bandwidth;
use odonata_workload::Memory;
use serde_json::Value;

use crate::build::inputs::Inputs;
use crate::config::{CallRow, Config, DetourRow, Host, LawName};
use crate::error::{At, SimError};

const PATH: &str = "system.host";

/// The longest that is drawn where nothing is said, ps.
const MOST_PS: f64 = 1e15;
/// The largest factor.
const MOST_FACTOR: f64 = 1e3;

/// Hosts of `config`; `None`: they take nothing.
///
/// # Errors
/// What contradicts itself, or does not go together with the rest of the scenario.
pub(crate) fn host_model(
    config: &Config,
    inputs: &Inputs,
) -> Result<Option<Arc<HostModel>>, SimError> {
    let Some(host) = &config.system.host else {
        return Ok(None);
    };
    let detours = host.detours.iter().enumerate();
    let detours = detours
        .map(|(index, row)| source(row, &format!("{PATH}.detours[{index}]"), inputs))
        .collect::<Result<Vec<_>, _>>()?;
    let calls = host.calls.iter().enumerate();
    let calls = calls
        .map(|(index, row)| cost(row, &format!("{PATH}.calls[{index}]")))
        .collect::<Result<Vec<_>, _>>()?;
    if host.compute_traffic_bytes_per_s.is_some() && host.memory_bandwidth_bytes_per_s.is_none() {
        let message = "without `memory_bandwidth` nothing says what it is a part of; give both";
        return Err(SimError::new(format!("{PATH}.compute_traffic"), message));
    }
    refuse(config, host)?;
    Ok(Some(Arc::new(HostModel {
        detours,
        calls,
        cores: host.cores,
        memory_bytes_per_s: host.memory_bandwidth_bytes_per_s,
        traffic_bytes_per_s: host.compute_traffic_bytes_per_s.unwrap_or(0),
    })))
}

/// The memory of a node on which several ranks are, if it can be in the way.
pub(crate) fn memory(model: Option<&HostModel>, mpi: &MpiParameters) -> Option<Memory> {
    let carried = model?.memory_bytes_per_s?;
    let rate = Bandwidth::from_bytes_per_second(carried)?;
    Some(Memory::new(rate, mpi.local_latency, mpi.local_per_byte))
}

/// What does not go together.
fn refuse(config: &Config, host: &Host) -> Result<(), SimError> {
    let draws = !host.detours.is_empty() || !host.calls.is_empty();
    let key = match () {
        () if !draws => None,
        () if config.stop.skip_ppm.is_some() => Some("stop.skip"),
        () if !config.stop.precision.is_empty() => Some("stop.precision"),
        () => None,
    };
    if let Some(key) = key {
        let message = "detours and costs of calls are drawn, and a rare long one may come only in \
                       the part of the run that would be left out; leave one of both away: this key, \
                       or `detours` and `calls` of [system.host]";
        return Err(SimError::new(key, message));
    }
    let noisy = |workload: &serde_json::Map<String, Value>| {
        let named = workload.get("noise").and_then(Value::as_str);
        named.is_some_and(|name| !name.is_empty())
    };
    let jobs = config.jobs.iter().enumerate();
    let twice = jobs.filter(|_| !host.detours.is_empty());
    if let Some((index, _)) = { twice }.find(|(_, job)| noisy(&job.workload)) {
        let message = "the detours of [system.host] lengthen computation, too: leave one of both \
                       away";
        return Err(SimError::new(
            format!("jobs[{index}].workload.noise"),
            message,
        ));
    }
    Ok(())
}

fn source(row: &DetourRow, path: &str, inputs: &Inputs) -> Result<Detours, SimError> {
    if let Some(name) = &row.noise {
        if row.gap_ps.is_some() || row.length_ps.is_some() {
            let message = "a recording has gaps and lengths of its own; leave `noise` out, or \
                           `gap` and `length`";
            return Err(SimError::new(path, message));
        }
        let text = inputs.texts.get(name).map_or("", String::as_str);
        let recording = Recording::parse(text).at(format!("{path}.noise"))?;
        return Ok(Detours::Recorded(Arc::new(recording)));
    }
    let (Some(gap), Some(length)) = (row.gap_ps, row.length_ps) else {
        let message = "a source of detours needs `gap` and `length`, or a recording, `noise`";
        return Err(SimError::new(path, message));
    };
    let gap = Drawn {
        law: row.gaps,
        shape: row.gap_shape,
        key: "gap_shape",
        mean: number(gap),
        most: row.gap_most_ps.map_or(MOST_PS, number),
    };
    let length = Drawn {
        law: row.lengths,
        shape: row.length_shape,
        key: "length_shape",
        mean: number(length),
        most: row.length_most_ps.map_or(MOST_PS, number),
    };
    Ok(Detours::Drawn {
        gap: gap.distribution(path)?,
        length: length.distribution(path)?,
    })
}

fn cost(row: &CallRow, path: &str) -> Result<CallCost, SimError> {
    let drawn = |mean: f64, most: f64| {
        let drawn = Drawn {
            law: row.law,
            shape: row.shape,
            key: "shape",
            mean,
            most,
        };
        drawn.distribution(path)
    };
    match (row.add_ps, row.factor) {
        (Some(add), None) => {
            let most = row.most_ps.map_or(MOST_PS, number);
            drawn(number(add), most).map(CallCost::Added)
        }
        (None, Some(factor)) => {
            drawn(factor, row.most_factor.unwrap_or(MOST_FACTOR)).map(CallCost::Factor)
        }
        _ => {
            let message = "a cost of calls is either a time, `add`, or a `factor`";
            Err(SimError::new(path, message))
        }
    }
}

/// A law with its numbers, as written.
struct Drawn {
    law: LawName,
    shape: Option<f64>,
    key: &'static str,
    mean: f64,
    most: f64,
}

impl Drawn {
    fn distribution(&self, path: &str) -> Result<Distribution, SimError> {
        let key = self.key;
        let shape = || {
            let message = format!("this law needs `{key}`");
            self.shape.ok_or_else(|| SimError::new(path, message))
        };
        let law = match self.law {
            LawName::Fixed | LawName::Exponential if self.shape.is_some() => {
                let message = "fixed and exponential have no shape; leave it out, or take pareto \
                               or lognormal";
                return Err(SimError::new(format!("{path}.{key}"), message));
            }
            LawName::Fixed => Law::Fixed,
            LawName::Exponential => Law::Exponential,
            LawName::Pareto => {
                let exponent = shape()?;
                if exponent <= 1.0 {
                    let message =
                        "the exponent of pareto must be above 1: it has no mean otherwise";
                    return Err(SimError::new(format!("{path}.{key}"), message));
                }
                Law::Pareto(exponent)
            }
            LawName::Lognormal => Law::Lognormal(shape()?),
        };
        Ok(Distribution {
            law,
            mean: self.mean,
            most: self.most,
        })
    }
}

#[expect(clippy::cast_precision_loss, reason = "at most 2^53")]
const fn number(ps: u64) -> f64 {
    ps as f64
}
