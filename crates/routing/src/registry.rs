//! The routing algorithms by name.

use odonata_registry::spelling::hint;
use odonata_topology::{Family, Topology};
use serde_json::{Map, Value};

use crate::error::RoutingError;
use crate::ladder::VcScheme;
use crate::mode::{Algorithm, Mode};
use crate::port_rule::PortRule;
use crate::q_adaptive::QAdaptive;
use crate::q_table::LearningRates;
use crate::rule::{
    Candidates, Choice, Draws, Estimate, Intermediate, Ordered, Rule, Scope, Spray, Weights,
};

mod describe;
mod parameters;

use parameters::{COMPARED, VISITED};

pub use describe::describe;

/// One routing algorithm of the registry.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Name in scenarios.
    pub name: &'static str,
    /// One line.
    pub summary: &'static str,
    /// Paper and place.
    pub source: &'static str,
    /// Description, in a sentence or two.
    pub words: &'static str,
    /// Families of topologies it works on.
    pub families: &'static [&'static str],
    /// Its parameters, in the order of listings.
    pub parameters: &'static [&'static str],
    /// The algorithm with the defaults of its parameters.
    pub algorithm: Algorithm,
}

impl Entry {
    /// The mode with the defaults of its parameters.
    #[must_use]
    pub fn mode(&self) -> Mode {
        Mode {
            name: self.name.to_owned(),
            algorithm: self.algorithm,
        }
    }
}

const MINIMAL: Rule = Rule::MINIMAL;
const OVER_GROUP: Rule = Rule {
    choice: Choice::Adaptive,
    vcs: VcScheme::Group,
    ..MINIMAL
};
const OVER_ROUTER: Rule = Rule {
    intermediate: Intermediate::Router,
    vcs: VcScheme::Router,
    ..OVER_GROUP
};
const VALIANT_NODE: Rule = Rule {
    choice: Choice::NonMinimal,
    ..OVER_ROUTER
};
/// UGAL-L: what waits, without the credits of the round trip (Kim et al. 2008, section 4.3.2), and a
/// bias of a few packets, as in the code of Jiang, Kim and Dally (BookSim2, branch `SRP_IAR`:
/// `remove_credit_rtt`, 4 packets for PAR). `docs/model/routing.md` has the curves.
const UGAL_GROUP: Rule = Rule {
    estimate: Estimate::Backlog,
    bias_packets: 4,
    ..OVER_GROUP
};
const UGAL_NODE: Rule = Rule {
    estimate: Estimate::Backlog,
    bias_packets: 4,
    ..OVER_ROUTER
};
/// Aries: two candidates of each kind, equal weights (De Sensi et al. 2019, section 2.2).
const ADAPTIVE: Rule = Rule {
    minimal_candidates: 2,
    nonminimal_candidates: 2,
    candidates: Candidates::DistinctGateways,
    scope: Scope::Everywhere,
    same_port_by_vc: false,
    scale: 1,
    ..OVER_ROUTER
};
const CODES: Rule = Rule {
    intermediate: Intermediate::OutsideRouter,
    candidates: Candidates::OneIntermediate,
    threshold: 8,
    ..ADAPTIVE
};

const GROUPS: &[&str] = &["dragonfly", "aries", "megafly"];
const EVERYWHERE: &[&str] = &["dragonfly", "aries", "megafly", "file"];

const fn by_rule(rule: Rule) -> Algorithm {
    Algorithm::Rule(rule)
}

