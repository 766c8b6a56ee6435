//! Inference with a language model: requests arrive, one pool of ranks prefills, another decodes.

use std::sync::Arc;

use odonata_mpi::{Communicator, RankProgram};

use super::models::{ModelSize, NUMBER, model, model_row};
use super::phased::ranks_row;
use super::scaled::{SIZE_SCALE, Scale};
use super::{WAIT_BEFORE, given_ranks, ranks};
use crate::context::JobContext;
use crate::endpoint::NodeEndpoint;
use crate::entry::WorkloadEntry;
use crate::error::WorkloadError;
use crate::spec::{Default, Kind, Parameter, Spec};

mod pools;
mod requests;

use pools::{Decode, LayerCost, Prefill, Server};
use requests::{ARRIVALS, LENGTHS, requests};

pub(crate) const ENTRY: WorkloadEntry = WorkloadEntry {
    name: "inference",
    summary: "serving of a language model: requests arrive, groups of ranks prefill, and the cache \
              of keys and values goes to groups that decode",
    source: "Patel et al. 2024 (Splitwise); Zhong et al. 2024 (DistServe); Yu et al. 2022 (Orca); \
             times assumed",
    parameters: &[
        ranks_row(32),
        Parameter::count("tensor", 4, "ranks of a group, which share every layer").at_least(1),
        Parameter::derived(
            "prefill",
            Kind::Count,
            "groups that prefill, the others decode; half of them if absent",
        )
        .at_least(1),
        model_row("llama-3-8b", "model that is served"),
        Parameter::derived(
            "layers",
            Kind::Count,
            "layers; those of the model if absent",
        )
        .at_least(1),
        Parameter::count("requests", 16, "requests").at_least(1),
        Parameter::number("rate", 20.0, "requests that arrive in a second")
            .within(1e-3, 1e9)
            .unit("1/s"),
        Parameter::choice(
            "arrival",
            &ARRIVALS,
            ARRIVALS[0],
            "gaps between requests: independent (a Poisson process), or equal",
        ),
        Parameter::count("prompt", 1_500, "tokens of a prompt, on average")
            .within(1.0, 1e9)
            .source("Patel et al. 2024, section III: median of their trace of coding"),
        Parameter::count("output", 13, "tokens of an answer, on average")
            .within(2.0, 1e9)
            .source("Patel et al. 2024, section III: median of their trace of coding"),
        Parameter::choice(
            "lengths",
            &LENGTHS,
            LENGTHS[0],
            "lengths of prompts and answers: all the same, or drawn",
        ),
        Parameter::count(
            "batch",
            64,
            "requests that a group decodes together at most",
        )
        .within(1.0, 1e6),
        Parameter::number("flops", 4e14, "operations of a rank in a second")
            .within(1e6, 1e18)
            .unit("1/s")
            .source("assumed: 40 % of an NVIDIA H100 in half precision"),
        Parameter::new(
            "memory",
            Kind::Bandwidth,
            Default::Count(2_400_000_000_000),
            "rate at which a rank reads its parameters",
        )
        .at_least(1)
        .source("assumed: 70 % of an NVIDIA H100"),
        WAIT_BEFORE,
        SIZE_SCALE,
    ],
    ranks: |spec, _, _| given_ranks(spec),
    build,
};

#[expect(clippy::cast_precision_loss, reason = "sizes and rates are estimates")]
fn cost(spec: &Spec<'_>, size: &ModelSize, tensor: u32) -> LayerCost {
    let parameters = size.active / size.layers as f64 / f64::from(tensor);
    LayerCost {
        hidden: size.hidden * NUMBER,
        cache: size.cached * NUMBER,
        read: 1e12 * parameters * NUMBER as f64 / spec.count("memory") as f64,
        // A multiplication and an addition for each parameter.
        token: 1e12 * parameters * 2.0 / spec.ratio("flops"),
    }
}

fn build(spec: &Spec<'_>, context: &JobContext<'_>) -> Result<Vec<NodeEndpoint>, WorkloadError> {
    let count = u32::try_from(context.nodes.len()).unwrap_or(u32::MAX);
    let tensor = spec.small("tensor")?;
    let groups = count / tensor;
    if groups < 2 || !count.is_multiple_of(tensor) {
        let near = groups.max(2).saturating_mul(tensor);
        return Err(spec.impossible(format!(
            "{count} ranks do not form groups of {tensor}, one to prefill and one to decode at \
             least; use a multiple of {tensor}, such as `ranks = {near}`"
        )));
    }
    let prefill = spec.optional_count("prefill");
    let prefill = spec.fit("prefill", prefill.unwrap_or(u64::from(groups / 2)))?;
    if prefill >= groups {
        return Err(spec.impossible(format!(
            "{prefill} of {groups} groups prefill, and none is left to decode; lower `prefill` to \
             {} at most",
            groups - 1
        )));
    }
    let Some(size) = model(&spec.text("model")) else {
        unreachable!("the row has the names of models only")
    };
    let server = Arc::new(Server {
        tensor,
        prefill,
        decode: groups - prefill,
        layers: spec.optional_count("layers").unwrap_or(size.layers),
        cost: cost(spec, &size, tensor),
        scale: Scale::of(spec),
        batch: usize::try_from(spec.count("batch")).unwrap_or(usize::MAX),
        wait_before: spec.time("wait_before"),
        requests: requests(spec, context.seed, context.job),
    });
    let members: Vec<Arc<[u32]>> = (0..groups)
        .map(|group| (group * tensor..(group + 1) * tensor).collect())
        .collect();
    Ok(ranks(context, |rank| {
        let group = Arc::clone(&members[(rank / tensor) as usize]);
        let program: RankProgram = if rank < prefill * tensor {
            Prefill::new(&server, rank).into()
        } else {
            Decode::new(&server, rank).into()
        };
        (
            program,
            Communicator::new(1, group, rank).into_iter().collect(),
        )
    }))
}
