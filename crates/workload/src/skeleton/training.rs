//! Training of a deep network on a grid of ranks: data, pipeline, tensor, experts.

use std::sync::Arc;

use odonata_mpi::{Communicator, Edge, Graph, GraphProgram};
use odonata_units::Span;

use super::models::{ModelSize, NAMES, NUMBER, SOURCE, model as published};
use super::scaled::{SIZE_SCALE, Scale};
use super::{WAIT_BEFORE, given_ranks, ranks};
use crate::context::JobContext;
use crate::endpoint::NodeEndpoint;
use crate::entry::WorkloadEntry;
use crate::error::WorkloadError;
use crate::spec::{Kind, Parameter, Spec};

mod script;

use script::{PipelinePosition, Schedule, Script, Sharding, TrainedModel, after, buckets};

const MIB: u64 = 1 << 20;

pub(crate) const ENTRY: WorkloadEntry = WorkloadEntry {
    name: "training",
    summary: "training of a deep network: gradients in buckets beside the backward pass, pipeline \
              stages, shared layers, experts",
    source: "Li et al. 2020 (PyTorch DDP); Narayanan et al. 2021 (Megatron-LM); Lepikhin et al. \
             2021 (GShard); sizes and times assumed",
    parameters: &[
        Parameter::count("ranks", 528, "ranks of the job").at_least(1),
        Parameter::count("pipeline", 1, "stages that the layers are cut into").at_least(1),
        Parameter::count("tensor", 1, "ranks that share every layer of a stage").at_least(1),
        Parameter::count(
            "experts",
            1,
            "ranks among which experts are spread, part of those with the same layers; 1: none",
        )
        .at_least(1),
        Parameter::count("iterations", 2, "iterations").at_least(1),
        Parameter::count("layers", 24, "layers of a stage").at_least(1),
        Parameter::count(
            "microbatches",
            1,
            "parts of a batch that go through the pipeline one after the other",
        )
        .at_least(1),
        Parameter::choice(
            "schedule",
            &SCHEDULES,
            SCHEDULES[0],
            "order of microbatches in a stage",
        ),
        Parameter::time(
            "forward",
            100_000_000,
            "computation of a layer and microbatch, forward",
        ),
        Parameter::derived(
            "backward",
            Kind::Time,
            "the same backward; twice as long if absent",
        ),
        Parameter::time("update", 0, "computation when all gradients are there"),
        Parameter::bytes(
            "gradients",
            100 * MIB,
            "gradients of a rank: those of its layers",
        ),
        Parameter::bytes("bucket", 25 * MIB, "gradients that are combined together")
            .at_least(1)
            .source("PyTorch, bucket_cap_mb"),
        Parameter::bytes(
            "activation",
            8 * MIB,
            "activations of a microbatch between layers: from stage to stage, and combined where \
             layers are shared",
        ),
        Parameter::derived(
            "expert_message",
            Kind::Bytes,
            "from each rank to each other one of its experts; `activation` / `experts` if absent",
        ),
        Parameter::boolean(
            "overlap",
            true,
            "whether gradients are combined beside the backward pass, or behind it",
        ),
        Parameter::count(
            "chunks",
            1,
            "parts of the layers of a stage: a microbatch goes through all stages with the first \
             part, then with the next one",
        )
        .at_least(1)
        .source("Narayanan et al. 2021, section 2.2 (interleaved stages)")
        .sparse(),
        Parameter::choice(
            "sharding",
            &SHARDINGS,
            SHARDINGS[0],
            "what ranks with the same layers keep once for all of them: nothing, gradients and \
             optimiser, or parameters too",
        )
        .source("Rajbhandari et al. 2020 (ZeRO); Zhao et al. 2023 (FSDP)")
        .sparse(),
        Parameter::number(
            "expert_skew",
            0.0,
            "exponent of Zipf's law by which tokens go to the ranks with experts; 0: evenly",
        )
        .within(0.0, 10.0)
        .sparse(),
        Parameter::derived(
            "expert_load",
            Kind::Numbers,
            "what each rank with experts gets, in place of `expert_skew`; only ratios count",
        )
        .within(0.0, 1e9)
        .sparse(),
        Parameter::choice(
            "model",
            &NAMES,
            NAMES[0],
            "published model from which `layers`, `forward`, `gradients` and `activation` follow",
        )
        .source(SOURCE)
        .sparse(),
        Parameter::count("tokens", 8_192, "with `model`: tokens of a microbatch")
            .within(1.0, 1e9)
            .sparse(),
        Parameter::number(
            "flops",
            4e14,
            "with `model`: operations of a rank in a second",
        )
        .within(1e6, 1e18)
        .unit("1/s")
        .source("assumed: 40 % of an NVIDIA H100 in half precision")
        .sparse(),
        WAIT_BEFORE,
        SIZE_SCALE,
    ],
    ranks: |spec, _, _| given_ranks(spec),
    build,
};

