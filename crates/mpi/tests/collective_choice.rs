//! What `mpich`, `openmpi` and `nccl-like` choose on both sides of each of their limits.

use odonata_mpi::collective::{Shape, Sizes};
use odonata_mpi::{Algorithm, Collective, CollectiveKind, Primitive};

/// Steps of rank 5 of `size`.
fn steps(kind: CollectiveKind, algorithm: Algorithm, size: u32, sizes: Sizes) -> Vec<Primitive> {
    let shape = Shape {
        rank: size / 2,
        size,
        root: 1,
        incoming: sizes.clone(),
        sizes,
    };
    let mut steps = Collective::new(kind, algorithm, shape);
    std::iter::from_fn(|| Some(steps.advance()))
        .take_while(|step| *step != Primitive::Done)
        .collect()
}

fn sizes(kind: CollectiveKind, bytes: u64, size: u32) -> Sizes {
    match kind {
        CollectiveKind::Allreduce => Sizes::Cut(bytes),
        CollectiveKind::ReduceScatter => Sizes::Each(vec![bytes; size as usize].into()),
        _ => Sizes::Uniform(bytes),
    }
}

/// Rows: collective, ranks, bytes (payload, or each block), what is chosen.
fn check(library: Algorithm, rows: &[(CollectiveKind, u32, u64, Algorithm)]) {
    for &(kind, size, bytes, wanted) in rows {
        let sizes = sizes(kind, bytes, size);
        let case_name = format!("{} among {size} ranks, {bytes} B", kind.name());
        let chosen = steps(kind, library, size, sizes.clone());
        assert_eq!(
            chosen,
            steps(kind, wanted, size, sizes.clone()),
            "{case_name}"
        );
        // A row that any algorithm would satisfy shows nothing.
        let differs = |other: &&Algorithm| chosen != steps(kind, **other, size, sizes.clone());
        assert!(
            kind.algorithms().iter().any(|other| differs(&other)),
            "{case_name}"
        );
    }
}

#[test]
fn mpich_keeps_to_its_limits() {
    use Algorithm as A;
    use CollectiveKind as K;
    check(
        A::Mpich,
        &[
            (K::Barrier, 16, 0, A::Dissemination),
            (K::Bcast, 16, 12_287, A::Binomial),
            (K::Bcast, 16, 12_288, A::ScatterDoubling),
            (K::Bcast, 7, 12_288, A::Binomial),
            (K::Bcast, 12, 12_288, A::ScatterRing),
            (K::Bcast, 16, 524_287, A::ScatterDoubling),
            (K::Bcast, 16, 524_288, A::ScatterRing),
            (K::Reduce, 12, 2_048, A::Binomial),
            (K::Reduce, 12, 2_049, A::Rabenseifner),
            (K::Allreduce, 12, 2_048, A::RecursiveDoubling),
            (K::Allreduce, 12, 2_049, A::Rabenseifner),
            (K::Allreduce, 4_096, 2_049, A::RecursiveDoubling),
            (K::Alltoall, 8, 256, A::Bruck),
            (K::Alltoall, 7, 256, A::Linear),
            (K::Alltoall, 8, 257, A::Linear),
            (K::Alltoall, 8, 32_768, A::Linear),
            (K::Alltoall, 8, 32_769, A::Pairwise),
            (K::Allgather, 16, 32_767, A::RecursiveDoubling),
            (K::Allgather, 16, 32_768, A::Ring),
            (K::Allgather, 10, 8_191, A::Bruck),
            (K::Allgather, 10, 8_192, A::Ring),
            (K::ReduceScatter, 16, 32_767, A::RecursiveHalving),
            (K::ReduceScatter, 16, 32_768, A::Pairwise),
            (K::Gather, 12, 100_000, A::Binomial),
            (K::Scatter, 12, 100_000, A::Binomial),
            (K::Scan, 12, 8, A::RecursiveDoubling),
        ],
    );
}

#[test]
fn open_mpi_keeps_to_its_limits() {
    use Algorithm as A;
    use CollectiveKind as K;
    check(
        A::OpenMpi,
        &[
            (K::Barrier, 16, 0, A::RecursiveDoubling),
            (K::Barrier, 12, 0, A::Dissemination),
            (K::Bcast, 12, 2_047, A::Binomial),
            (K::Bcast, 12, 2_048, A::BinaryTree),
            (K::Bcast, 12, 370_727, A::BinaryTree),
            (K::Bcast, 12, 370_728, A::Pipeline),
            (K::Reduce, 7, 511, A::Linear),
            (K::Reduce, 7, 512, A::Binomial),
            (K::Reduce, 7, 20_480, A::Pipeline),
            (K::Reduce, 12, 2_047, A::BinaryTree),
            // 12 > 0.6016 / 1,024 * 18,000 + 1.3496 = 11.92.
            (K::Reduce, 12, 18_000, A::BinaryTree),
            (K::Reduce, 12, 18_200, A::Pipeline),
            (K::Allreduce, 12, 9_999, A::RecursiveDoubling),
            (K::Allreduce, 12, 10_000, A::Ring),
            (K::Alltoall, 13, 199, A::Bruck),
            (K::Alltoall, 12, 199, A::Linear),
            (K::Alltoall, 13, 200, A::Linear),
            (K::Alltoall, 13, 3_000, A::Pairwise),
            (K::Allgather, 16, 3_124, A::RecursiveDoubling),
            (K::Allgather, 10, 4_999, A::Bruck),
            (K::Allgather, 10, 5_000, A::NeighborExchange),
            (K::Allgather, 11, 5_000, A::Ring),
            (K::ReduceScatter, 12, 1_024, A::RecursiveHalving),
            (K::ReduceScatter, 12, 1_025, A::Ring),
            (K::ReduceScatter, 16, 16_384, A::RecursiveHalving),
            (K::ReduceScatter, 16, 16_385, A::Ring),
            (K::Gather, 12, 8, A::Linear),
            (K::Scan, 12, 8, A::Linear),
        ],
    );
}

#[test]
fn nccl_like_takes_trees_for_what_is_small() {
    use Algorithm as A;
    use CollectiveKind as K;
    check(
        A::NcclLike,
        &[
            (K::Allreduce, 12, 1 << 20, A::DoubleTree),
            (K::Allreduce, 12, (1 << 20) + 1, A::Ring),
            (K::Allgather, 12, 8, A::Ring),
            (K::ReduceScatter, 12, 8, A::Ring),
            (K::Bcast, 12, 1_000_000, A::Pipeline),
            (K::Alltoall, 12, 8, A::Linear),
        ],
    );
}

#[test]
fn individual_sizes_are_never_passed_on_by_who_does_not_know_them() {
    use Algorithm as A;
    use CollectiveKind as K;
    for (kind, asked, taken) in [
        (K::Gather, A::Binomial, A::Linear),
        (K::Gather, A::Mpich, A::Linear),
        (K::Scatter, A::Mpich, A::Linear),
        (K::Alltoall, A::Bruck, A::Pairwise),
        (K::Alltoall, A::Mpich, A::Linear),
        (K::Alltoall, A::OpenMpi, A::Pairwise),
    ] {
        let sizes = Sizes::Each((0..12).collect::<Vec<_>>().into());
        let (chosen, wanted) = (
            steps(kind, asked, 12, sizes.clone()),
            steps(kind, taken, 12, sizes),
        );
        assert_eq!(chosen, wanted, "{}", kind.name());
    }
    let own = |kind, algorithm| steps(kind, algorithm, 12, Sizes::Own(5));
    assert_eq!(own(K::Gather, A::Binomial), own(K::Gather, A::Linear));
}
