//! Shapes of networks: the members of the family `topologies`, and their rows.

use odonata_registry::{Keys, Kind, Parameter, Problem, Rows, Table, describe};
use odonata_topology::Arrangement;
use serde::Deserialize;
use serde_json::{Map, Value};

/// Shape of the network: `[system.topology]`. The families are in `docs/model/topologies.md`.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "Map<String, Value>")]
pub enum TopologyChoice {
    /// A 1-D dragonfly (Kim et al. 2008).
    Dragonfly(DragonflyChoice),
    /// A 2-D dragonfly of the Cray Aries kind (Faanes et al. 2012).
    Aries(AriesChoice),
    /// A Cray Aries network as the dump of a machine describes it.
    AriesInterconnect(InterconnectChoice),
    /// A dragonfly whose groups have two levels of routers.
    Megafly(MegaflyChoice),
    /// Any network, given channel by channel.
    File(FileChoice),
}

/// A 1-D dragonfly: each two routers of a group are joined.
#[derive(Clone, Debug)]
pub struct DragonflyChoice {
    /// Groups of the system, g.
    pub groups: u32,
    /// Routers of a group, a.
    pub routers_per_group: u32,
    /// Network ends of a router, p.
    pub nodes_per_router: u32,
    /// Global ports of a router, h.
    pub global_ports_per_router: u32,
    /// Which group each global port leads to (`docs/model/dragonfly.md`).
    pub arrangement: Arrangement,
    /// Links between each two of these groups, where there are others; absent: 1.
    pub links_per_group_pair: Option<u32>,
    /// Groups of other kinds.
    pub more_groups: Vec<MoreGroups>,
}

/// Groups of another kind than the compute groups of a dragonfly.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "Map<String, Value>")]
pub struct MoreGroups {
    /// Name of the kind.
    pub name: String,
    /// Groups of it.
    pub groups: u32,
    /// Routers of each of them.
    pub routers_per_group: u32,
    /// Network ends of a router.
    pub nodes_per_router: u32,
    /// Global ports of a router.
    pub global_ports_per_router: u32,
    /// Links between each two of them.
    pub links_per_group_pair: u32,
    /// Links to each group of the kinds before.
    pub links_to_others: u32,
    /// Links to each group of each of these kinds; absent: those to all of them.
    pub links_to: Option<Vec<u32>>,
}

/// Groups of another kind than the compute groups of a megafly.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "Map<String, Value>")]
pub struct MoreLevels {
    /// Name of the kind.
    pub name: String,
    /// Groups of it.
    pub groups: u32,
    /// Routers with nodes in each of them.
    pub leaf_routers_per_group: u32,
    /// Routers with global links in each of them.
    pub spine_routers_per_group: u32,
    /// Network ends of a leaf.
    pub nodes_per_leaf: u32,
    /// Links between each two of them.
    pub links_per_group_pair: u32,
    /// Links to each group of the kinds before.
    pub links_to_others: u32,
    /// Links to each group of each of these kinds; absent: those to all of them.
    pub links_to: Option<Vec<u32>>,
}

impl TryFrom<Map<String, Value>> for MoreLevels {
    type Error = Problem;

    fn try_from(given: Map<String, Value>) -> Result<Self, Problem> {
        odonata_registry::read(&given, Keys::Plain)
    }
}

impl TryFrom<Map<String, Value>> for MoreGroups {
    type Error = Problem;

    fn try_from(given: Map<String, Value>) -> Result<Self, Problem> {
        odonata_registry::read(&given, Keys::Plain)
    }
}

/// A 2-D dragonfly of the Cray Aries kind: routers of a group are joined along rows and columns.
#[derive(Clone, Debug)]
pub struct AriesChoice {
    /// Groups of the system.
    pub groups: u32,
    /// Rows (chassis) of a group.
    pub rows: u32,
    /// Routers of a row.
    pub columns: u32,
    /// Nodes of a router.
    pub nodes_per_router: u32,
    /// Parallel links between each two routers of a column.
    pub column_links: u32,
    /// Global channels of a router.
    pub global_ports_per_router: u32,
    /// Rows of a cabinet.
    pub chassis_per_cabinet: u32,
}