const SCHEDULES: [&str; 2] = ["1f1b", "gpipe"];
const SHARDINGS: [&str; 3] = ["none", "zero-2", "zero-3"];

/// Ranks on a grid: tensor fastest, then data, then pipeline (Narayanan et al. 2021).
#[derive(Clone, Copy, Debug)]
struct RankGrid {
    tensor: u32,
    data: u32,
    pipeline: u32,
    experts: u32,
}

impl RankGrid {
    fn new(spec: &Spec<'_>, ranks: u32) -> Result<Self, WorkloadError> {
        let (pipeline, tensor) = (spec.small("pipeline")?, spec.small("tensor")?);
        let experts = spec.small("experts")?;
        let model = u64::from(pipeline) * u64::from(tensor);
        if !u64::from(ranks).is_multiple_of(model) {
            let near = (u64::from(ranks) / model).max(1) * model;
            return Err(spec.impossible(format!(
                "{ranks} ranks do not hold whole copies of a model on {pipeline} stages of \
                 {tensor} ranks; use a multiple of {model}, such as `ranks = {near}`"
            )));
        }
        let data = ranks / u32::try_from(model).unwrap_or(u32::MAX);
        if !data.is_multiple_of(experts) {
            let fit = (1..=data.min(experts))
                .rev()
                .find(|few| data.is_multiple_of(*few));
            return Err(spec.impossible(format!(
                "{data} ranks with the same layers do not form groups of {experts} for experts; \
                 use a divisor, such as `experts = {}`",
                fit.unwrap_or(1)
            )));
        }
        Ok(Self {
            tensor,
            data,
            pipeline,
            experts,
        })
    }

    fn position(self, rank: u32) -> PipelinePosition {
        let apart = self.tensor * self.data;
        let (stage, all) = (rank / apart, apart * self.pipeline);
        PipelinePosition {
            stage,
            stages: self.pipeline,
            before: (rank + all - apart) % all,
            behind: (rank + apart) % all,
            expert: rank / self.tensor % self.data % self.experts,
        }
    }

