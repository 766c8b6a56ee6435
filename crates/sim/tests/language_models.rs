//! Training and inference of language models against the reference model.

use odonata_reference::testing::kang2022;
use serde_json::json;

use crate::reference::compare;

/// Programs that are graphs: gradients beside computation, stages, shared layers, experts.
#[test]
fn training_agrees() {
    let jobs = [
        json!({"kind": "training", "ranks": 24, "pipeline": 3, "tensor": 2, "experts": 2,
               "layers": 2, "microbatches": 2, "forward": 300_000, "activation": 4_000,
               "gradients": 60_000, "bucket": 25_000, "iterations": 1}),
        json!({"kind": "training", "ranks": 20, "layers": 4, "forward": 200_000,
               "gradients": 80_000, "bucket": 20_000, "iterations": 2,
               "mpi": {"collectives": "nccl-like"}}),
        json!({"kind": "training", "ranks": 24, "pipeline": 2, "chunks": 2, "layers": 2,
               "microbatches": 2, "forward": 100_000, "activation": 3_000, "experts": 4,
               "expert_skew": 1.0, "gradients": 30_000, "bucket": 9_000, "sharding": "zero-3",
               "iterations": 1, "mpi": {"allgather": "pat", "reduce_scatter": "pat"}}),
    ];
    let (records, ranks) = compare(&kang2022(), "ugal-node", &jobs);
    assert!(records.len() > 5_000, "the jobs talk: {}", records.len());
    assert!(ranks.iter().all(|rank| rank.iterations.len() <= 2));
}

/// Programs that go on as messages say: batches that requests join when their caches are there.
#[test]
fn inference_agrees() {
    let job = |tensor: u32, arrival: &str| {
        json!({"kind": "inference", "ranks": 6 * tensor, "tensor": tensor, "prefill": 2,
               "model": "mixtral-8x7b", "layers": 2, "requests": 9, "rate": 200_000.0,
               "arrival": arrival, "lengths": "exponential", "prompt": 12, "output": 5,
               "flops": 3e16, "memory": 300_000_000_000_000_u64})
    };
    let jobs = [
        job(4, "exponential"),
        job(2, "fixed"),
        job(1, "exponential"),
    ];
    let (records, ranks) = compare(&kang2022(), "ugal-node", &jobs);
    assert!(records.len() > 5_000, "the jobs talk: {}", records.len());
    assert!(
        ranks
            .iter()
            .all(|rank| rank.finished && !rank.iterations.is_empty())
    );
}