/// Every algorithm, in the order of listings.
pub const ENTRIES: &[Entry] = &[
    Entry {
        name: "minimal",
        summary: "at most local-global-local, never adaptive between groups",
        source: "Kim, Dally, Scott, Abts 2008, section 4.1 (MIN)",
        words: "A global channel of the pair of groups is drawn uniformly; local paths are shortest, drawn uniformly.",
        families: EVERYWHERE,
        parameters: &[],
        algorithm: by_rule(MINIMAL),
    },
    Entry {
        name: "valiant-group",
        summary: "always over a random intermediate group, minimal inside it",
        source: "Kim et al. 2008, section 4.1 (VAL)",
        words: "A third group is drawn uniformly; minimally to it, through it, and on to the target.",
        families: GROUPS,
        parameters: &[],
        algorithm: by_rule(Rule {
            choice: Choice::NonMinimal,
            ..OVER_GROUP
        }),
    },
    Entry {
        name: "valiant-node",
        summary: "always over a random intermediate router",
        source: "Valiant 1982; Won et al. 2015, section 2 (VALn)",
        words: "A router with nodes outside both groups is drawn uniformly and visited.",
        families: EVERYWHERE,
        parameters: &[],
        algorithm: by_rule(VALIANT_NODE),
    },
    Entry {
        name: "ugal-group",
        summary: "minimal or over a random group, decided once at the source router",
        source: "Kim et al. 2008, section 4.1 (UGAL-L); Kang, Wang, Lan 2022, section II-B (UGALg)",
        words: "Over a random third group iff q_min > scale * q_nonmin + bias at the source router.",
        families: GROUPS,
        parameters: COMPARED,
        algorithm: by_rule(UGAL_GROUP),
    },
    Entry {
        name: "ugal-node",
        summary: "minimal or over a random router, decided once at the source router",
        source: "Kim et al. 2008, section 4.1 (UGAL-L); Kang et al. 2022, section II-B (UGALn); Won et al. 2015",
        words: "Over a random router outside both groups iff q_min > scale * q_nonmin + bias at the source router.",
        families: EVERYWHERE,
        parameters: VISITED,
        algorithm: by_rule(UGAL_NODE),
    },
    Entry {
        name: "par",
        summary: "as ugal-node, and a minimal choice may be revised in the source group",
        source: "Kang et al. 2022, section II-B (PAR); Jiang, Kim, Dally 2009, section 3.4",
        words: "As ugal-node; a packet still minimal is asked again at each further router of its source group.",
        families: GROUPS,
        parameters: VISITED,
        algorithm: by_rule(Rule {
            progressive: true,
            vcs: VcScheme::Progressive,
            ..UGAL_NODE
        }),
    },
    Entry {
        name: "booksim-ugal",
        summary: "UGAL-L on credits in use, threshold 30 flits, random node of the machine",
        source: "BookSim2, ugal_dragonflynew (its VC scheme is replaced by an acyclic one)",
        words: "As ugal-node, over the router of a random node of the machine; in the source group it means minimal.",
        families: GROUPS,
        parameters: VISITED,
        algorithm: by_rule(Rule {
            intermediate: Intermediate::AnyNode,
            estimate: Estimate::InUse,
            same_port_by_vc: false,
            bias: 30,
            ..OVER_ROUTER
        }),
    },
    Entry {
        name: "codes-adaptive",
        summary: "CODES on Theta: two gateways of each kind, a threshold, also inside groups",
        source: "CODES, dragonfly-custom (adaptive); Wang et al. 2018, section III",
        words: "Two gateways to the target group against two gateways to the group of one random router: \
               non-minimal iff q_min > threshold and q_min > scale * q_nonmin + bias; inside a group \
               against one random router of it.",
        families: &["aries"],
        parameters: &[
            "scale",
            "weights",
            "bias",
            "bias_packets",
            "bias_percent",
            "threshold",
            "estimate",
            "minimal_candidates",
            "nonminimal_candidates",
            "ordered",
            "flow_gap_ns",
        ],
        algorithm: by_rule(CODES),
    },
    Entry {
        name: "codes-par",
        summary: "CODES, progressive: asked again in the source group; on ports where not Aries",
        source: "CODES, dragonfly-custom, dragonfly-dally and dragonfly-plus (prog-adaptive)",
        words: "Aries: as codes-adaptive, asked again in the source group. Dragonfly and megafly: over a \
               random group; all local ports that lead on, or some random global ones, are compared at \
               each router, non-minimal iff q_min > threshold and q_min > scale * q_nonmin + bias.",
        families: GROUPS,
        parameters: &[
            "scale",
            "bias",
            "threshold",
            "estimate",
            "minimal_candidates",
            "nonminimal_candidates",
            "global_candidates",
            "source_leaf_consider_nonmin",
            "int_spine_consider_min",
        ],
        algorithm: Algorithm::Ports(PortRule {
            rule: Rule {
                intermediate: Intermediate::Group,
                threshold: 0,
                progressive: true,
                vcs: VcScheme::ProgressiveGroup,
                ..CODES
            },
            global_candidates: 2,
            source_leaf_nonminimal: true,
            spine_minimal: false,
        }),
    },
    Entry {
        name: "adaptive-0",
        summary: "Aries ADAPTIVE_0: two candidates of each kind, no bias",
        source: "De Sensi et al. 2019, section 2.2; weights are Odonata's",
        words: "Two minimal and two non-minimal paths are drawn; non-minimal iff q_min > scale * q_nonmin + bias.",
        families: EVERYWHERE,
        parameters: VISITED,
        algorithm: by_rule(ADAPTIVE),
    },
    Entry {
        name: "adaptive-1",
        summary: "Aries ADAPTIVE_1: the bias grows with each router of the source group",
        source: "De Sensi et al. 2019, section 2.2 (increasingly minimal bias); values are Odonata's",
        words: "As adaptive-0, asked again in the source group; each router there adds bias_step to the bias.",
        families: GROUPS,
        parameters: &[
            "scale",
            "weights",
            "bias",
            "bias_step",
            "estimate",
            "minimal_candidates",
            "nonminimal_candidates",
            "ordered",
            "flow_gap_ns",
        ],
        algorithm: by_rule(Rule {
            bias_step: 40,
            progressive: true,
            vcs: VcScheme::Progressive,
            ..ADAPTIVE
        }),
    },
    Entry {
        name: "adaptive-2",
        summary: "Aries ADAPTIVE_2: a low bias towards minimal paths",
        source: "De Sensi et al. 2019, section 2.2; the value is Odonata's",
        words: "As adaptive-0, with a low bias.",
        families: EVERYWHERE,
        parameters: VISITED,
        algorithm: by_rule(Rule {
            bias: 20,
            ..ADAPTIVE
        }),
    },
    Entry {
        name: "adaptive-3",
        summary: "Aries ADAPTIVE_3: a high bias towards minimal paths",
        source: "De Sensi et al. 2019, section 2.2; the value is Odonata's",
        words: "As adaptive-0, with a high bias.",
        families: EVERYWHERE,
        parameters: VISITED,
        algorithm: by_rule(Rule {
            bias: 100,
            ..ADAPTIVE
        }),
    },
    Entry {
        name: "min-hash",
        summary: "Aries MIN_HASH: a random minimal path for each packet",
        source: "De Sensi et al. 2019, section 2.2; the hash is taken to be a random draw",
        words: "As minimal.",
        families: EVERYWHERE,
        parameters: &[],
        algorithm: by_rule(MINIMAL),
    },
    Entry {
        name: "nmin-hash",
        summary: "Aries NMIN_HASH: a random non-minimal path for each packet",
        source: "De Sensi et al. 2019, section 2.2; the hash is taken to be a random draw",
        words: "As valiant-node.",
        families: EVERYWHERE,
        parameters: &[],
        algorithm: by_rule(VALIANT_NODE),
    },
    Entry {
        name: "in-order",
        summary: "Aries IN_ORDER: one minimal path for each pair of nodes",
        source: "De Sensi et al. 2019, section 2.2",
        words: "As minimal, but drawn with a hash of source and target node: packets of a pair follow each other.",
        families: EVERYWHERE,
        parameters: &[],
        algorithm: by_rule(Rule {
            draws: Draws::PerPair,
            ..MINIMAL
        }),
    },
    Entry {
        name: "spray-group",
        summary: "minimal or over a group, drawn at the NIC by the marks of packets before",
        source: "after Bonato et al. 2026 (Spritz), whose rules are not public; these are Odonata's",
        words: "The NIC draws the minimal path or one over a third group by scores, which marked \
               acknowledgements lower and others raise; needs the marks of nscc.",
        families: GROUPS,
        parameters: &["minimal_percent", "top_score", "mark_cut"],
        algorithm: by_rule(Rule {
            choice: Choice::NonMinimal,
            spray: Some(Spray {
                top_score: 500,
                mark_cut: 25,
                minimal_percent: 100,
            }),
            ..OVER_GROUP
        }),
    },
    Entry {
        name: "q-adaptive",
        summary: "the port with the least learned time, asked at two routers",
        source: "Kang, Wang, Lan 2021 (Q-adaptive) and 2022, and their code",
        words: "Source router: the port of least estimate, unless the minimal one is less than threshold_source \
               worse. First router of an intermediate group: a random other router, unless the minimal port is \
               less than threshold_intermediate worse. With probability epsilon any port.",
        families: &["dragonfly"],
        parameters: &[
            "learning_rate_good",
            "learning_rate_bad",
            "epsilon",
            "threshold_source",
            "threshold_intermediate",
            "global_ns",
            "local_ns",
        ],
        algorithm: Algorithm::QAdaptive(QAdaptive {
            rates: LearningRates {
                good: 0.2,
                bad: 0.04,
            },
            epsilon: 0.001,
            threshold_source: 0.2,
            threshold_intermediate: 0.35,
            global_ns: 300,
            local_ns: 30,
        }),
    },
];

