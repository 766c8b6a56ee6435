//! Script of one rank in an iteration of training: computation, messages, collectives.

use std::sync::Arc;

use odonata_mpi::{CommId, Edge, Moment, Operation, Peer, Request};
use odonata_units::Span;

/// Ranks that hold the same layers and share each of them.
pub(super) const TENSOR: CommId = CommId(1);
/// Ranks that hold the same part of the model.
pub(super) const DATA: CommId = CommId(2);
/// Ranks among which experts are spread.
pub(super) const EXPERTS: CommId = CommId(3);

/// The mark with which an iteration begins.
const BEGIN: u32 = 0;
/// On which stream gradients are combined.
const BESIDE: u32 = 1;

/// Sizes and times that all ranks of a job share.
#[derive(Clone, Debug)]
pub(super) struct TrainedModel {
    /// Layers of a chunk, and chunks of a stage.
    pub(super) layers: u64,
    pub(super) chunks: u32,
    pub(super) microbatches: u32,
    /// The pass of a layer and a microbatch.
    pub(super) forward: Span,
    pub(super) backward: Span,
    pub(super) update: Span,
    /// Activations of a microbatch between two layers, bytes.
    pub(super) activation: u64,
    /// Bytes to each rank of the expert group; `None`: no experts.
    pub(super) expert_message: Option<u64>,
    /// What each rank with experts gets over what it would get evenly; none: all get the same.
    pub(super) loads: Vec<f64>,
    /// Whether layers are shared among ranks.
    pub(super) has_tensor: bool,
    /// Gradients that are combined over the data group, in their order; none without other ranks
    /// there.
    pub(super) buckets: Vec<Bucket>,
    /// Ranks of the data group.
    pub(super) copies: u64,
    pub(super) sharding: Sharding,
    pub(super) overlap: bool,
    pub(super) schedule: Schedule,
}

/// What the ranks of a data group keep once for all of them (Rajbhandari et al. 2020).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sharding {
    Nothing,
    /// Gradients and the optimiser: each rank updates its share of the parameters.
    Gradients,
    /// Parameters, too: those of a layer are gathered before each pass through it.
    Parameters,
}

impl TrainedModel {
    /// The share of a rank in so many bytes.
    const fn share(&self, bytes: u64) -> u64 {
        bytes.div_ceil(self.copies)
    }

    fn gradients(&self) -> u64 {
        self.buckets.iter().map(|bucket| bucket.bytes).sum()
    }

    fn combine(&self, bucket: Bucket) -> Operation {
        match self.sharding {
            Sharding::Nothing => DATA.allreduce(bucket.bytes),
            _ => DATA.reduce_scatter_block(self.share(bucket.bytes)),
        }
    }

    /// Bytes that a rank adds to the parameters of a layer; `None`: it has all of them.
    fn gathered(&self) -> Option<u64> {
        let is_cut = self.sharding == Sharding::Parameters && !self.buckets.is_empty();
        let layers = self.layers * u64::from(self.chunks);
        is_cut.then(|| self.share(self.gradients() / layers))
    }

    /// The exchange behind half `half` of a layer at a rank with experts, by its number: tokens to
    /// their experts, or back.
    fn exchange(&self, message: u64, expert: u32, half: usize) -> Operation {
        if self.loads.is_empty() {
            return EXPERTS.alltoall(message);
        }
        let there: Arc<[u64]> = self
            .loads
            .iter()
            .map(|load| scaled(message, *load))
            .collect();
        let here = vec![there[expert as usize]; there.len()].into();
        if half == 0 {
            EXPERTS.alltoallv(there, here)
        } else {
            EXPERTS.alltoallv(here, there)
        }
    }
}

/// A number times a factor, rounded.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "times and sizes are far below 2^53, and the cast saturates"
)]
fn scaled(number: u64, factor: f64) -> u64 {
    (number as f64 * factor).round() as u64
}

/// Gradients that are combined together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Bucket {
    pub(super) bytes: u64,
    /// It is full when so many layers have gone backward.
    pub(super) layers: u64,
}

