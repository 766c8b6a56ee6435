//! What the environment says; documented in `docs/preload.md`.

use odonata_policy::{EXTENSIONS, Mode, P_TERMS, Parameters, ROWS};

/// What is done with messages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Plan {
    /// Nothing.
    Off,
    /// Algorithm 1.
    ApplicationAware,
    /// All get this mode.
    Fixed(Mode),
}

impl Plan {
    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::ApplicationAware => "application-aware",
            Self::Fixed(mode) => mode.name(),
        }
    }
}

/// What can be set.
#[derive(Clone, PartialEq, Debug)]
pub struct Settings {
    /// What is done.
    pub plan: Plan,
    /// How it is decided.
    pub parameters: Parameters,
    /// What stands before the names of events; several are tried.
    pub prefixes: Vec<String>,
    /// Events: flits, stalled cycles, packet pairs, microseconds of latency.
    pub events: [String; 4],
    /// Library to read counters with.
    pub papi: Option<String>,
    /// Folder for reports.
    pub report: Option<String>,
    /// Values of DMAPP's relaxed ordering for ADAPTIVE 0, 1 and 3.
    pub dmapp: Option<[u8; 3]>,
    /// Whether nothing is said on standard error.
    pub is_quiet: bool,
    /// Whether a crash of the counters is kept from the program.
    pub is_guarded: bool,
}

/// Prefix of every variable.
pub(crate) const PREFIX: &str = "ODONATA_ARIES";

const EVENTS: [&str; 4] = [
    "AR_NIC_NETMON_ORB_EVENT_CNTR_REQ_FLITS",
    "AR_NIC_NETMON_ORB_EVENT_CNTR_REQ_STALLED",
    "AR_NIC_NETMON_ORB_EVENT_CNTR_RSP_NET_TRACK",
    "AR_NIC_ORB_PRF_NET_RSP_TRACK_2",
];

impl Default for Settings {
    fn default() -> Self {
        Self {
            plan: Plan::ApplicationAware,
            parameters: Parameters::default(),
            prefixes: ["", "cray_npu:::", "sde:::aries::"]
                .map(String::from)
                .to_vec(),
            events: EVENTS.map(String::from),
            papi: None,
            report: None,
            dmapp: None,
            is_quiet: false,
            is_guarded: true,
        }
    }
}

impl Settings {
    /// Reads variables; those of others are passed over.
    ///
    /// # Errors
    ///
    /// A sentence on the first one that cannot be understood.
    pub fn read(variables: &[(String, String)]) -> Result<Self, String> {
        let mut settings = Self::default();
        let mut numbers = Vec::new();
        let find = |key: &str| {
            let name = format!("{PREFIX}_{key}");
            variables
                .iter()
                .find(|(found, _)| *found == name)
                .map(|(_, value)| value.as_str())
        };
        let seed = match find("SEED") {
            None => 0,
            Some(text) => text
                .parse()
                .map_err(|_| wrong("SEED", text, "a whole number"))?,
        };
        // First what others depend on.
        for name in find("EXTENSIONS")
            .into_iter()
            .flat_map(|text| text.split(','))
        {
            let name = name.trim();
            let extended = name.is_empty() || settings.parameters.extend(name, seed).is_ok();
            if !extended {
                return Err(wrong("EXTENSIONS", name, &names(&EXTENSIONS)));
            }
        }
        for (variable, value) in variables {
            let Some(rest) = variable.strip_prefix(PREFIX) else {
                continue;
            };
            let Some(key) = rest.strip_prefix('_') else {
                if rest.is_empty() {
                    settings.plan = plan(value)?;
                }
                continue;
            };
            match key {
                "SEED" | "EXTENSIONS" => {}
                "P_TERM" => {
                    let chosen = settings.parameters.choose_p_term(value);
                    chosen.map_err(|_| wrong(key, value, &names(&P_TERMS)))?;
                }
                "EVENT_PREFIX" => settings.prefixes = vec![value.clone()],
                "EVENTS" => settings.events = events(value)?,
                "PAPI" => settings.papi = Some(value.clone()),
                "REPORT" => settings.report = Some(value.clone()).filter(|text| !text.is_empty()),
                "DMAPP" => settings.dmapp = Some(dmapp(value)?),
                "QUIET" => settings.is_quiet = !matches!(value.as_str(), "" | "0"),
                "GUARD" => settings.is_guarded = !matches!(value.as_str(), "" | "0"),
                _ => numbers.push((key, value)),
            }
        }
        for (key, value) in numbers {
            let number = value.parse().map_err(|_| wrong(key, value, "a number"))?;
            let set = settings.parameters.set(&key.to_ascii_lowercase(), number);
            set.map_err(|refusal| match refusal {
                odonata_policy::Refusal::Unknown => format!(
                    "{PREFIX}_{key} is unknown; there are {}",
                    ROWS.map(|row| row.name.to_ascii_uppercase()).join(", ")
                ),
                refusal => format!("{PREFIX}_{key} = {value} {refusal}"),
            })?;
        }
        Ok(settings)
    }
}

fn plan(text: &str) -> Result<Plan, String> {
    match text {
        "off" | "0" | "" => Ok(Plan::Off),
        "application-aware" | "on" | "1" => Ok(Plan::ApplicationAware),
        _ => match Mode::ALL.into_iter().find(|mode| mode.name() == text) {
            Some(mode) => Ok(Plan::Fixed(mode)),
            None => Err(format!(
                "{PREFIX} = {text} is not one of application-aware, off, adaptive-0, adaptive-1, \
                 adaptive-3"
            )),
        },
    }
}

