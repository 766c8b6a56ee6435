//! The one adaptive rule, as data.

use odonata_topology::PortIndex;

use crate::ladder::VcScheme;
pub use crate::observation::Estimate;
use crate::observation::Observation;

/// Where the non-minimal candidate leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Intermediate {
    /// A random router outside the source and target groups, of which only the group matters: the
    /// packet crosses that group minimally (UGALg of Kang et al. 2022, section II-B).
    Group,
    /// A router drawn as for [`Intermediate::Group`], which the packet visits (UGALn and PAR
    /// there).
    Router,
    /// The router of a random node of the whole machine. In the source group: the packet stays
    /// minimal. The target group is allowed (BookSim2's `ugal_dragonflynew`).
    AnyNode,
    /// A random router outside the source group, which the packet visits; the target group is
    /// allowed (CODES, dragonfly-custom).
    OutsideRouter,
}

impl Intermediate {
    /// Whether the packet visits the drawn router itself, not just its group.
    #[inline]
    #[must_use]
    pub const fn is_visited(self) -> bool {
        !matches!(self, Self::Group)
    }
}

/// How minimal and non-minimal paths are chosen between.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice {
    /// Always minimal.
    Minimal,
    /// Always non-minimal (Valiant), except inside one group.
    NonMinimal,
    /// By the comparison.
    Adaptive,
}

/// How several candidates of one kind relate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Candidates {
    /// Drawn one by one; two may coincide.
    Independent,
    /// The gateways of two minimal candidates differ where the group pair has several; each
    /// non-minimal candidate draws its own intermediate.
    DistinctGateways,
    /// As `DistinctGateways`, and non-minimal candidates are different gateways towards one router
    /// (CODES, dragonfly-custom).
    OneIntermediate,
}

/// For which packets a choice exists.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// For packets that leave their group.
    Global,
    /// Also inside a group, over a random router of it.
    Everywhere,
}

/// Which random numbers paths are drawn with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Draws {
    /// The stream of the router: every packet draws anew.
    PerPacket,
    /// A hash of source and target node: all packets of the pair take one path.
    PerPair,
}

/// Which packets of a mode are ordered: they follow the one before them in their flow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ordered {
    /// None: every packet decides for itself.
    None,
    /// Those of messages that ask for it.
    Eager,
    /// All.
    All,
}

/// Numbers of an algorithm whose paths are decided at NICs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Spray {
    /// `S`: the highest score of a path.
    pub top_score: u32,
    /// What a mark takes off a score, percent of it.
    pub mark_cut: u32,
    /// Weight of the minimal path, percent of that of all others together.
    pub minimal_percent: u32,
}

impl Spray {
    /// The weight of a minimal path for which others weigh so much.
    pub(crate) fn weight(self, others: u32) -> u32 {
        let weight = u64::from(others) * u64::from(self.minimal_percent) / 100;
        u32::try_from(weight).unwrap_or(u32::MAX)
    }
}

/// Factors of the two sides of the comparison.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Weights {
    /// The minimal side with 1, the non-minimal one with `scale`.
    Scale,
    /// Each with the hops of its path from here on (Kim et al. 2008, section 4.2).
    Hops,
}

/// Congestion on the two sides of the comparison, flits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Congestion {
    /// Congestion of the minimal path's output port, flits.
    pub minimal: u32,
    /// Congestion of the non-minimal path's output port, flits.
    pub nonminimal: u32,
}

/// The two candidates of a comparison, each pair in the order minimal, non-minimal.
#[derive(Clone, Copy)]
pub(crate) struct Compared {
    /// Output ports.
    pub(crate) ports: [PortIndex; 2],
    /// Factors of the flits at the ports.
    pub(crate) weights: [u32; 2],
    /// Hops that the packet has made in its source group.
    pub(crate) hops_made: u8,
}