    /// The communicators of a rank besides the whole job: `TENSOR`, `DATA`, `EXPERTS`. Those of one
    /// kind have no rank in common, so a number for each kind tells them apart.
    fn communicators(self, groups: &Groups, rank: u32) -> Vec<Communicator> {
        let column = rank / (self.tensor * self.data) * self.tensor + rank % self.tensor;
        let position = rank / self.tensor % self.data;
        let of = |context, list: &[Arc<[u32]>], index: u32| {
            Communicator::new(context, Arc::clone(&list[index as usize]), rank)
        };
        let expert = column * (self.data / self.experts) + position / self.experts;
        [
            of(1, &groups.tensor, rank / self.tensor),
            of(2, &groups.data, column),
            of(3, &groups.experts, expert),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}

/// Members of every group, shared by their ranks.
struct Groups {
    tensor: Vec<Arc<[u32]>>,
    data: Vec<Arc<[u32]>>,
    experts: Vec<Arc<[u32]>>,
}

impl Groups {
    fn new(grid: RankGrid) -> Self {
        let RankGrid {
            tensor,
            data,
            pipeline,
            experts,
        } = grid;
        let with_same_layers = |column: u32| {
            let first = column / tensor * tensor * data + column % tensor;
            (0..data).map(move |position| first + position * tensor)
        };
        let columns = 0..pipeline * tensor;
        let all: Vec<Arc<[u32]>> = columns.map(|c| with_same_layers(c).collect()).collect();
        let split = |members: &Arc<[u32]>| -> Vec<Arc<[u32]>> {
            members.chunks(experts as usize).map(Arc::from).collect()
        };
        Self {
            tensor: (0..pipeline * data)
                .map(|group| (group * tensor..(group + 1) * tensor).collect())
                .collect(),
            experts: all.iter().flat_map(split).collect(),
            data: all,
        }
    }
}

/// Sizes and times of the layers of a rank.
struct LayerSizes {
    layers: u64,
    forward: Span,
    gradients: u64,
    activation: u64,
    /// To each other rank with experts, evenly spread.
    message: u64,
}

impl LayerSizes {
    /// As given, or those of a published model.
    fn new(spec: &Spec<'_>, grid: RankGrid) -> Result<Self, WorkloadError> {
        let (tokens, flops) = (spec.count("tokens"), spec.ratio("flops"));
        let activation = spec.count("activation");
        let given = Self {
            layers: spec.count("layers"),
            forward: spec.time("forward"),
            gradients: spec.count("gradients"),
            activation,
            message: activation / u64::from(grid.experts),
        };
        let name = spec.text("model");
        let sizes = match published(&name) {
            None => given,
            Some(model) => {
                let rows = ["layers", "forward", "gradients", "activation"];
                let own = |row: &&&str| {
                    let default = ENTRY.parameters.iter().find(|one| one.name == **row);
                    default.is_some_and(|one| one.default_value() != spec.value(row))
                };
                if let Some(row) = rows.iter().find(own) {
                    return Err(spec.impossible(format!(
                        "`{row}` follows from `model = \"{name}\"`; leave one of them out"
                    )));
                }
                if grid.experts > 1 && model.experts == 0 {
                    return Err(spec.impossible(format!(
                        "`{name}` has no experts; leave `experts` out, or use another `model`"
                    )));
                }
                Self::of(&model, grid, tokens, flops)
            }
        };
        let message = spec.optional_count("expert_message");
        Ok(Self {
            message: message.unwrap_or(sizes.message),
            ..sizes
        })
    }

    /// Experts are all parameters that no token meets, and those that it meets of them.
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "sizes are estimates, positive and far below 2^53"
    )]
    fn of(model: &ModelSize, grid: RankGrid, tokens: u64, flops: f64) -> Self {
        let (tensor, experts) = (f64::from(grid.tensor), f64::from(grid.experts));
        let each = (model.parameters - model.active)
            / f64::from(model.experts.saturating_sub(model.chosen).max(1));
        let spread = each * f64::from(model.experts);
        let kept = model.parameters - spread + spread / experts;
        let share = f64::from(grid.pipeline) * tensor;
        let activation = tokens * model.hidden * NUMBER;
        let each_token = 2.0 * model.active / model.layers as f64 / tensor / flops;
        Self {
            layers: model.layers.div_ceil(u64::from(grid.pipeline)),
            forward: Span::from_ps((1e12 * each_token * tokens as f64) as u64),
            gradients: (NUMBER as f64 * kept / share) as u64,
            activation,
            message: activation * u64::from(model.chosen) / u64::from(grid.experts),
        }
    }
}

/// What each rank with experts gets over what it would get evenly; nothing for evenly.
fn loads(spec: &Spec<'_>, experts: u32) -> Result<Vec<f64>, WorkloadError> {
    let (skew, mut loads) = (spec.ratio("expert_skew"), spec.ratios("expert_load"));
    if loads.is_empty() && skew > 0.0 {
        loads = (1..=experts)
            .map(|place| libm::pow(f64::from(place), -skew))
            .collect();
    }
    let sum: f64 = loads.iter().sum();
    if !loads.is_empty() && (loads.len() != experts as usize || sum <= 0.0) {
        return Err(spec.wrong(
            "expert_load",
            &format!("{experts} numbers, one for each of `experts`, that are not all 0"),
        ));
    }
    Ok(loads
        .iter()
        .map(|load| load * f64::from(experts) / sum)
        .collect())
}