fn events(text: &str) -> Result<[String; 4], String> {
    let found: Vec<String> = text.split(',').map(|name| name.trim().to_owned()).collect();
    found.try_into().map_err(|_| {
        wrong(
            "EVENTS",
            text,
            "four names: flits, stalls, packets, latency",
        )
    })
}

fn dmapp(text: &str) -> Result<[u8; 3], String> {
    let found: Option<Vec<u8>> = text
        .split(',')
        .map(|value| value.trim().parse().ok())
        .collect();
    let found = found.and_then(|values| values.try_into().ok());
    found.ok_or_else(|| {
        wrong(
            "DMAPP",
            text,
            "three numbers: of ADAPTIVE, ADAPTIVE_1, ADAPTIVE_3",
        )
    })
}

fn wrong(key: &str, value: &str, expected: &str) -> String {
    format!("{PREFIX}_{key}: {value} is not {expected}")
}

fn names(of: &[(&str, &str)]) -> String {
    let names: Vec<&str> = of.iter().map(|(name, _)| *name).collect();
    format!("one of {}", names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(variables: &[(&str, &str)]) -> Result<Settings, String> {
        let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        Settings::read(&variables.iter().map(owned).collect::<Vec<_>>())
    }

    #[test]
    fn every_variable_is_read() {
        let settings = read(&[
            ("PATH", "/bin"),
            ("ODONATA_ARIES", "adaptive-3"),
            ("ODONATA_ARIES_DAMPING_HOLD", "4"),
            ("ODONATA_ARIES_EXTENSIONS", "damping, exploration"),
            ("ODONATA_ARIES_SEED", "7"),
            ("ODONATA_ARIES_P_TERM", "authors"),
            ("ODONATA_ARIES_THRESHOLD", "0"),
            ("ODONATA_ARIES_EVENT_PREFIX", "x:::"),
            ("ODONATA_ARIES_EVENTS", "a,b,c,d"),
            ("ODONATA_ARIES_PAPI", "./libpapi.so"),
            ("ODONATA_ARIES_REPORT", "out"),
            ("ODONATA_ARIES_DMAPP", "2, 5,7"),
            ("ODONATA_ARIES_QUIET", "1"),
            ("ODONATA_ARIES_GUARD", "0"),
        ])
        .unwrap();
        assert_eq!(settings.plan, Plan::Fixed(Mode::Adaptive3));
        assert_eq!(settings.parameters.damping.unwrap().hold, 4);
        assert_eq!(settings.parameters.exploration.unwrap().seed, 7);
        assert_eq!(settings.parameters.threshold, 0);
        assert_eq!(settings.events, ["a", "b", "c", "d"]);
        assert_eq!(
            (settings.dmapp, settings.is_quiet, settings.is_guarded),
            (Some([2, 5, 7]), true, false)
        );
        assert_eq!(settings.prefixes, ["x:::"]);
        assert_eq!(
            (settings.papi.as_deref(), settings.report.as_deref()),
            (Some("./libpapi.so"), Some("out"))
        );
        assert_eq!(read(&[]).unwrap(), Settings::default());
        assert_eq!(read(&[("ODONATA_ARIES", "off")]).unwrap().plan, Plan::Off);
    }

    #[test]
    fn what_is_wrong_is_said_in_a_sentence() {
        for (name, value, said) in [
            (
                "ODONATA_ARIES",
                "yes",
                "ODONATA_ARIES = yes is not one of application-aware, off,",
            ),
            (
                "ODONATA_ARIES_TRESHOLD",
                "1",
                "ODONATA_ARIES_TRESHOLD is unknown; there are THRESH",
            ),
            (
                "ODONATA_ARIES_EXPIRY",
                "many",
                "ODONATA_ARIES_EXPIRY: many is not a number",
            ),
            (
                "ODONATA_ARIES_EXPIRY",
                "nan",
                "ODONATA_ARIES_EXPIRY = nan must be 0 to 4294967295",
            ),
            (
                "ODONATA_ARIES_EXTENSIONS",
                "magic",
                "ODONATA_ARIES_EXTENSIONS: magic is not one of",
            ),
            (
                "ODONATA_ARIES_P_TERM",
                "ours",
                "ODONATA_ARIES_P_TERM: ours is not one of paper, auth",
            ),
            (
                "ODONATA_ARIES_DMAPP",
                "1,2",
                "ODONATA_ARIES_DMAPP: 1,2 is not three numbers",
            ),
            (
                "ODONATA_ARIES_EVENTS",
                "a",
                "ODONATA_ARIES_EVENTS: a is not four names",
            ),
            (
                "ODONATA_ARIES_SEED",
                "-1",
                "ODONATA_ARIES_SEED: -1 is not a whole number",
            ),
            (
                "ODONATA_ARIES_LEARNING_RATE",
                "0.5",
                "ODONATA_ARIES_LEARNING_RATE = 0.5 does nothing without the extension `learning`",
            ),
        ] {
            let sentence = read(&[(name, value)]).unwrap_err();
            assert!(sentence.starts_with(said), "{sentence}");
        }
    }
}
