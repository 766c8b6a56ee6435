//! Clusters of nodes whose length is geometrically distributed.

use odonata_registry::Parameter;
use odonata_units::{NodeId, Stream};

use crate::entry::{PlacementEntry, PlacementRequest};
use crate::error::PlacementError;

const MEAN_LENGTH: Parameter = Parameter::count(
    "mean_length",
    64,
    "mean nodes of a cluster, 1/p of the geometric distribution; the study's is not published",
)
.at_least(1)
.at_most(u32::MAX as u64)
.source("Odonata's own: Mubarak et al. 2019 do not give the parameter of the distribution");

pub(super) const ENTRY: PlacementEntry = PlacementEntry {
    name: "geometric",
    summary: "clusters of consecutive free nodes at random places, their length geometrically \
              distributed",
    source: "Mubarak et al. 2019, section IV-D; the parameter of the distribution is ours",
    parameters: &[MEAN_LENGTH],
    choose,
};

/// A cluster starts at a node drawn from those still free and takes the free nodes from there on,
/// in the order of their ids and from the last one on to the first.
fn choose(request: &mut PlacementRequest<'_>) -> Result<Vec<NodeId>, PlacementError> {
    let mean = u32::try_from(request.spec.count("mean_length")).unwrap_or(u32::MAX);
    let mut free = request.free.nodes().to_vec();
    let wanted = request.nodes as usize;
    let mut nodes = Vec::with_capacity(wanted);
    while nodes.len() < wanted {
        let count = u32::try_from(free.len()).unwrap_or(u32::MAX);
        let start = request.stream.below(count) as usize;
        let longest = wanted - nodes.len();
        let length = cluster_length(mean, longest, request.stream);
        let end = (start + length).min(free.len());
        let wrapped = length - (end - start);
        nodes.extend(free.drain(start..end));
        nodes.extend(free.drain(..wrapped));
    }
    Ok(nodes)
}

/// Number of trials up to the first success of probability 1 / `mean`, at most `longest`.
///
/// This is the geometric distribution that inverse transform sampling, ceil(ln u / ln(1 - p)),
/// draws from, in integers. Cost O(result).
fn cluster_length(mean: u32, longest: usize, stream: &mut Stream) -> usize {
    let trials = (1..longest).find(|_| stream.below(mean) == 0);
    trials.unwrap_or(longest)
}

#[cfg(test)]
mod tests {
    use odonata_units::{Purpose, Stream};

    use super::cluster_length;

    #[test]
    fn lengths_are_geometric() {
        // P(length = k) = p (1 - p)^(k - 1), p = 1/4: chi-square over 1..=9 and the rest, with 9
        // degrees of freedom; 27.9 is exceeded once in a thousand seeds.
        let mut stream = Stream::new(5, Purpose::Placement, 0);
        let mut counts = [0_u32; 10];
        for _ in 0..100_000 {
            counts[cluster_length(4, 1_000, &mut stream).min(10) - 1] += 1;
        }
        let mut left = 1.0;
        let mut chi = 0.0;
        for (index, &count) in counts.iter().enumerate() {
            let share = if index == 9 { left } else { left / 4.0 };
            left -= share;
            chi += (f64::from(count) - share * 100_000.0).powi(2) / (share * 100_000.0);
        }
        assert!(chi < 27.9, "{chi}");
        assert_eq!(cluster_length(1, 9, &mut stream), 1);
        assert_eq!(cluster_length(u32::MAX, 9, &mut stream), 9);
    }
}
