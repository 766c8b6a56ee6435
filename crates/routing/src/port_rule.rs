//! Parameters of progressive adaptive routing on ports (CODES).

use crate::ladder::VcScheme;
use crate::rule::{Candidates, Intermediate, Rule, Scope};

/// Progressive adaptive routing on ports.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PortRule {
    /// The comparison: estimate, scale, threshold. Its paths are those of Aries.
    pub rule: Rule,
    /// Global ports drawn of those that lead on.
    pub global_candidates: u8,
    /// A leaf of the source group may choose the non-minimal way (megafly); else its spine does.
    pub source_leaf_nonminimal: bool,
    /// A spine of the intermediate group with a link to the target group may take it (megafly);
    /// else the packet goes down to a leaf first.
    pub spine_minimal: bool,
}

impl PortRule {
    /// The algorithm that CODES calls by the same name on Aries (dragonfly-custom).
    pub(crate) const fn on_aries(&self) -> Rule {
        Rule {
            intermediate: Intermediate::OutsideRouter,
            candidates: Candidates::OneIntermediate,
            scope: Scope::Everywhere,
            vcs: VcScheme::Progressive,
            ..self.rule
        }
    }
}
