//! Traffic classes of Slingshot: their names, and the published profiles of their shares.
//!
//! One table for the simulated network and for the library that asks a real one for a class.

/// A traffic class of Slingshot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TrafficClassName {
    /// As in scenarios and in settings of the preload library.
    pub name: &'static str,
    /// Its number in libfabric's `rdma/fabric.h` (`FI_TC_*`); messages of libfabric cannot ask for
    /// that of Ethernet.
    pub libfabric: Option<u32>,
}

/// The class of jobs that ask for none: `FI_TC_BEST_EFFORT`, the default of Cray MPICH.
pub const BEST_EFFORT: TrafficClassName = TrafficClassName {
    name: "best-effort",
    libfabric: Some(0x200),
};
/// The class of few messages that go first: `FI_TC_LOW_LATENCY`.
pub const LOW_LATENCY: TrafficClassName = TrafficClassName {
    name: "low-latency",
    libfabric: Some(0x201),
};
/// `FI_TC_DEDICATED_ACCESS`.
pub const DEDICATED_ACCESS: TrafficClassName = TrafficClassName {
    name: "dedicated-access",
    libfabric: Some(0x202),
};
/// The class of messages that may go behind: `FI_TC_BULK_DATA`.
pub const BULK_DATA: TrafficClassName = TrafficClassName {
    name: "bulk-data",
    libfabric: Some(0x203),
};
/// Traffic that does not come from the NIC's own users.
pub const ETHERNET: TrafficClassName = TrafficClassName {
    name: "ethernet",
    libfabric: None,
};

/// All of them.
pub const TRAFFIC_CLASSES: [TrafficClassName; 5] = [
    BEST_EFFORT,
    LOW_LATENCY,
    DEDICATED_ACCESS,
    BULK_DATA,
    ETHERNET,
];

/// Share of a class in a profile, percent of the bandwidth of a link.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProfileClass {
    /// The class.
    pub class: TrafficClassName,
    /// Assured on links of NICs.
    pub assured: u32,
    /// Assured on links between switches.
    pub fabric: u32,
    /// At most.
    pub ceiling: u32,
    /// Of requests; the larger one goes first.
    pub priority: u8,
}

impl ProfileClass {
    /// Priority of responses: one lower than that of requests.
    #[must_use]
    pub const fn response_priority(&self) -> u8 {
        self.priority.saturating_sub(1)
    }

    const fn new(class: TrafficClassName, assured: u32, ceiling: u32, priority: u8) -> Self {
        Self {
            class,
            assured,
            fabric: assured,
            ceiling,
            priority,
        }
    }

    /// With another assured share between switches.
    const fn on_fabric(self, fabric: u32) -> Self {
        Self { fabric, ..self }
    }
}

/// Shares of a machine's classes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Profile {
    /// As in scenarios.
    pub name: &'static str,
    /// Its summary.
    pub summary: &'static str,
    /// Its classes.
    pub classes: &'static [ProfileClass],
}

/// The published profiles of Slingshot: HPE's documentation of its fabric manager.
pub const PROFILES: [Profile; 2] = [
    Profile {
        name: "slingshot-hpc",
        summary: "HPE's profile HPC of Slingshot: five classes",
        classes: &[
            ProfileClass::new(DEDICATED_ACCESS, 50, 100, 2),
            ProfileClass::new(LOW_LATENCY, 15, 30, 7),
            ProfileClass::new(BULK_DATA, 15, 100, 2),
            ProfileClass::new(BEST_EFFORT, 10, 100, 2),
            ProfileClass::new(ETHERNET, 10, 100, 1),
        ],
    },
    Profile {
        name: "slingshot-ll-be-bd",
        summary: "HPE's profile LL_BE_BD_ET of Slingshot: four classes",
        classes: &[
            ProfileClass::new(LOW_LATENCY, 2, 5, 7),
            ProfileClass::new(BULK_DATA, 10, 100, 2).on_fabric(20),
            ProfileClass::new(BEST_EFFORT, 10, 100, 2).on_fabric(50),
            ProfileClass::new(ETHERNET, 10, 100, 1).on_fabric(20),
        ],
    },
];

#[cfg(test)]
mod tests {
    use super::{PROFILES, TRAFFIC_CLASSES};

    #[test]
    fn no_profile_assures_more_than_there_is() {
        for profile in PROFILES {
            let sum = |of: fn(&super::ProfileClass) -> u32| -> u32 {
                profile.classes.iter().map(of).sum()
            };
            assert!(sum(|one| one.assured) <= 100, "{}", profile.name);
            assert!(sum(|one| one.fabric) <= 100, "{}", profile.name);
            for one in profile.classes {
                let most = one.assured.max(one.fabric);
                assert!(most <= one.ceiling && one.ceiling <= 100, "{one:?}");
                assert_eq!(one.response_priority(), one.priority - 1);
            }
        }
    }

    #[test]
    fn names_and_numbers_of_classes_differ() {
        for (index, one) in TRAFFIC_CLASSES.iter().enumerate() {
            let others = || TRAFFIC_CLASSES[..index].iter();
            assert!(others().all(|other| other.name != one.name));
            assert!(others().all(|other| other.libfabric != one.libfabric));
        }
    }
}