/// A routing algorithm: non-minimal iff
/// `w_min * q_min > w_nonmin * q_nonmin * (1 + bias_percent / 100) + bias` and `q_min > threshold`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rule {
    /// Between which paths.
    pub choice: Choice,
    /// Where non-minimal paths lead.
    pub intermediate: Intermediate,
    /// Minimal candidates drawn among parallel global links; the least congested is compared.
    pub minimal_candidates: u8,
    /// Non-minimal candidates drawn; the least congested is compared.
    pub nonminimal_candidates: u8,
    /// How candidates of one kind relate.
    pub candidates: Candidates,
    /// For which packets there is a choice.
    pub scope: Scope,
    /// Estimate that the comparison reads.
    pub estimate: Estimate,
    /// When both candidates leave by one port, compare the VC each would use (Kang et al.'s code)
    /// instead of the port with itself.
    pub same_port_by_vc: bool,
    /// Where the weights are from.
    pub weights: Weights,
    /// Weight of the non-minimal side; not read where hops are the weights.
    pub scale: u32,
    /// Added to the non-minimal side, flits; larger means more minimal.
    pub bias: i64,
    /// Added to the non-minimal side, full packets of the system; larger means more minimal. Part of
    /// `bias` once the length of packets is known ([`crate::Mode::with_packets_of`]).
    pub bias_packets: i64,
    /// Added to the non-minimal side, percent of it; larger means more minimal.
    pub bias_percent: i64,
    /// Added to the bias for each router of the source group behind the packet, flits.
    pub bias_step: i64,
    /// Flits up to which the minimal side is taken without a comparison; 0: always compare.
    pub threshold: u32,
    /// A minimal choice may be revised at the next routers of the source group (PAR).
    pub progressive: bool,
    /// Where paths are drawn from.
    pub draws: Draws,
    /// Which packets follow the one before them in their flow.
    pub ordered: Ordered,
    /// The longest pause within a period of a flow, ns; read where packets are ordered.
    pub flow_gap_ns: u32,
    /// How NICs decide on paths, if they do: the rule is then for what they leave to routers.
    pub spray: Option<Spray>,
    /// The ladder.
    pub vcs: VcScheme,
}

impl Rule {
    /// Every packet on a minimal path; other algorithms say what they change.
    pub(crate) const MINIMAL: Self = Self {
        choice: Choice::Minimal,
        intermediate: Intermediate::Group,
        minimal_candidates: 1,
        nonminimal_candidates: 1,
        candidates: Candidates::Independent,
        scope: Scope::Global,
        estimate: Estimate::Both,
        same_port_by_vc: true,
        weights: Weights::Scale,
        scale: 2,
        bias: 0,
        bias_packets: 0,
        bias_percent: 0,
        bias_step: 0,
        threshold: 0,
        progressive: false,
        draws: Draws::PerPacket,
        ordered: Ordered::None,
        flow_gap_ns: 4_000,
        spray: None,
        vcs: VcScheme::Minimal,
    };

    /// Between which paths it chooses, as far as theory of links between groups knows: a non-minimal
    /// path takes two of them, unless it may lead over the source or the target group.
    #[must_use]
    pub const fn theoretical_choice(&self) -> Choice {
        match (self.choice, self.intermediate) {
            _ if self.spray.is_some() => Choice::Adaptive,
            (Choice::NonMinimal, Intermediate::AnyNode | Intermediate::OutsideRouter) => {
                Choice::Adaptive
            }
            (choice, _) => choice,
        }
    }

    /// The comparison itself, at the source router.
    #[inline]
    #[must_use]
    pub fn prefers_nonminimal(&self, minimal_flits: u32, nonminimal_flits: u32) -> bool {
        let congestion = Congestion {
            minimal: minimal_flits,
            nonminimal: nonminimal_flits,
        };
        self.diverts(congestion, 0)
    }

    /// The comparison of what is seen at the ports of the two candidates, whose virtual channels
    /// `vc` gives: of the minimal one for 0, of the non-minimal one for 1.
    #[inline(always)]
    pub(crate) fn diverts_at<O: Observation>(
        &self,
        compared: Compared,
        vc: impl Fn(usize) -> u8,
        observe: &mut O,
    ) -> bool {
        let ports = compared.ports;
        let by_vc = self.same_port_by_vc && ports[0] == ports[1];
        let mut flits = |side: usize| {
            let vc = by_vc.then(|| vc(side));
            observe.flits(ports[side], vc, self.estimate)
        };
        let congestion = Congestion {
            minimal: flits(0),
            nonminimal: flits(1),
        };
        self.diverts_by(compared.weights, congestion, compared.hops_made)
    }

    /// The weights of the two sides that need no path.
    #[inline(always)]
    pub(crate) const fn fixed_weights(&self) -> [u32; 2] {
        [1, self.scale]
    }

    /// Whether the comparison by `scale` prefers the non-minimal side after `hops_made` hops in the
    /// source group.
    #[inline]
    #[must_use]
    pub fn diverts(&self, congestion: Congestion, hops_made: u8) -> bool {
        self.diverts_by(self.fixed_weights(), congestion, hops_made)
    }

