//! Routing modes: what a message is sent with, and the two between which is chosen.

/// A routing mode of Aries.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// ADAPTIVE.
    Adaptive0,
    /// INCREASINGLY MINIMAL BIAS.
    Adaptive1,
    /// ADAPTIVE WITH HIGH BIAS.
    Adaptive3,
}

impl Mode {
    /// Every mode that a policy gives.
    pub const ALL: [Self; 3] = [Self::Adaptive0, Self::Adaptive1, Self::Adaptive3];

    /// Its name in the list of routings.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Adaptive0 => "adaptive-0",
            Self::Adaptive1 => "adaptive-1",
            Self::Adaptive3 => "adaptive-3",
        }
    }
}

/// The two modes between which the algorithm chooses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Routing {
    /// ADAPTIVE: no bias (in an alltoall: INCREASINGLY MINIMAL BIAS).
    Adaptive,
    /// ADAPTIVE WITH HIGH BIAS towards minimal paths.
    HighBias,
}

impl Routing {
    pub(crate) const fn other(self) -> Self {
        match self {
            Self::Adaptive => Self::HighBias,
            Self::HighBias => Self::Adaptive,
        }
    }
}