/// Names of earlier versions, with those of today; accepted until 0.4.0. In Kim et al. 2008 UGAL-G
/// is the one with global knowledge, which these have not.
const FORMER_NAMES: &[(&str, &str)] = &[("ugal-g", "ugal-group"), ("ugal-n", "ugal-node")];

/// Name of the algorithm `name` in earlier versions.
fn former_name(name: &str) -> Option<&'static str> {
    let known = FORMER_NAMES.iter().find(|(_, today)| *today == name);
    known.map(|(former, _)| *former)
}

/// The entry called `name`, now or in earlier versions.
///
/// # Errors
/// [`RoutingError::Unknown`].
pub fn entry(name: &str) -> Result<&'static Entry, RoutingError> {
    ENTRIES
        .iter()
        .find(|e| e.name == name || former_name(e.name) == Some(name))
        .ok_or_else(|| RoutingError::Unknown {
            name: name.to_owned(),
            hint: hint(name, ENTRIES.iter().map(|e| e.name)),
            valid: ENTRIES
                .iter()
                .map(|e| e.name)
                .collect::<Vec<_>>()
                .join(", "),
        })
}

/// The mode called `algorithm` with `parameters` (JSON values) in place of its defaults.
///
/// # Errors
/// [`RoutingError`]: unknown name or parameter, value out of range.
pub fn build_mode(algorithm: &str, parameters: &Map<String, Value>) -> Result<Mode, RoutingError> {
    let entry = entry(algorithm)?;
    let mut built = entry.algorithm;
    for (name, value) in parameters {
        let known = entry.parameters.contains(&name.as_str());
        let Some(row) = parameters::row(name).filter(|_| known) else {
            let valid = if entry.parameters.is_empty() {
                "none".to_owned()
            } else {
                entry.parameters.join(", ")
            };
            return Err(RoutingError::UnknownParameter {
                algorithm: algorithm.to_owned(),
                parameter: name.clone(),
                hint: hint(name, entry.parameters.iter().copied()),
                valid,
            });
        };
        row.set(&mut built, value)?;
    }
    check_scale(&entry.algorithm, &built)?;
    check_flow_gap(&entry.algorithm, &built)?;
    Ok(Mode {
        name: entry.name.to_owned(),
        algorithm: built,
    })
}

