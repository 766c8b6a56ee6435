//! The one adaptive rule, as data.

/// Where the non-minimal candidate leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Intermediate {
    /// A random router outside the source and target groups, of which only the group matters: the
    /// packet crosses that group minimally (UGALg of Kang et al. 2022, section II-B).
    Group,
    /// The same draw, and the packet visits the router itself (UGALn and PAR there).
    Router,
    /// The router of a random node of the whole machine. In the source group: the packet stays
    /// minimal. The target group is allowed (BookSim2's `ugal_dragonflynew`).
    AnyNode,
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

/// What counts as congestion of an output port, in flits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Estimate {
    /// Waiting in this router for the port.
    Queued,
    /// Credits taken and not yet returned: what is on the wire, in the next router's buffer, and
    /// on its way back.
    InUse,
    /// The sum of both.
    Both,
}

/// Which ladder of virtual channels a packet climbs. Channels: `l` local, `g` global.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VcScheme {
    /// 2: `l0 g0 l1`.
    Minimal,
    /// 3: non-minimal `l0 g0 l1 g1 l2`, minimal `l1 g1 l2`.
    Group,
    /// 4: non-minimal `l0 g0 l1 l2 g2 l3`, minimal `l2 g2 l3`.
    Router,
    /// 5: `g0 l4`, or `l0` then (stay) `g3 l4` or (divert) `l1 g1 l2 l3 g3 l4`.
    Progressive,
}

impl VcScheme {
    /// Number of virtual channels.
    #[must_use]
    pub const fn count(self) -> u8 {
        match self {
            Self::Minimal => 2,
            Self::Group => 3,
            Self::Router => 4,
            Self::Progressive => 5,
        }
    }

    /// VC in the target group, and towards the node.
    #[must_use]
    pub const fn target_group(self) -> u8 {
        self.count() - 1
    }

    /// VC of a minimal packet in its source group, as decided at the source router.
    #[must_use]
    pub const fn source_minimal(self) -> u8 {
        match self {
            Self::Minimal | Self::Progressive => 0,
            Self::Group => 1,
            Self::Router => 2,
        }
    }

    /// VC of a non-minimal packet in its source group.
    #[must_use]
    pub const fn source_nonminimal(self) -> u8 {
        match self {
            Self::Minimal | Self::Group | Self::Router => 0,
            Self::Progressive => 1,
        }
    }

    /// VC towards the intermediate router, inside its group.
    #[must_use]
    pub const fn to_intermediate(self) -> u8 {
        match self {
            Self::Minimal => 0,
            Self::Group | Self::Router => 1,
            Self::Progressive => 2,
        }
    }

    /// VC onward from the intermediate group (or router) to the target group; also of a minimal
    /// packet confirmed at the second decision of PAR.
    #[must_use]
    pub const fn onward(self) -> u8 {
        match self {
            Self::Minimal => 0,
            Self::Group => 1,
            Self::Router => 2,
            Self::Progressive => 3,
        }
    }
}

/// A routing algorithm: non-minimal iff `q_min > scale * q_nonmin + bias`.
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
    /// What the comparison reads.
    pub estimate: Estimate,
    /// When both candidates leave by one port, compare the VC each would use (Kang et al.'s code)
    /// instead of the port with itself.
    pub same_port_by_vc: bool,
    /// Weight of the non-minimal side.
    pub scale: u32,
    /// Added to the non-minimal side, flits; larger means more minimal.
    pub bias: i64,
    /// A minimal choice may be revised once at the next router of the source group (PAR).
    pub progressive: bool,
    /// The ladder.
    pub vcs: VcScheme,
}

impl Rule {
    /// The comparison itself.
    #[inline]
    #[must_use]
    pub fn prefers_nonminimal(&self, minimal_flits: u32, nonminimal_flits: u32) -> bool {
        i64::from(minimal_flits) > i64::from(self.scale) * i64::from(nonminimal_flits) + self.bias
    }
}

#[cfg(test)]
mod tests {
    use crate::registry::build_rule;

    #[test]
    fn comparison_is_strict() {
        let none = serde_json::Map::new();
        let rule = build_rule("ugal-n", &none).unwrap();
        assert!(!rule.prefers_nonminimal(0, 0), "a tie is minimal");
        assert!(rule.prefers_nonminimal(1, 0), "zero bias: one flit diverts");
        assert!(
            !rule.prefers_nonminimal(8, 4),
            "twice is not more than twice"
        );
        assert!(rule.prefers_nonminimal(9, 4));
        let booksim = build_rule("booksim-ugal", &none).unwrap();
        assert!(!booksim.prefers_nonminimal(30, 0));
        assert!(booksim.prefers_nonminimal(31, 0));
    }
}
