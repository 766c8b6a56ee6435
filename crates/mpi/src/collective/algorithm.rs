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
    /// MPICH's choice: recursive doubling up to 2,048 B, Rabenseifner's above (Thakur, Rabenseifner
    /// and Gropp 2005).
    Mpich,
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
    /// The root with everybody, or each rank with the next one.
    Linear,
}

/// Name, summary and source of each algorithm.
const ALGORITHMS: [(Algorithm, [&str; 3]); 10] = [
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
        Algorithm::Mpich,
        [
            "mpich",
            "recursive-doubling up to 2,048 B, rabenseifner above",
            "Thakur, Rabenseifner and Gropp 2005; MPICH",
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
            "the root with every rank in turn, or a chain of ranks",
            "the plain way",
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