/// In which order microbatches go through a stage.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Schedule {
    /// One forward, one backward (Narayanan et al. 2019).
    OneForwardOneBackward,
    /// All forward, then all backward (Huang et al. 2019).
    AllForward,
}

/// Where a rank stands: its stage, the ranks before and behind it round the pipeline, and its number
/// among those with experts.
#[derive(Clone, Copy, Debug)]
pub(super) struct PipelinePosition {
    pub(super) stage: u32,
    pub(super) stages: u32,
    pub(super) before: u32,
    pub(super) behind: u32,
    pub(super) expert: u32,
}

impl PipelinePosition {
    /// The rank from which chunk `chunk` hears, and the one that it tells, forward.
    fn neighbours(&self, chunk: u32, chunks: u32) -> [Option<u32>; 2] {
        [
            (self.stage > 0 || chunk > 0).then_some(self.before),
            (self.stage + 1 < self.stages || chunk + 1 < chunks).then_some(self.behind),
        ]
    }

    /// Microbatch and chunk of a pass forward: as many microbatches as there are stages go through
    /// one chunk after the other (Narayanan et al. 2021).
    const fn pass(&self, number: u32, chunks: u32) -> (u32, u32) {
        let (round, place) = (number / self.stages, number % self.stages);
        (round / chunks * self.stages + place, round % chunks)
    }
}

/// A pass of a microbatch through a chunk of a stage, by its number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Pass {
    Forward(u32),
    Backward(u32),
}

/// The passes of a stage in order.
///
/// One forward, one backward: a stage takes as many microbatches in as there are stages behind it
/// before its first backward pass, then one of each by turns, then what is left backward. With
/// chunks it takes in those of all chunks but the last one before, and two for each stage behind.
pub(super) fn passes(
    schedule: Schedule,
    position: &PipelinePosition,
    microbatches: u32,
    chunks: u32,
) -> Vec<Pass> {
    let (microbatches, behind) = (microbatches * chunks, position.stages - 1 - position.stage);
    let ahead = match schedule {
        Schedule::OneForwardOneBackward if chunks > 1 => {
            (2 * behind + (chunks - 1) * position.stages).min(microbatches)
        }
        Schedule::OneForwardOneBackward => behind.min(microbatches),
        Schedule::AllForward => microbatches,
    };
    let mut order: Vec<Pass> = (0..ahead).map(Pass::Forward).collect();
    for done in 0..microbatches {
        if ahead + done < microbatches {
            order.push(Pass::Forward(ahead + done));
        }
        order.push(Pass::Backward(done));
    }
    order
}

/// Cuts gradients of so many layers into buckets: one begins when it is full, the last one when
/// all layers have gone backward (Li et al. 2020).
pub(super) fn buckets(gradients: u64, bucket: u64, layers: u64) -> Vec<Bucket> {
    let count = gradients.div_ceil(bucket.max(1));
    let full = |index: u64| {
        let needed = u128::from(bucket) * u128::from(index + 1) * u128::from(layers);
        let layer = needed.div_ceil(u128::from(gradients.max(1)));
        u64::try_from(layer).unwrap_or(layers).min(layers)
    };
    let size = |index: u64| bucket.min(gradients - index * bucket);
    (0..count)
        .map(|index| Bucket {
            bytes: size(index),
            layers: full(index),
        })
        .collect()
}

/// The operations of one iteration with their streams, and what waits for what.
#[derive(Debug, Default)]
pub(super) struct Script {
    pub(super) operations: Vec<Operation>,
    pub(super) streams: Vec<u32>,
    pub(super) edges: Vec<Edge>,
    /// The last operation of each of the two streams.
    last: [Option<u32>; 2],
    requests: Vec<Request>,
    /// The gathering of the parameters of the next layer, and the passes through layers to come.
    gathered: Option<u32>,
    to_come: u64,
}

