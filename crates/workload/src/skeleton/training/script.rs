//! Script of one rank in an iteration of training: computation, messages, collectives.

use odonata_mpi::{CommId, Edge, Moment, Operation, Peer, Request};
use odonata_units::Span;

/// Ranks that hold the same layers and share each of them.
pub(super) const TENSOR: CommId = CommId(1);
/// Ranks that hold the same part of the model.
pub(super) const DATA: CommId = CommId(2);
/// Ranks among which experts are spread.
pub(super) const EXPERTS: CommId = CommId(3);

/// On which stream gradients are combined.
const BESIDE: u32 = 1;

/// Sizes and times that all ranks of a job share.
#[derive(Clone, Debug)]
pub(super) struct TrainedModel {
    pub(super) layers: u64,
    pub(super) microbatches: u32,
    /// The pass of a layer and a microbatch.
    pub(super) forward: Span,
    pub(super) backward: Span,
    pub(super) update: Span,
    /// Activations of a microbatch between two layers, bytes.
    pub(super) activation: u64,
    /// Bytes to each rank of the expert group; `None`: no experts.
    pub(super) expert_message: Option<u64>,
    /// Whether layers are shared among ranks.
    pub(super) has_tensor: bool,
    /// Bytes of all-reduces over the data group, in their order; none without other ranks there.
    pub(super) buckets: Vec<Bucket>,
    pub(super) overlap: bool,
    pub(super) schedule: Schedule,
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

/// Where a rank stands in the pipeline: its stage, and the ranks before and behind it.
#[derive(Clone, Copy, Debug)]
pub(super) struct PipelinePosition {
    pub(super) stage: u32,
    pub(super) stages: u32,
    pub(super) before: Option<u32>,
    pub(super) behind: Option<u32>,
}

/// A pass of a microbatch through a stage.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Pass {
    Forward(u32),
    Backward(u32),
}

/// The passes of a stage in order.
///
/// One forward, one backward: a stage takes as many microbatches in as there are stages behind it
/// before its first backward pass, then one of each by turns, then what is left backward.
pub(super) fn passes(
    schedule: Schedule,
    position: &PipelinePosition,
    microbatches: u32,
) -> Vec<Pass> {
    let ahead = match schedule {
        Schedule::OneForwardOneBackward => (position.stages - 1 - position.stage).min(microbatches),
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
}

impl Script {
    /// One iteration of a rank.
    pub(super) fn new(model: &TrainedModel, position: &PipelinePosition) -> Self {
        let mut script = Self::default();
        script.then(Operation::IterationBegin);
        let order = passes(model.schedule, position, model.microbatches);
        for &pass in &order {
            match pass {
                Pass::Forward(batch) => script.forward(model, position, batch),
                Pass::Backward(batch) => {
                    let is_last = Some(&pass) == order.last();
                    script.backward(model, position, batch, is_last);
                }
            }
        }
        if !script.requests.is_empty() {
            let requests = std::mem::take(&mut script.requests);
            script.then(Operation::WaitAll(requests));
        }
        if !model.overlap {
            for bucket in &model.buckets {
                script.then(DATA.allreduce(bucket.bytes));
            }
        }
        let gradients = script.last[BESIDE as usize];
        let update = script.then(Operation::Compute(model.update));
        script
            .edges
            .extend(gradients.map(|earlier| after(earlier, update)));
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

    fn forward(&mut self, model: &TrainedModel, position: &PipelinePosition, batch: u32) {
        if let Some(source) = position.before {
            self.then(receive(source, 2 * batch, model.activation));
        }
        for _ in 0..model.layers {
            self.layer(model, model.forward);
        }
        if let Some(target) = position.behind {
            self.start_send(target, 2 * batch, model.activation);
        }
    }

    /// Backward; gradients are complete with the last microbatch.
    fn backward(
        &mut self,
        model: &TrainedModel,
        position: &PipelinePosition,
        batch: u32,
        is_last: bool,
    ) {
        if let Some(source) = position.behind {
            self.then(receive(source, 2 * batch + 1, model.activation));
        }
        for layer in 1..=model.layers {
            self.layer(model, model.backward);
            if is_last && model.overlap {
                let ready = self.last[0];
                for bucket in model.buckets.iter().filter(|one| one.layers == layer) {
                    let at = self.push(BESIDE, DATA.allreduce(bucket.bytes));
                    self.edges.extend(ready.map(|earlier| after(earlier, at)));
                }
            }
        }
        if let Some(target) = position.before {
            self.start_send(target, 2 * batch + 1, model.activation);
        }
    }

    /// A layer one way: what is shared is combined twice, behind the attention and behind the rest
    /// (Shoeybi et al. 2019); tokens go to their experts and come back (Lepikhin et al. 2021).
    fn layer(&mut self, model: &TrainedModel, compute: Span) {
        let half = Span::from_ps(compute.ps() / 2);
        let rest = Span::from_ps(compute.ps() - half.ps());
        for part in [half, rest] {
            self.then(Operation::Compute(part));
            if model.has_tensor {
                self.then(TENSOR.allreduce(model.activation));
            }
            if let Some(bytes) = model.expert_message {
                self.then(EXPERTS.alltoall(bytes));
            }
        }
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
            before: None,
            behind: None,
        };
        let by_turns = |stage| passes(Schedule::OneForwardOneBackward, &at(stage), 3);
        let (f, b) = (Forward, Backward);
        assert_eq!(by_turns(2), [f(0), b(0), f(1), b(1), f(2), b(2)]);
        assert_eq!(by_turns(1), [f(0), f(1), b(0), f(2), b(1), b(2)]);
        assert_eq!(by_turns(0), [f(0), f(1), f(2), b(0), b(1), b(2)]);
        assert_eq!(
            passes(Schedule::AllForward, &at(2), 2),
            [f(0), f(1), b(0), b(1)]
        );
    }
}