fn model(
    spec: &Spec<'_>,
    grid: RankGrid,
    sizes: &LayerSizes,
) -> Result<TrainedModel, WorkloadError> {
    let (layers, microbatches) = (sizes.layers, spec.small("microbatches")?);
    let chunks = spec.small("chunks")?;
    let is_whole = microbatches.is_multiple_of(grid.pipeline) && grid.pipeline > 1;
    if chunks > 1 && !(is_whole && layers.is_multiple_of(u64::from(chunks))) {
        return Err(spec.impossible(format!(
            "{chunks} chunks need stages that take turns: 2 at least in `pipeline` (now {}), \
             `microbatches` that are a multiple of it (now {microbatches}), and `layers` that are \
             a multiple of `chunks` (now {layers})",
            grid.pipeline
        )));
    }
    let backward = spec.optional_count("backward").map(Span::from_ps);
    let loads = loads(spec, grid.experts)?;
    let sharding = match spec.text("sharding").as_str() {
        "zero-2" => Sharding::Gradients,
        "zero-3" => Sharding::Parameters,
        _ => Sharding::Nothing,
    };
    Ok(TrainedModel {
        layers: layers / u64::from(chunks),
        chunks,
        microbatches,
        forward: sizes.forward,
        backward: backward.unwrap_or(sizes.forward * 2),
        update: spec.time("update"),
        activation: sizes.activation,
        expert_message: (grid.experts > 1).then_some(sizes.message),
        loads: if grid.experts > 1 { loads } else { Vec::new() },
        has_tensor: grid.tensor > 1,
        buckets: if grid.data > 1 {
            buckets(sizes.gradients, spec.count("bucket"), layers)
        } else {
            Vec::new()
        },
        copies: u64::from(grid.data),
        sharding,
        overlap: spec.boolean("overlap"),
        schedule: if spec.text("schedule") == "gpipe" {
            Schedule::AllForward
        } else {
            Schedule::OneForwardOneBackward
        },
    })
}

/// Operations that a rank may have: the graph of its program is made before the run.
const MOST_OPERATIONS: u64 = 1 << 22;

/// Refuses programs that are too long before any part of them is made.
fn check_length(spec: &Spec<'_>, grid: RankGrid, sizes: &LayerSizes) -> Result<(), WorkloadError> {
    let count = |name: &str| u128::from(spec.count(name));
    // A layer has seven operations at most, each way.
    let passes = u128::from(sizes.layers) * count("microbatches") * 14 + 8;
    let buckets = if grid.data > 1 {
        u128::from(sizes.gradients).div_ceil(count("bucket").max(1))
    } else {
        0
    };
    let operations = (passes + buckets) * count("iterations");
    if operations > u128::from(MOST_OPERATIONS) {
        return Err(spec.impossible(format!(
            "each rank may have {operations} operations, and the limit is {MOST_OPERATIONS}; use \
             fewer `iterations`, `layers` or `microbatches`, a larger `bucket`, or `repeat`"
        )));
    }
    Ok(())
}

fn build(spec: &Spec<'_>, context: &JobContext<'_>) -> Result<Vec<NodeEndpoint>, WorkloadError> {
    let size = u32::try_from(context.nodes.len()).unwrap_or(u32::MAX);
    let grid = RankGrid::new(spec, size)?;
    let sizes = LayerSizes::new(spec, grid)?;
    check_length(spec, grid, &sizes)?;
    let model = model(spec, grid, &sizes)?;
    let (wait, iterations) = (spec.time("wait_before"), spec.count("iterations"));
    let (groups, scale) = (Groups::new(grid), Scale::of(spec));
    Ok(ranks(context, |rank| {
        let mut script = Script::new(&model, &grid.position(rank));
        for operation in &mut script.operations {
            *operation = scale.apply(operation.clone());
        }
        let program = repeated(script, wait, iterations);
        (program, grid.communicators(&groups, rank))
    }))
}

/// The program of so many iterations.
fn repeated(script: Script, wait_before: Span, iterations: u64) -> GraphProgram {
    let length = u32::try_from(script.operations.len()).unwrap_or(u32::MAX);
    let iterations = u32::try_from(iterations).unwrap_or(u32::MAX);
    let mut streams = Vec::new();
    let mut edges: Vec<Edge> = Vec::new();
    for iteration in 0..iterations {
        let first = iteration * length;
        // The last operation of an iteration is its mark, which waits for everything.
        edges.extend(first.checked_sub(1).map(|before| after(before, first)));
        let moved = script.edges.iter().map(|edge| Edge {
            earlier: edge.earlier + first,
            later: edge.later + first,
            ..*edge
        });
        edges.extend(moved);
        streams.extend_from_slice(&script.streams);
    }
    let Ok(graph) = Graph::new(&streams, &edges) else {
        unreachable!("every edge leads to a later operation")
    };
    let operations = script.operations;
    GraphProgram {
        graph,
        operations: Box::new(move |at: u32| operations[(at % length) as usize].clone()),
        wait_before,
    }
}