impl Script {
    /// One iteration of a rank.
    pub(super) fn new(model: &TrainedModel, position: &PipelinePosition) -> Self {
        let mut script = Self::default();
        script.then(Operation::IterationBegin);
        let order = passes(model.schedule, position, model.microbatches, model.chunks);
        script.to_come = model.layers * order.len() as u64;
        for &pass in &order {
            match pass {
                Pass::Forward(number) => script.forward(model, position, number),
                Pass::Backward(number) => script.backward(model, position, number),
            }
        }
        if !script.requests.is_empty() {
            let requests = std::mem::take(&mut script.requests);
            script.then(Operation::WaitAll(requests));
        }
        if !model.overlap {
            for bucket in &model.buckets {
                script.then(model.combine(*bucket));
            }
        }
        let gradients = script.last[BESIDE as usize];
        let update = script.then(Operation::Compute(model.update));
        script
            .edges
            .extend(gradients.map(|earlier| after(earlier, update)));
        if model.sharding == Sharding::Gradients && !model.buckets.is_empty() {
            script.then(DATA.allgather(model.share(model.gradients())));
        }
        script.then(Operation::IterationEnd);
        script
    }

    /// Appends an operation to a stream.
    fn push(&mut self, stream: u32, operation: Operation) -> u32 {
        let at = u32::try_from(self.operations.len()).unwrap_or(u32::MAX);
        let before = self.last[stream as usize].replace(at);
        self.edges.extend(before.map(|earlier| after(earlier, at)));
        self.operations.push(operation);
        self.streams.push(stream);
        at
    }

    /// The next operation of the program proper.
    fn then(&mut self, operation: Operation) -> u32 {
        self.push(0, operation)
    }

    fn forward(&mut self, model: &TrainedModel, position: &PipelinePosition, number: u32) {
        let (batch, chunk) = position.pass(number, model.chunks);
        let tag = |chunk| 2 * (batch * model.chunks + chunk);
        let [before, behind] = position.neighbours(chunk, model.chunks);
        if let Some(source) = before {
            self.then(receive(source, tag(chunk), model.activation));
        }
        for _ in 0..model.layers {
            self.layer(model, position.expert, model.forward);
        }
        if let Some(target) = behind {
            let is_last = position.stage + 1 == position.stages;
            let there = chunk + u32::from(is_last);
            self.start_send(target, tag(there), model.activation);
        }
    }

    /// Backward; gradients are complete with the last microbatch.
    fn backward(&mut self, model: &TrainedModel, position: &PipelinePosition, number: u32) {
        let (batch, done) = position.pass(number, model.chunks);
        let chunk = model.chunks - 1 - done;
        let tag = |chunk| 2 * (batch * model.chunks + chunk) + 1;
        let [before, behind] = position.neighbours(chunk, model.chunks);
        if let Some(source) = behind {
            self.then(receive(source, tag(chunk), model.activation));
        }
        for layer in 1..=model.layers {
            self.layer(model, position.expert, model.backward);
            if batch + 1 == model.microbatches && model.overlap {
                let ready = self.last[0];
                let full = u64::from(done) * model.layers + layer;
                for bucket in model.buckets.iter().filter(|one| one.layers == full) {
                    let at = self.push(BESIDE, model.combine(*bucket));
                    self.edges.extend(ready.map(|earlier| after(earlier, at)));
                }
            }
        }
        if let Some(target) = before {
            let there = chunk - u32::from(position.stage == 0);
            self.start_send(target, tag(there), model.activation);
        }
    }

    /// A layer one way: what is shared is combined twice, behind the attention and behind the rest
    /// (Shoeybi et al. 2019); tokens go to their experts and come back (Lepikhin et al. 2021).
    fn layer(&mut self, model: &TrainedModel, expert: u32, compute: Span) {
        let half = Span::from_ps(compute.ps() / 2);
        let mut rest = Span::from_ps(compute.ps() - half.ps());
        if let Some(load) = model.loads.get(expert as usize) {
            rest = Span::from_ps(scaled(rest.ps(), *load));
        }
        let parameters = self.gather(model);
        for (index, part) in [half, rest].into_iter().enumerate() {
            let at = self.then(Operation::Compute(part));
            if index == 0 {
                self.edges
                    .extend(parameters.map(|earlier| after(earlier, at)));
            }
            if model.has_tensor {
                self.then(TENSOR.allreduce(model.activation));
            }
            if let Some(bytes) = model.expert_message {
                self.then(model.exchange(bytes, expert, index));
            }
        }
    }

