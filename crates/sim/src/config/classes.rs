//! The rows of `[system.qos]`: traffic classes, their shares and profiles.

use odonata_network::{ClassShare, MOST_CLASSES, Monitor};
use odonata_policy::{PROFILES, ProfileClass};
use odonata_registry::{Kind, Parameter, Problem, Rows, Table};
use serde_json::{Value, json};

use super::tables::PICOSECONDS_PER_SECOND;
use super::{Qos, TrafficClass};

impl Rows for Qos {
    fn rows(table: &mut Table<'_>) -> Result<Self, Problem> {
        Ok(Self {
            window_ps: table.read(
                Parameter::time("window", 5_000_000_000, "over which shares hold")
                    .at_least(1)
                    .at_most(PICOSECONDS_PER_SECOND)
                    .source("Mubarak et al. 2019; CODES has it fixed in its code"),
            )?,
            monitor: table.choice(
                Parameter::choice(
                    "monitor",
                    &[],
                    "static",
                    "how the use of a link is counted: from window to window, over the last \
                     window, or by tokens",
                )
                .source("Mubarak et al. 2019, section II; CODES"),
                &[
                    ("static", Monitor::Static),
                    ("sliding", Monitor::Sliding),
                    ("token-bucket", Monitor::TokenBucket),
                ],
            )?,
            classes: classes(table)?,
        })
    }
}

/// The classes of a system: its own, or those of a profile.
fn classes(table: &mut Table<'_>) -> Result<Vec<TrafficClass>, Problem> {
    let profile: Option<String> = table.read(
        Parameter::derived(
            "profile",
            Kind::Choice(&PROFILE_NAMES),
            "classes of a machine, in place of `classes`",
        )
        .source("HPE: profiles of traffic classes of Slingshot"),
    )?;
    let own: Option<Vec<TrafficClass>> = table.read(Parameter::derived(
        "classes",
        Kind::List,
        "`{ name, cap }` in order of priority, the highest first, or `{ name, assured, ceiling, \
         priority }`",
    ))?;
    table.say("length", MOST_CLASSES.into());
    let known = PROFILES.iter();
    let found = profile.and_then(|name| known.clone().find(|one| one.name == name));
    match (found, own) {
        (Some(profile), None) => Ok(profile.classes.iter().map(TrafficClass::from).collect()),
        (Some(profile), Some(_)) => Err(Problem::Wrong {
            key: "profile".to_owned(),
            value: format!("\"{}\"", profile.name),
            expected: "left out where `classes` are given".to_owned(),
        }),
        (None, own) => Ok(own.unwrap_or_default()),
    }
}

/// Names of the profiles of [`PROFILES`].
const PROFILE_NAMES: [&str; PROFILES.len()] = {
    let mut names = [""; PROFILES.len()];
    let mut index = 0;
    while index < names.len() {
        names[index] = PROFILES[index].name;
        index += 1;
    }
    names
};

impl From<&ProfileClass> for TrafficClass {
    fn from(given: &ProfileClass) -> Self {
        let ppm = |percent: u32| percent * (ClassShare::WHOLE_PPM / 100);
        Self {
            name: given.class.name.to_owned(),
            is_cap: false,
            share: ClassShare {
                assured_ppm: ppm(given.assured),
                fabric_ppm: ppm(given.fabric),
                ceiling_ppm: ppm(given.ceiling),
                priority: given.priority,
                response_priority: given.response_priority(),
            },
        }
    }
}

impl Rows for TrafficClass {
    fn rows(table: &mut Table<'_>) -> Result<Self, Problem> {
        let name = table.read(Parameter::required("name", Kind::Text, "of the class"))?;
        let mut share = |name, meaning| -> Result<Option<u32>, Problem> {
            let row = Parameter::derived(name, Kind::Share, meaning);
            table.read(row.at_least(1).at_most(ClassShare::WHOLE_PPM.into()))
        };
        let cap = share(
            "cap",
            "share of the bandwidth of a link up to which the class goes first: an assured share, by \
             another name",
        )?;
        let assured = share(
            "assured",
            "share of the bandwidth of a link below which the class goes before those that have had \
             theirs",
        )?;
        let fabric = share(
            "fabric",
            "the assured share of links between routers; default: `assured`",
        )?;
        let ceiling = share(
            "ceiling",
            "share at which the class waits, whoever else wants the link; default: none",
        )?;
        let mut priority = |name, meaning| -> Result<Option<u8>, Problem> {
            let row = Parameter::derived(name, Kind::Count, meaning);
            table.read(row.at_most(MOST_PRIORITY))
        };
        let own = priority("priority", "the larger one goes first; default: 0")?;
        let responses = priority(
            "response_priority",
            "the same for responses; default: `priority`",
        )?;
        if let (Some(_), Some(assured)) = (cap, assured) {
            return Err(Problem::Wrong {
                key: "assured".to_owned(),
                value: format!("{assured} millionths"),
                expected: "left out where `cap` is given: both are the assured share".to_owned(),
            });
        }
        // Without either it is refused later, by the name of the class.
        let assured_ppm = cap.or(assured).unwrap_or(0);
        let priority = own.unwrap_or(0);
        Ok(Self {
            name,
            is_cap: cap.is_some(),
            share: ClassShare {
                assured_ppm,
                fabric_ppm: fabric.unwrap_or(assured_ppm),
                ceiling_ppm: ceiling.unwrap_or(ClassShare::WHOLE_PPM),
                priority,
                response_priority: responses.unwrap_or(priority),
            },
        })
    }
}

/// The largest priority of a class.
const MOST_PRIORITY: u64 = 15;

/// The profiles, as listings and scenarios have them: `[{name, summary, classes}]`.
pub(crate) fn profiles() -> Value {
    let share = |percent: u32| format!("{percent} %");
    let class = |one: &ProfileClass| {
        json!({
            "name": one.class.name,
            "assured": share(one.assured),
            "fabric": share(one.fabric),
            "ceiling": share(one.ceiling),
            "priority": one.priority,
            "response_priority": one.response_priority(),
        })
    };
    let profile = |one: &odonata_policy::Profile| {
        let classes: Vec<_> = one.classes.iter().map(class).collect();
        json!({"name": one.name, "summary": one.summary, "classes": classes})
    };
    PROFILES.iter().map(profile).collect()
}
