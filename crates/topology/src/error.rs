//! Why a shape is refused, with the numbers and a way out.

use thiserror::Error;

use crate::channel::LinkKind;

/// A shape that cannot be built, or an arrangement that does not exist.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum TopologyError {
    /// A size that must be positive is zero.
    #[error("{field} is 0; it must be at least 1: set {field} to 1 or more")]
    Zero {
        /// Field of the shape.
        field: &'static str,
    },
    /// Some pairs of groups would have no link.
    #[error(
        "{groups} groups need {needed} global ports per group (one link to every other group), \
         but routers_per_group = {routers_per_group} times global_ports_per_router = \
         {global_ports_per_router} makes {available}; {remedy}"
    )]
    TooFewGlobalPorts {
        /// g.
        groups: u32,
        /// a.
        routers_per_group: u32,
        /// h.
        global_ports_per_router: u32,
        /// Global ports of a group that are needed, g - 1.
        needed: u64,
        /// Global ports of a group that exist, a * h.
        available: u64,
        /// The change to make.
        remedy: String,
    },
    /// A router would have more ports than a port index can name.
    #[error(
        "a router would have {radix} ports ({nodes_per_router} host + {local_ports} local + \
         {global_ports_per_router} global), but at most {limit} are supported; lower \
         nodes_per_router, routers_per_group or global_ports_per_router"
    )]
    RadixTooLarge {
        /// Ports of a router, p + a - 1 + h.
        radix: u64,
        /// p.
        nodes_per_router: u32,
        /// a - 1.
        local_ports: u32,
        /// h.
        global_ports_per_router: u32,
        /// Largest radix.
        limit: u32,
    },
    /// Some pairs of groups would have no link.
    #[error(
        "{groups} groups need {needed} global ports per group (one link to every other group), \
         but {parts} makes {available}; {remedy}"
    )]
    TooFewLinks {
        /// Groups.
        groups: u32,
        /// Global ports of a group that are needed.
        needed: u64,
        /// Global ports of a group that exist.
        available: u64,
        /// The numbers that make it.
        parts: String,
        /// The change to make.
        remedy: String,
    },
    /// A kind of groups has fewer global ports than links.
    #[error(
        "a group of kind `{kind}` has {links} links to other groups, but routers_per_group = \
         {routers_per_group} times global_ports_per_router = {global_ports_per_router} makes \
         {available}; set its global_ports_per_router to at least {needed}, or lower \
         links_per_group_pair or links_to_others"
    )]
    TooManyLinks {
        /// Name of the kind.
        kind: String,
        /// Links of one of its groups.
        links: u64,
        /// a.
        routers_per_group: u32,
        /// h.
        global_ports_per_router: u32,
        /// a * h.
        available: u64,
        /// The least h that would do.
        needed: u64,
    },
    /// A kind of groups without a size.
    #[error(
        "{field} of the groups of kind `{kind}` is 0; it must be at least 1: set it to 1 or more"
    )]
    ZeroOfKind {
        /// Name of the kind.
        kind: String,
        /// Field of the kind.
        field: &'static str,
    },
    /// A kind of groups that does not say how many links lead to each kind before it.
    #[error(
        "the groups of kind `{kind}` have links to {before} kinds before theirs, but links_to names \
         {given} numbers; give one for each kind before, or links_to_others for all of them"
    )]
    LinksToKinds {
        /// Name of the kind.
        kind: String,
        /// Numbers that are given.
        given: usize,
        /// Kinds before it.
        before: usize,
    },
    /// A type of nodes that the network has no room for.
    #[error("the nodes of type `{name}` {problem}")]
    NodeType {
        /// Name of the type.
        name: String,
        /// What is wrong, and what to do.
        problem: String,
    },
    /// Two kinds of groups of one name.
    #[error(
        "two kinds of groups are called `{kind}`; the first kind is `compute`: give each its own name"
    )]
    KindTwice {
        /// Name of both.
        kind: String,
    },
    /// A router would have more ports than a port index can name.
    #[error(
        "a router would have {ports} ports ({parts}), but at most {limit} are supported; lower \
         {fields}"
    )]
    TooManyPorts {
        /// Ports of a router.
        ports: u64,
        /// By kind.
        parts: String,
        /// Largest radix.
        limit: u32,
        /// Fields to lower.
        fields: &'static str,
    },
    /// More routers than can be numbered.
    #[error("there would be {routers} routers, but at most {limit} are supported; lower {fields}")]
    TooManyRouters {
        /// Routers.
        routers: u64,
        /// Limit.
        limit: u32,
        /// Fields to lower.
        fields: &'static str,
    },
    /// A list of channels that is not a system.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// Two nodes without a path.
    #[error(
        "node {node} on router {router} has no path to node 0 on router {first}; keep or add a \
         link between the two parts of the network"
    )]
    Disconnected {
        /// A node that is cut off.
        node: u32,
        /// Its router.
        router: u32,
        /// The router of node 0.
        first: u32,
    },
    /// A failed link that is not there in the first place.
    #[error("there is no link between router {from} and router {to}: {problem}")]
    NoSuchLink {
        /// One end.
        from: u32,
        /// The other.
        to: u32,
        /// The part that is there.
        problem: String,
    },
    /// More failures than links.
    #[error("a share of {share_ppm} millionths of the links cannot fail; give at most 1000000")]
    FailureShare {
        /// As given.
        share_ppm: u32,
    },
    /// A node without a link would be no part of the system.
    #[error(
        "host links cannot fail: each node has one only; choose among local, row, column and \
         global"
    )]
    HostFailure,
    /// Nodes of the machine whose NICs do not fit the routers.
    #[error(
        "the routers of group {group} cannot share nodes with {nics} NICs: if each NIC has a router \
         of its own, the routers with nodes must be a multiple of {nics}, with as many ends each, and \
         otherwise the ends of each router; choose another number of NICs or another `wiring`"
    )]
    NicsDoNotFit {
        /// NICs of a node of the machine.
        nics: u32,
        /// A group.
        group: u32,
    },
    /// No arrangement has this name.
    #[error(
        "there is no global arrangement \"{name}\"; use one of {choices}{}",
        did_you_mean(*.nearest)
    )]
    UnknownArrangement {
        /// As given.
        name: String,
        /// Every valid name.
        choices: String,
        /// The valid name of the nearest spelling, if one is near.
        nearest: Option<&'static str>,
    },
}

