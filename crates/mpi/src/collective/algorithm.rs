//! The algorithms by name.

/// A published way to carry a collective out.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[non_exhaustive]
pub enum Algorithm {
    /// Complete binary tree by rank, children 2r+1 and 2r+2, the root swapped with rank 0; the
    /// whole payload on every edge (SST firefly, `CollectiveTree`).
    BinaryTree,
    /// Binomial tree (Thakur, Rabenseifner and Gropp 2005).
    Binomial,
    /// Partners at distances 1, 2, 4, ...; ranks beyond a power of two fold in first and are
    /// told the result last (Thakur, Rabenseifner and Gropp 2005).
    RecursiveDoubling,
    /// Recursive halving of the payload, then recursive doubling (Rabenseifner; Thakur,
    /// Rabenseifner and Gropp 2005).
    Rabenseifner,
    /// Everybody hears of everybody in the fewest rounds (Hensgen, Finkel and Manber 1988).
    Dissemination,
    /// Blocks passed to the right neighbour (Patarasuk and Yuan 2009).
    Ring,
    /// Round i: from rank - i, to rank + i, the next round when both are done; the receive is
    /// posted first and the send blocks (SST firefly, `Alltoallv`).
    RingRounds,
    /// Round i: exchange with rank XOR i, or with rank - i and rank + i if the size is no power
    /// of two (Thakur, Rabenseifner and Gropp 2005).
    Pairwise,
    /// The root with everybody, everybody with everybody at once, or each rank with the next one.
    Linear,
    /// Halves of the blocks to partners at distances n/2, ..., 2, 1 (Thakur, Rabenseifner and
    /// Gropp 2005).
    RecursiveHalving,
    /// Round r: everything one has, or all that still has `2^r` to go, to or from the rank `2^r`
    /// away (Bruck, Ho, Kipnis, Upfal and Weathersby 1997).
    Bruck,
    /// Neighbours by turns to the left and right, two blocks at a time; an even number of ranks,
    /// otherwise a ring (Chen, Zhang, Zhang and Yuan 2005).
    NeighborExchange,
    /// Binomial scatter, then allgather by recursive doubling (van de Geijn; Thakur, Rabenseifner
    /// and Gropp 2005).
    ScatterDoubling,
    /// Binomial scatter, then allgather by a ring (van de Geijn; Thakur, Rabenseifner and Gropp
    /// 2005).
    ScatterRing,
    /// A chain of ranks through which the payload passes in segments.
    Pipeline,
    /// Two binary trees with half of the payload each; who is inside one is a leaf of the other
    /// (Sanders, Speck and Traeff 2009; NCCL).
    DoubleTree,
    /// As the double tree, in segments that go up and down at once (NCCL).
    PipelinedTrees,
    /// As many rings as a node has ranks, each with its share of the payload, which enter and leave
    /// the nodes at another rank (NCCL's channels).
    RingChannels,
    /// A binomial tree for each rank, all of them at once, the largest distances first for
    /// allgather and last for reduce-scatter (Jeaugey 2025; NCCL's PAT).
    Pat,
    /// Bine: partners at the alternating distances 1, -1, 3, -5, 11, ... (De Sensi et al. 2025).
    Bine,
    /// Bine with halves of the payload, as Rabenseifner's (De Sensi et al. 2025).
    BineHalving,
    /// Inside each node first, then one rank of each node, then inside the nodes again.
    Hierarchical,
    /// By size and number of ranks, as MPICH chooses.
    Mpich,
    /// By size and number of ranks, as Open MPI chooses.
    OpenMpi,
    /// By size, much as NCCL does.
    NcclLike,
}

