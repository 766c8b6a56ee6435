//! The five numbers of a dragonfly, and which of them go together.

use crate::arrangement::Arrangement;
use crate::error::TopologyError;
use crate::layout::Layout;
use crate::numbering::Numbering;

/// Largest number of ports of a router.
///
/// It bounds everything else: there are at most a (a h + 1) < 2^24 routers, and fewer than 2^32
/// ports in all.
pub const RADIX_LIMIT: u32 = 255;

/// Largest number of routers.
pub(crate) const ROUTER_LIMIT: u32 = (1 << 24) - 1;

const _: () = assert!(
    RADIX_LIMIT.pow(3) <= ROUTER_LIMIT,
    "routers are counted in 24 bits"
);
/// The parameters of a 1-D dragonfly (Kim et al. 2008, section 3.1).
///
/// ```
/// use odonata_topology::{Arrangement, Shape, Topology};
/// let shape = Shape {
///     groups: 34,
///     routers_per_group: 8,
///     nodes_per_router: 4,
///     global_ports_per_router: 4,
///     arrangement: Arrangement::Absolute,
/// };
/// let error = Topology::dragonfly(shape).unwrap_err().to_string();
/// assert!(error.ends_with("set global_ports_per_router to at least 5 or groups to at most 33"));
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Shape {
    /// g, at least 1.
    pub groups: u32,
    /// a, at least 1.
    pub routers_per_group: u32,
    /// p, at least 1.
    pub nodes_per_router: u32,
    /// h, 0 only if there is one group.
    pub global_ports_per_router: u32,
    /// Which global channel leads to which group.
    pub arrangement: Arrangement,
}

impl Shape {
    /// Links between each two groups, `floor(a * h / (g - 1))`; 0 for one group.
    #[must_use]
    pub fn links_per_group_pair(&self) -> u64 {
        self.global_ports_per_group()
            .checked_div(u64::from(self.groups.saturating_sub(1)))
            .unwrap_or(0)
    }

    /// a * h.
    fn global_ports_per_group(&self) -> u64 {
        u64::from(self.routers_per_group) * u64::from(self.global_ports_per_router)
    }

    /// The ids, of sizes that [`Shape::layout`] accepts.
    pub(crate) fn numbering(&self) -> Numbering {
        let routers = self.routers_per_group;
        Numbering::regular(self.groups, routers, routers, self.nodes_per_router)
    }

    fn radix(&self) -> u64 {
        u64::from(self.nodes_per_router)
            + u64::from(self.routers_per_group.saturating_sub(1))
            + u64::from(self.global_ports_per_router)
    }

    /// The ports of a router, and the links between each two groups.
    ///
    /// # Errors
    /// If a size is zero, two groups would have no link, or a limit is passed.
    pub(crate) fn layout(&self) -> Result<(Layout, u32), TopologyError> {
        for (field, value) in [
            ("groups", self.groups),
            ("routers_per_group", self.routers_per_group),
            ("nodes_per_router", self.nodes_per_router),
        ] {
            if value == 0 {
                return Err(TopologyError::Zero { field });
            }
        }
        let layout = self.checked_layout()?;
        let lanes = self.links_per_group_pair();
        if self.groups > 1 && lanes == 0 {
            return Err(self.too_few_global_ports());
        }
        // The radix bounds a and h, and so do the links between groups g.
        let routers = self.groups * self.routers_per_group;
        assert!(routers <= ROUTER_LIMIT, "the radix bounds the routers");
        Ok((layout, u32::try_from(lanes).unwrap_or(u32::MAX)))
    }

    fn checked_layout(&self) -> Result<Layout, TopologyError> {
        let counts = [
            u64::from(self.nodes_per_router),
            u64::from(self.routers_per_group - 1),
            0,
            0,
            u64::from(self.global_ports_per_router),
        ];
        Layout::new(counts, RADIX_LIMIT).ok_or(TopologyError::RadixTooLarge {
            radix: self.radix(),
            nodes_per_router: self.nodes_per_router,
            local_ports: self.routers_per_group - 1,
            global_ports_per_router: self.global_ports_per_router,
            limit: RADIX_LIMIT,
        })
    }

    fn too_few_global_ports(&self) -> TopologyError {
        let needed = u64::from(self.groups) - 1;
        let available = self.global_ports_per_group();
        let ports = needed.div_ceil(u64::from(self.routers_per_group));
        let fits = self.radix() - u64::from(self.global_ports_per_router) + ports
            <= u64::from(RADIX_LIMIT);
        let more_ports = if fits {
            format!("set global_ports_per_router to at least {ports} or ")
        } else {
            "set ".to_owned()
        };
        TopologyError::TooFewGlobalPorts {
            groups: self.groups,
            routers_per_group: self.routers_per_group,
            global_ports_per_router: self.global_ports_per_router,
            needed,
            available,
            remedy: format!("{more_ports}groups to at most {}", available + 1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Shape;
    use crate::arrangement::Arrangement;

    fn shape(p: u32, a: u32, h: u32, g: u32) -> Shape {
        Shape {
            groups: g,
            routers_per_group: a,
            nodes_per_router: p,
            global_ports_per_router: h,
            arrangement: Arrangement::Absolute,
        }
    }

    #[track_caller]
    fn check(shape: &Shape, expected: &str) {
        assert_eq!(shape.layout().unwrap_err().to_string(), expected);
    }

    #[test]
    fn refusals_say_what_and_how_to_go_on() {
        check(
            &shape(4, 0, 4, 33),
            "routers_per_group is 0; it must be at least 1: set routers_per_group to 1 or more",
        );
        check(
            &shape(4, 8, 3, 33),
            "33 groups need 32 global ports per group (one link to every other group), but \
             routers_per_group = 8 times global_ports_per_router = 3 makes 24; set \
             global_ports_per_router to at least 4 or groups to at most 25",
        );
        check(
            &shape(250, 2, 1, 100),
            "100 groups need 99 global ports per group (one link to every other group), but \
             routers_per_group = 2 times global_ports_per_router = 1 makes 2; set groups to at \
             most 3",
        );
        check(
            &shape(100, 100, 57, 2),
            "a router would have 256 ports (100 host + 99 local + 57 global), but at most 255 are \
             supported; lower nodes_per_router, routers_per_group or global_ports_per_router",
        );
    }

    #[test]
    fn the_largest_systems_fit() {
        // a^2 h is largest for a = 2 h.
        for (p, a, h) in [
            (1, 170, 85),
            (1, 169, 86),
            (253, 2, 1),
            (1, 2, 253),
            (1, 254, 1),
        ] {
            let groups = a * h + 1;
            let (layout, lanes) = shape(p, a, h, groups).layout().unwrap();
            assert!(u64::from(groups * a) * u64::from(layout.radix()) < 1 << 30);
            assert_eq!(lanes, 1);
        }
        assert_eq!(shape(255, 1, 0, 1).layout().unwrap().0.hosts(), 255);
    }

    #[test]
    fn extreme_numbers_are_refused_without_overflow() {
        let most = u32::MAX;
        for shape in [
            shape(most, most, most, most),
            shape(1, 127, 127, most),
            shape(1, 1, 0, most),
            shape(1, most, 0, 1),
            shape(most, 1, 0, 1),
            shape(1, 1, most, 1),
        ] {
            assert!(shape.layout().is_err(), "{shape:?}");
        }
    }
}