    /// The parameters of this layer are gathered while the one before computes, those of the next
    /// one from now on (Zhao et al. 2023): the operation that this layer waits for.
    fn gather(&mut self, model: &TrainedModel) -> Option<u32> {
        let bytes = model.gathered()?;
        let begun = self.last[0];
        let mine = self.gathered.take().unwrap_or_else(|| {
            let first = self.push(BESIDE, DATA.allgather(bytes));
            self.edges.push(after(BEGIN, first));
            first
        });
        self.to_come -= 1;
        if self.to_come > 0 {
            let next = self.push(BESIDE, DATA.allgather(bytes));
            self.edges.extend(begun.map(|earlier| after(earlier, next)));
            self.gathered = Some(next);
        }
        Some(mine)
    }

    fn start_send(&mut self, target: u32, tag: u32, bytes: u64) {
        let request = Request(tag);
        self.requests.push(request);
        self.then(Peer::in_job(target, tag).isend(bytes, request));
    }
}

const fn receive(source: u32, tag: u32, bytes: u64) -> Operation {
    Peer::in_job(source, tag).recv(bytes)
}

/// `later` starts after the end of `earlier`.
pub(super) const fn after(earlier: u32, later: u32) -> Edge {
    Edge {
        earlier,
        moment: Moment::End,
        later,
    }
}

#[cfg(test)]
mod tests {
    use super::{Bucket, Pass, PipelinePosition, Schedule, buckets, passes};

    #[test]
    fn a_bucket_is_full_when_enough_layers_are_done() {
        let full = |all: Vec<Bucket>| -> Vec<(u64, u64)> {
            all.iter().map(|one| (one.bytes, one.layers)).collect()
        };
        // 25 B a layer: 40 B are there after 2 layers, 80 B after 4.
        assert_eq!(full(buckets(100, 40, 4)), [(40, 2), (40, 4), (20, 4)]);
        assert_eq!(full(buckets(100, 100, 4)), [(100, 4)]);
        assert_eq!(full(buckets(100, 1_000, 1)), [(100, 1)]);
        assert!(buckets(0, 10, 4).is_empty());
        for (gradients, bucket, layers) in [(997, 10, 13), (5, 2, 100), (1 << 40, 25 << 20, 96)] {
            let all = buckets(gradients, bucket, layers);
            assert_eq!(all.iter().map(|one| one.bytes).sum::<u64>(), gradients);
            assert!(all.iter().all(|one| (1..=layers).contains(&one.layers)));
            assert!(all.is_sorted_by_key(|one| one.layers));
        }
    }

    #[test]
    fn passes_follow_their_schedules() {
        use Pass::{Backward, Forward};
        let at = |stage| PipelinePosition {
            stage,
            stages: 3,
            before: 0,
            behind: 0,
            expert: 0,
        };
        let by_turns = |stage| passes(Schedule::OneForwardOneBackward, &at(stage), 3, 1);
        let (f, b) = (Forward, Backward);
        assert_eq!(by_turns(2), [f(0), b(0), f(1), b(1), f(2), b(2)]);
        assert_eq!(by_turns(1), [f(0), f(1), b(0), f(2), b(1), b(2)]);
        assert_eq!(by_turns(0), [f(0), f(1), f(2), b(0), b(1), b(2)]);
        assert_eq!(
            passes(Schedule::AllForward, &at(2), 2, 1),
            [f(0), f(1), b(0), b(1)]
        );
        let of = |number| at(0).pass(number, 2);
        assert_eq!(
            [0, 2, 3, 5, 6].map(of),
            [(0, 0), (2, 0), (0, 1), (2, 1), (3, 0)]
        );
    }
}