/// Refuses a `scale` of its own where hops are the weights: it would not be read.
fn check_scale(before: &Algorithm, built: &Algorithm) -> Result<(), RoutingError> {
    let (Some(before), Some(rule)) = (before.rule(), built.rule()) else {
        return Ok(());
    };
    if rule.weights == Weights::Scale || rule.scale == before.scale {
        return Ok(());
    }
    Err(RoutingError::BadValue {
        parameter: "scale".to_owned(),
        expected: "left out with `weights = \"hops\"`, which take its place".to_owned(),
        value: rule.scale.to_string(),
    })
}

/// Refuses a gap of flows where no packet is ordered: it would not be read.
fn check_flow_gap(before: &Algorithm, built: &Algorithm) -> Result<(), RoutingError> {
    let (Some(before), Some(rule)) = (before.rule(), built.rule()) else {
        return Ok(());
    };
    if rule.ordered != Ordered::None || rule.flow_gap_ns == before.flow_gap_ns {
        return Ok(());
    }
    Err(RoutingError::BadValue {
        parameter: "flow_gap_ns".to_owned(),
        expected: "left out without `ordered = \"eager\"` or `\"all\"`: only ordered packets have \
                   flows"
            .to_owned(),
        value: rule.flow_gap_ns.to_string(),
    })
}