/// A machine as its dump describes it.
#[derive(Clone, Debug)]
pub struct InterconnectChoice {
    /// Path under which the text of the dump was handed over.
    pub interconnect: String,
    /// Rows of a cabinet; absent: they are counted as the names in the dump say.
    pub chassis_per_cabinet: Option<u32>,
}

/// A dragonfly whose groups have two levels: routers with nodes, and routers with global links.
#[derive(Clone, Debug)]
pub struct MegaflyChoice {
    /// Groups of the system.
    pub groups: u32,
    /// Routers with nodes in a group.
    pub leaf_routers_per_group: u32,
    /// Routers with global links in a group.
    pub spine_routers_per_group: u32,
    /// Nodes of a leaf.
    pub nodes_per_leaf: u32,
    /// Links between each two groups.
    pub links_per_group_pair: u32,
    /// Groups of other kinds.
    pub more_groups: Vec<MoreLevels>,
}

/// A network that is given channel by channel.
#[derive(Clone, Debug)]
pub struct FileChoice {
    /// Path under which the CSV text of the channel list was handed over.
    pub channels: String,
}

/// Every shape: name, summary, source; its rows; how it is read.
struct Shape {
    words: [&'static str; 3],
    rows: fn() -> Vec<Value>,
    read: fn(&Map<String, Value>) -> Result<TopologyChoice, Problem>,
}

macro_rules! shape {
    ($variant:ident, $choice:ident, $words:expr) => {
        Shape {
            words: $words,
            rows: odonata_registry::list::<$choice>,
            read: |given| odonata_registry::read(given, Keys::Plain).map(TopologyChoice::$variant),
        }
    };
}

static SHAPES: [Shape; 5] = [
    shape!(
        Dragonfly,
        DragonflyChoice,
        [
            "dragonfly",
            "1-D dragonfly: fully connected groups, fully connected to each other",
            "Kim, Dally, Scott, Abts 2008",
        ]
    ),
    shape!(
        Aries,
        AriesChoice,
        [
            "aries",
            "2-D dragonfly: groups of rows and columns, wired as Theta is",
            "Faanes et al. 2012; the interconnect dump of Theta",
        ]
    ),
    shape!(
        AriesInterconnect,
        InterconnectChoice,
        [
            "aries-interconnect",
            "a Cray XC machine rebuilt from the dump of its router tiles",
            "interconnect dump of the machine",
        ]
    ),
    shape!(
        Megafly,
        MegaflyChoice,
        [
            "megafly",
            "megafly (dragonfly+): groups of leaves and spines",
            "Flajslik, Borch, Parker 2018; Shpiner et al. 2017; wiring of Mubarak et al. 2019",
        ]
    ),
    shape!(
        File,
        FileChoice,
        [
            "file",
            "any network, given channel by channel (`odonata topo --edges` writes such a list)",
            "the list",
        ]
    ),
];

/// The family `topologies`.
pub(crate) fn topologies() -> Value {
    let entries = SHAPES.iter();
    entries
        .map(|shape| describe(shape.words, (shape.rows)()))
        .collect()
}

impl TryFrom<Map<String, Value>> for TopologyChoice {
    type Error = Problem;

