//! Why a routing cannot be built.

use thiserror::Error;

/// Why a routing cannot be built.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum RoutingError {
    /// No entry of that name.
    #[error("no routing is called `{name}`{hint}; valid: {valid}")]
    Unknown {
        /// As given.
        name: String,
        /// Nearest spelling, or nothing.
        hint: String,
        /// Every valid name.
        valid: String,
    },
    /// A parameter the entry does not have.
    #[error("routing `{algorithm}` has no parameter `{parameter}`{hint}; valid: {valid}")]
    UnknownParameter {
        /// Registry name.
        algorithm: String,
        /// As given.
        parameter: String,
        /// Nearest spelling, or nothing.
        hint: String,
        /// Its parameters.
        valid: String,
    },
    /// A value outside its range.
    #[error("routing parameter `{parameter}` must be {expected}, not {value}")]
    BadValue {
        /// Name.
        parameter: String,
        /// In words.
        expected: String,
        /// As given.
        value: String,
    },
    /// An algorithm on a family of topologies it has no meaning on.
    #[error("routing `{algorithm}` does not work on {family}: {reason}; these do: {valid}")]
    Family {
        /// Registry name.
        algorithm: String,
        /// Kind of system, in words.
        family: &'static str,
        /// Why not.
        reason: &'static str,
        /// Names that work there.
        valid: String,
    },
    /// Ordered packets where their order could not be kept.
    #[error(
        "routing `{algorithm}` asks packets a second time and cannot keep their order {reason}; set \
         `ordered = \"none\"`, or take an algorithm that decides once"
    )]
    Order {
        /// Registry name.
        algorithm: String,
        /// Where it cannot.
        reason: &'static str,
    },
    /// More modes than a packet can name.
    #[error("{count} different routings in one network; at most {limit} are possible")]
    TooManyModes {
        /// Given.
        count: usize,
        /// Possible.
        limit: usize,
    },
    /// More virtual channels than can be numbered.
    #[error(
        "the longest paths of {what} need more than 250 virtual channels; use a network of smaller \
         diameter, or repair some of its failed links"
    )]
    TooManyChannels {
        /// Which paths.
        what: &'static str,
    },
    /// A group whose routers cannot reach each other.
    #[error(
        "group {group} falls apart: no local links lead from its router {from} to its router {to}; \
         take fewer of its links away"
    )]
    GroupFallsApart {
        /// Group.
        group: u32,
        /// Router.
        from: u32,
        /// Router.
        to: u32,
    },
    /// Two groups without a channel, directly or over a third one.
    #[error(
        "no global channel leads from group {from} to group {to}, and no third group has channels \
         to both; take fewer of their links away"
    )]
    NoWay {
        /// Group.
        from: u32,
        /// Group.
        to: u32,
    },
    /// Routers with nodes that cannot reach each other.
    #[error("no path leads from router {from} to router {to}: the network falls apart")]
    FallsApart {
        /// Router.
        from: u32,
        /// Router.
        to: u32,
    },
    /// A group whose routers cannot be numbered in a packet.
    #[error("a group has {routers} routers; where local paths need tables at most {limit} can be")]
    GroupTooLarge {
        /// Given.
        routers: u32,
        /// Possible.
        limit: u32,
    },
    /// A routing that does not work on a network whose links go down and come back.
    #[error("links cannot go down during the run under `{algorithm}`, which {reason}")]
    LinksGoDown {
        /// The mode.
        algorithm: String,
        /// The reason.
        reason: &'static str,
    },
    /// A network without the links that go down does not work.
    #[error(
        "rerouted packets use those links only that are up throughout the run, and without the \
         others {problem}"
    )]
    NoWayRound {
        /// Why.
        problem: String,
    },
    /// Too many different sets of links that are down.
    #[error(
        "links go down and come back in {found} different combinations; at most {most} can be \
         routed around, so let fewer of them overlap"
    )]
    TooManyStates {
        /// Given.
        found: usize,
        /// Possible.
        most: usize,
    },
    /// A link that is changed twice at one instant.
    #[error(
        "the link at port {port} of router {router} changes twice at {ps} ps; give each change an \
         instant of its own"
    )]
    ChangedTwice {
        /// Router.
        router: u32,
        /// Its port.
        port: u16,
        /// The instant, ps.
        ps: u64,
    },
    /// A router that is not there.
    #[error("there is no router {router}: the routers are 0 to {last}")]
    NoSuchRouter {
        /// Named.
        router: u32,
        /// The last one.
        last: u32,
    },
    /// A router that fails while it is down, or when it comes back.
    #[error("router {router} fails at {ps} ps, when it is down already, or comes back")]
    FailsTwice {
        /// The router.
        router: u32,
        /// The instant, ps.
        ps: u64,
    },
    /// Routers that fail, without a way to others that never goes down by itself.
    #[error(
        "router {router} fails, and no way leads from it to a router that does not, over links that \
         never go down by an event of their own; let some neighbour, or the link to it, stay up"
    )]
    NoStub {
        /// The router.
        router: u32,
    },
    /// A change of a link that cannot be made.
    #[error(transparent)]
    Link(#[from] odonata_topology::TopologyError),
    /// A graph whose distances would not fit.
    #[error(
        "the network given by its channels has {routers} routers; its shortest paths are kept for \
         each two of them, which is done up to {limit} routers"
    )]
    GraphTooLarge {
        /// Given.
        routers: u32,
        /// Possible.
        limit: u32,
    },
}