/// Refuses ordered packets that would be asked again where periods of a flow could mix on the way.
fn check_order(mode: &Mode, topology: &Topology) -> Result<(), RoutingError> {
    let is_asked_again = |rule: &&Rule| rule.progressive && rule.ordered != Ordered::None;
    if mode.algorithm.rule().filter(is_asked_again).is_none() {
        return Ok(());
    }
    let reason = match topology.family() {
        Family::Aries(_) => "on Aries, whose routers are joined by several local paths",
        _ if topology.is_damaged() => {
            "with failed links, around which there are several local paths"
        }
        _ => return Ok(()),
    };
    Err(RoutingError::Order {
        algorithm: mode.name.clone(),
        reason,
    })
}

/// Refuses a mode that has no meaning on `topology`.
pub(crate) fn check_family(mode: &Mode, topology: &Topology) -> Result<(), RoutingError> {
    let entry = entry(&mode.name)?;
    let family = topology.family();
    let refuse = |family: &'static str, reason: &'static str, works: &dyn Fn(&Entry) -> bool| {
        let valid: Vec<_> = ENTRIES
            .iter()
            .filter(|e| works(e))
            .map(|e| e.name)
            .collect();
        Err(RoutingError::Family {
            algorithm: mode.name.clone(),
            family,
            reason,
            valid: valid.join(", "),
        })
    };
    let (words, reason) = match family {
        Family::Dragonfly(_) | Family::GroupKinds(_) => (
            "a one-dimensional dragonfly",
            "it draws among the gateways of Aries groups",
        ),
        Family::Aries(_) => (
            "a two-dimensional dragonfly (Aries)",
            "its table holds one port for each router of a group",
        ),
        Family::Megafly(_) | Family::MegaflyKinds(_) => (
            "a megafly",
            "it needs a node at each router or a link between each two routers of a group",
        ),
        Family::Graph => (
            "a network given by its channels",
            "it decides by groups, which such a network need not have",
        ),
    };
    let learns = |e: &Entry| matches!(e.algorithm, Algorithm::QAdaptive(_));
    let works =
        |e: &Entry| e.families.contains(&family.name()) && !(learns(e) && topology.is_damaged());
    if !entry.families.contains(&family.name()) {
        return refuse(words, reason, &works);
    }
    if learns(entry) && topology.is_damaged() {
        let reason = "its tables and its five virtual channels rely on a direct link between each \
                      two routers of a group and each two groups";
        return refuse("a dragonfly with failed links", reason, &works);
    }
    check_order(mode, topology)
}