    /// Whether the comparison prefers the non-minimal side, with these weights of the minimal and
    /// of the non-minimal side, see [`Rule`].
    #[inline]
    #[must_use]
    pub fn diverts_by(&self, weights: [u32; 2], congestion: Congestion, hops_made: u8) -> bool {
        let Congestion {
            minimal,
            nonminimal,
        } = congestion;
        let bias = self.bias + self.bias_step * i64::from(hops_made);
        let [near, far] = weights.map(i64::from);
        let (near, far) = (near * i64::from(minimal), far * i64::from(nonminimal));
        let is_worse = if self.bias_percent == 0 {
            near > far + bias
        } else {
            100 * near > (100 + self.bias_percent) * far + 100 * bias
        };
        is_worse && (self.threshold == 0 || minimal > self.threshold)
    }
}

#[cfg(test)]
mod tests {
    use super::{Congestion, Rule};
    use crate::registry::entry;

    fn rule(name: &str) -> Rule {
        *entry(name).unwrap().algorithm.rule().unwrap()
    }

    const fn flits(minimal: u32, nonminimal: u32) -> Congestion {
        Congestion {
            minimal,
            nonminimal,
        }
    }

    #[test]
    fn comparison_is_strict() {
        let ugal = rule("ugal-node");
        assert!(!ugal.prefers_nonminimal(0, 0), "a tie is minimal");
        assert!(ugal.prefers_nonminimal(1, 0), "zero bias: one flit diverts");
        assert!(
            !ugal.prefers_nonminimal(8, 4),
            "twice is not more than twice"
        );
        assert!(ugal.prefers_nonminimal(9, 4));
        let booksim = rule("booksim-ugal");
        assert!(!booksim.prefers_nonminimal(30, 0));
        assert!(booksim.prefers_nonminimal(31, 0));
    }

    #[test]
    fn hops_weigh_both_sides() {
        // Kim et al. 2008: minimal iff q_min * H_min <= q_nonmin * H_nonmin + bias.
        let ugal = Rule {
            bias: 4,
            ..rule("ugal-node")
        };
        assert!(
            !ugal.diverts_by([3, 5], flits(8, 4), 0),
            "3 * 8 is no more than 5 * 4 + 4"
        );
        assert!(ugal.diverts_by([3, 5], flits(9, 4), 0));
        assert!(
            ugal.diverts_by([1, 2], flits(13, 4), 0) && !ugal.diverts_by([1, 2], flits(12, 4), 0)
        );
    }

    #[test]
    fn a_threshold_and_a_comparison_must_both_be_passed() {
        let codes = Rule {
            threshold: 8,
            scale: 1,
            ..rule("codes-adaptive")
        };
        assert!(!codes.prefers_nonminimal(8, 0), "up to the threshold");
        assert!(codes.prefers_nonminimal(9, 8));
        assert!(!codes.prefers_nonminimal(9, 9), "a tie is minimal");
    }

    /// "5 % bias away from minimal" is -5: 95 flits of the other side weigh as much as 100 of the
    /// minimal one do without it.
    #[test]
    fn a_bias_in_percent_is_of_the_other_side() {
        let with = |bias_percent, bias| Rule {
            scale: 1,
            bias_percent,
            bias,
            ..rule("ugal-node")
        };
        let away = with(-5, 0);
        assert!(!away.prefers_nonminimal(95, 100), "a tie is minimal");
        assert!(away.prefers_nonminimal(96, 100));
        assert!(!with(0, 0).prefers_nonminimal(96, 100));
        assert!(!with(5, 0).prefers_nonminimal(105, 100));
        assert!(with(5, 0).prefers_nonminimal(106, 100));
        assert!(!with(-5, 3).prefers_nonminimal(98, 100));
        assert!(with(-5, 3).prefers_nonminimal(99, 100));
        assert!(with(-100, 0).prefers_nonminimal(1, 1 << 30));
        let hops = with(-5, 0).diverts_by([3, 5], flits(158, 100), 0);
        assert!(!hops, "474 is less than 95 % of 500");
        assert!(with(-5, 0).diverts_by([3, 5], flits(159, 100), 0));
    }

    #[test]
    fn a_bias_step_counts_routers() {
        let one = Rule {
            bias: 1,
            bias_step: 10,
            scale: 1,
            ..rule("adaptive-1")
        };
        assert!(one.diverts(flits(2, 0), 0) && !one.diverts(flits(1, 0), 0));
        assert!(one.diverts(flits(22, 0), 2) && !one.diverts(flits(21, 0), 2));
    }
}