fn did_you_mean(nearest: Option<&'static str>) -> String {
    nearest.map_or_else(String::new, |name| format!(" (did you mean \"{name}\"?)"))
}

/// Why a list of channels is not a system.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum GraphError {
    /// Nothing to simulate.
    #[error("there is no {what}; a system needs at least one")]
    Empty {
        /// `node` or `router`.
        what: &'static str,
    },
    /// Nodes are not numbered router by router.
    #[error(
        "node {node} is on router {router}, but node {} is on router {before}; number the nodes \
         router by router",
        node - 1
    )]
    NodeOrder {
        /// The node out of order.
        node: u32,
        /// Its router.
        router: u32,
        /// The router of the node before it.
        before: u32,
    },
    /// Routers are not numbered group by group.
    #[error(
        "router {router} is in group {group}, but the one before it is in group {before}; number \
         the routers group by group, and the groups from 0 without gaps"
    )]
    GroupOrder {
        /// The router out of order.
        router: u32,
        /// Its group.
        group: u32,
        /// The group of the router before it.
        before: String,
    },
    /// A router without nodes comes before one with nodes.
    #[error(
        "router {router} has nodes, but router {} of the same group {group} has none; number the \
         routers with nodes first in each group",
        router - 1
    )]
    BareRouterFirst {
        /// The router with nodes.
        router: u32,
        /// Its group.
        group: u32,
    },
    /// A channel at a router that does not exist.
    #[error(
        "a {kind} channel leads from router {source_router} to router {target_router}, but the routers are 0 to {last}"
    )]
    UnknownRouter {
        /// Kind of the channel.
        kind: LinkKind,
        /// Its source.
        source_router: u32,
        /// Its target.
        target_router: u32,
        /// The last router.
        last: u32,
    },
    /// A channel of the wrong kind.
    #[error("the {kind} channel from router {source_router} to router {target_router} {problem}")]
    WrongKind {
        /// Kind of the channel.
        kind: LinkKind,
        /// Its source.
        source_router: u32,
        /// Its target.
        target_router: u32,
        /// The problem, and what would be right.
        problem: String,
    },
    /// A link with one direction only.
    #[error(
        "{there} {kind} channels lead from router {source_router} to router {target_router}, but \
         {back} lead back; a link needs a channel in each direction: add the missing ones from \
         router {} to router {}",
        if there > back { target_router } else { source_router },
        if there > back { source_router } else { target_router }
    )]
    OneWay {
        /// Kind of the channels.
        kind: LinkKind,
        /// One router.
        source_router: u32,
        /// The other router.
        target_router: u32,
        /// Channels from the one to the other.
        there: usize,
        /// Channels back.
        back: usize,
    },
}