    fn try_from(mut given: Map<String, Value>) -> Result<Self, Problem> {
        let kind = given.remove("kind").unwrap_or(Value::Null);
        let shape = SHAPES.iter().find(|shape| shape.words[0] == kind);
        let shape = shape.ok_or_else(|| Problem::Wrong {
            key: "kind".to_owned(),
            value: kind.to_string(),
            expected: format!(
                "one of {}",
                SHAPES.each_ref().map(|one| one.words[0]).join(", ")
            ),
        })?;
        (shape.read)(&given)
    }
}

/// A size that must be given.
fn size(table: &mut Table<'_>, name: &'static str, meaning: &'static str) -> Result<u32, Problem> {
    let row = Parameter::required(name, Kind::Count, meaning);
    table.read(row.at_least(0))
}

fn path(
    table: &mut Table<'_>,
    name: &'static str,
    meaning: &'static str,
) -> Result<String, Problem> {
    table.read(Parameter::required(name, Kind::Path, meaning))
}

const LINKS_IN_KIND: Parameter = Parameter::count(
    "links_per_group_pair",
    1,
    "links between each two groups of this kind",
)
.at_least(1)
.source("Odonata's own");

const LINKS_TO_OTHERS: Parameter = Parameter::count(
    "links_to_others",
    1,
    "links to each group of the kinds before this one",
)
.at_least(1)
.source("Odonata's own");

fn links_to(table: &mut Table<'_>) -> Result<Option<Vec<u32>>, Problem> {
    let row = Parameter::derived(
        "links_to",
        Kind::Counts,
        "the same for each kind before, in their order; default: `links_to_others` for all",
    );
    table.read(row.at_least(1))
}

impl Rows for DragonflyChoice {
    fn rows(table: &mut Table<'_>) -> Result<Self, Problem> {
        let choice = Self {
            groups: size(table, "groups", "groups (g)")?,
            routers_per_group: size(table, "routers_per_group", "routers of a group (a)")?,
            nodes_per_router: size(table, "nodes_per_router", "nodes of a router (p)")?,
            global_ports_per_router: size(
                table,
                "global_ports_per_router",
                "global ports of a router (h)",
            )?,
            arrangement: table.choice(
                Parameter::choice(
                    "arrangement",
                    &[],
                    "absolute",
                    "which global port leads to which group",
                )
                .source("Kang et al. 2022, SST merlin: global port i of a group leads to group i"),
                &Arrangement::ALL.map(|one| (one.name(), one)),
            )?,
            links_per_group_pair: table.read(
                Parameter::derived(
                    "links_per_group_pair",
                    Kind::Count,
                    "links between each two of these groups; default: as many as the global ports \
                     suffice for, the only valid number without `more_groups`, and beside it 1",
                )
                .at_least(1),
            )?,
            more_groups: {
                let given: Option<_> = table.read(Parameter::derived(
                    "more_groups",
                    Kind::List,
                    "groups of other kinds, which jobs get nodes of only if their placement says \
                     so: tables of `name`, `groups`, `routers_per_group`, `nodes_per_router`, \
                     `global_ports_per_router`, `links_per_group_pair`, `links_to_others`, \
                     `links_to`",
                ))?;
                given.unwrap_or_default()
            },
        };
        let ports = u64::from(choice.routers_per_group) * u64::from(choice.global_ports_per_router);
        let fits = ports.checked_div(u64::from(choice.groups.saturating_sub(1)));
        match choice.links_per_group_pair {
            Some(links)
                if choice.more_groups.is_empty()
                    && fits.is_some_and(|fits| fits != u64::from(links)) =>
            {
                Err(Problem::Wrong {
                    key: "links_per_group_pair".to_owned(),
                    value: links.to_string(),
                    expected: format!(
                        "left out without `more_groups`: there are as many links as the global \
                         ports suffice for, here {}",
                        fits.unwrap_or(0)
                    ),
                })
            }
            _ => Ok(choice),
        }
    }
}

impl Rows for MoreGroups {
    fn rows(table: &mut Table<'_>) -> Result<Self, Problem> {
        Ok(Self {
            name: table.read(Parameter::required(
                "name",
                Kind::Text,
                "of the kind; the first kind is `compute`",
            ))?,
            groups: size(table, "groups", "groups of this kind")?,
            routers_per_group: size(table, "routers_per_group", "routers of a group")?,
            nodes_per_router: size(table, "nodes_per_router", "nodes of a router; 0 for none")?,
            global_ports_per_router: size(
                table,
                "global_ports_per_router",
                "global ports of a router",
            )?,
            links_per_group_pair: table.read(LINKS_IN_KIND)?,
            links_to_others: table.read(LINKS_TO_OTHERS)?,
            links_to: links_to(table)?,
        })
    }
}

impl Rows for MoreLevels {
    fn rows(table: &mut Table<'_>) -> Result<Self, Problem> {
        Ok(Self {
            name: table.read(Parameter::required(
                "name",
                Kind::Text,
                "of the kind; the first kind is `compute`",
            ))?,
            groups: size(table, "groups", "groups of this kind")?,
            leaf_routers_per_group: size(
                table,
                "leaf_routers_per_group",
                "routers with nodes in a group",
            )?,
            spine_routers_per_group: size(
                table,
                "spine_routers_per_group",
                "routers with global links in a group",
            )?,
            nodes_per_leaf: size(table, "nodes_per_leaf", "nodes of a leaf")?,
            links_per_group_pair: table.read(LINKS_IN_KIND)?,
            links_to_others: table.read(LINKS_TO_OTHERS)?,
            links_to: links_to(table)?,
        })
    }
}

impl Rows for AriesChoice {
    fn rows(table: &mut Table<'_>) -> Result<Self, Problem> {
        Ok(Self {
            groups: size(table, "groups", "groups")?,
            rows: size(
                table,
                "rows",
                "rows of routers in a group; a row is a chassis",
            )?,
            columns: size(table, "columns", "routers of a row")?,
            nodes_per_router: size(table, "nodes_per_router", "nodes of a router")?,
            column_links: size(
                table,
                "column_links",
                "parallel links between each two routers of a column",
            )?,
            global_ports_per_router: size(
                table,
                "global_ports_per_router",
                "global channels of a router",
            )?,
            chassis_per_cabinet: size(
                table,
                "chassis_per_cabinet",
                "rows that stand in one cabinet",
            )?,
        })
    }
}

impl Rows for InterconnectChoice {
    fn rows(table: &mut Table<'_>) -> Result<Self, Problem> {
        Ok(Self {
            interconnect: path(table, "interconnect", "the dump: one line per tile")?,
            chassis_per_cabinet: table.read(
                Parameter::derived(
                    "chassis_per_cabinet",
                    Kind::Count,
                    "rows that stand in one cabinet; default: as the dump says",
                )
                .at_least(1),
            )?,
        })
    }
}

impl Rows for MegaflyChoice {
    fn rows(table: &mut Table<'_>) -> Result<Self, Problem> {
        Ok(Self {
            groups: size(table, "groups", "groups")?,
            leaf_routers_per_group: size(
                table,
                "leaf_routers_per_group",
                "routers with nodes in a group",
            )?,
            spine_routers_per_group: size(
                table,
                "spine_routers_per_group",
                "routers with global links in a group",
            )?,
            nodes_per_leaf: size(table, "nodes_per_leaf", "nodes of a leaf")?,
            links_per_group_pair: size(
                table,
                "links_per_group_pair",
                "links between each two groups",
            )?,
            more_groups: {
                let given: Option<_> = table.read(Parameter::derived(
                    "more_groups",
                    Kind::List,
                    "groups of other kinds, which jobs get nodes of only if their placement says \
                     so: tables of `name`, `groups`, `leaf_routers_per_group`, \
                     `spine_routers_per_group`, `nodes_per_leaf`, `links_per_group_pair`, \
                     `links_to_others`, `links_to`",
                ))?;
                given.unwrap_or_default()
            },
        })
    }
}

impl Rows for FileChoice {
    fn rows(table: &mut Table<'_>) -> Result<Self, Problem> {
        Ok(Self {
            channels: path(table, "channels", "the channels, as CSV or Parquet")?,
        })
    }
}