/// Name, summary and source of each algorithm.
const ALGORITHMS: [(Algorithm, [&str; 3]); 25] = [
    (
        Algorithm::BinaryTree,
        [
            "binary-tree",
            "complete binary tree by rank, whole payload on every edge",
            "SST firefly, CollectiveTree",
        ],
    ),
    (
        Algorithm::Binomial,
        [
            "binomial",
            "binomial tree, whole payload on every edge",
            "Thakur, Rabenseifner and Gropp 2005",
        ],
    ),
    (
        Algorithm::RecursiveDoubling,
        [
            "recursive-doubling",
            "partners at distances 1, 2, 4, ...; whole payload in each round",
            "Thakur, Rabenseifner and Gropp 2005",
        ],
    ),
    (
        Algorithm::Rabenseifner,
        [
            "rabenseifner",
            "halves of the payload to partners at distances 1, 2, 4, ..., then gathered backwards",
            "Rabenseifner; Thakur, Rabenseifner and Gropp 2005",
        ],
    ),
    (
        Algorithm::Dissemination,
        [
            "dissemination",
            "round r: tell the rank 2^r further on, hear from the one 2^r before",
            "Hensgen, Finkel and Manber 1988",
        ],
    ),
    (
        Algorithm::Ring,
        [
            "ring",
            "blocks passed to the right neighbour",
            "Patarasuk and Yuan 2009",
        ],
    ),
    (
        Algorithm::RingRounds,
        [
            "ring-rounds",
            "round i: receive from rank - i, blocking send to rank + i",
            "SST firefly, Alltoallv",
        ],
    ),
    (
        Algorithm::Pairwise,
        [
            "pairwise",
            "round i: exchange with rank XOR i, or with ranks at distance i",
            "Thakur, Rabenseifner and Gropp 2005",
        ],
    ),
    (
        Algorithm::Linear,
        [
            "linear",
            "the root with every rank, all with all at once, or a chain of ranks",
            "the plain way",
        ],
    ),
    (
        Algorithm::RecursiveHalving,
        [
            "recursive-halving",
            "halves of the blocks to partners at distances n/2, ..., 2, 1",
            "Thakur, Rabenseifner and Gropp 2005",
        ],
    ),
    (
        Algorithm::Bruck,
        [
            "bruck",
            "round r: what has 2^r to go moves by 2^r; few messages, more bytes",
            "Bruck, Ho, Kipnis, Upfal and Weathersby 1997",
        ],
    ),
    (
        Algorithm::NeighborExchange,
        [
            "neighbor-exchange",
            "neighbours by turns left and right, two blocks a message; a ring if ranks are odd",
            "Chen, Zhang, Zhang and Yuan 2005",
        ],
    ),
    (
        Algorithm::ScatterDoubling,
        [
            "scatter-doubling",
            "binomial scatter, then allgather by recursive doubling",
            "van de Geijn; Thakur, Rabenseifner and Gropp 2005",
        ],
    ),
    (
        Algorithm::ScatterRing,
        [
            "scatter-ring",
            "binomial scatter, then allgather by a ring",
            "van de Geijn; Thakur, Rabenseifner and Gropp 2005",
        ],
    ),
    (
        Algorithm::Pipeline,
        [
            "pipeline",
            "a chain of ranks, the payload in segments of 64 KiB",
            "Open MPI, coll_tuned; the segment is one of the four it uses",
        ],
    ),
    (
        Algorithm::DoubleTree,
        [
            "double-tree",
            "two binary trees with half of the payload each, leaves of one inside the other",
            "Sanders, Speck and Traeff 2009; NCCL, without its pipelining",
        ],
    ),
    (
        Algorithm::PipelinedTrees,
        [
            "pipelined-trees",
            "two binary trees with half of the payload each, in segments of 64 KiB, up and down at \
             once",
            "Sanders, Speck and Traeff 2009; NCCL; segments assumed, 64 at most for each half",
        ],
    ),
    (
        Algorithm::RingChannels,
        [
            "ring-channels",
            "a ring for each rank of a node, with its share of the payload and its own way in and \
             out; one ring where nodes differ",
            "NCCL documentation, channels",
        ],
    ),
    (
        Algorithm::Pat,
        [
            "pat",
            "a binomial tree for each rank, all at once: blocks at a distance of 2^r go together",
            "Jeaugey 2025 (PAT), NCCL 2.23; without a limit on what goes together",
        ],
    ),
    (
        Algorithm::Bine,
        [
            "bine",
            "binomial negabinary tree or butterfly: distances 1, -1, 3, -5, 11, ...",
            "De Sensi et al. 2025",
        ],
    ),
    (
        Algorithm::BineHalving,
        [
            "bine-halving",
            "Bine butterfly with halves of the payload, as rabenseifner",
            "De Sensi et al. 2025",
        ],
    ),
    (
        Algorithm::Hierarchical,
        [
            "hierarchical",
            "binomial inside each node, between one rank of each node as mpich chooses",
            "MPICH, SMP collectives",
        ],
    ),
    (
        Algorithm::Mpich,
        [
            "mpich",
            "by size and number of ranks, as MPICH chooses",
            "MPICH 3.1 to 4.0, MPIR_CVAR defaults; Thakur, Rabenseifner and Gropp 2005",
        ],
    ),
    (
        Algorithm::OpenMpi,
        [
            "openmpi",
            "by size and number of ranks, as Open MPI chooses",
            "Open MPI 1.3, coll_tuned_decision_fixed.c; segmented trees are plain ones here",
        ],
    ),
    (
        Algorithm::NcclLike,
        [
            "nccl-like",
            "rings and double trees by size, much as NCCL does",
            "NCCL documentation; its limits follow from a model, ours are assumed",
        ],
    ),
];

impl Algorithm {
    fn entry(self) -> [&'static str; 3] {
        let entry = ALGORITHMS.iter().find(|(algorithm, _)| *algorithm == self);
        entry.map_or(["", "", ""], |(_, words)| *words)
    }

    /// Registry name.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.entry()[0]
    }

    /// One line on what it does.
    #[must_use]
    pub fn summary(self) -> &'static str {
        self.entry()[1]
    }

    /// Where it is described.
    #[must_use]
    pub fn source(self) -> &'static str {
        self.entry()[2]
    }
}
