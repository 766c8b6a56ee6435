//! Settings of every library; documented in `docs/preload.md`.

use odonata_policy::{EXTENSIONS, Mode, P_TERMS, Parameters, ROWS, Refusal};

/// How the mode of a message is selected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ModeSelection {
    /// It is not: every message goes as the program asks.
    Off,
    /// The policy selects it, by Algorithm 1.
    ApplicationAware,
    /// Every message gets this mode.
    Fixed(Mode),
}

impl ModeSelection {
    /// Its name in the environment and in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::ApplicationAware => "application-aware",
            Self::Fixed(mode) => mode.name(),
        }
    }
}

/// Settings of every library.
#[derive(Clone, PartialEq, Debug)]
pub struct CommonSettings {
    /// How modes are selected.
    pub selection: ModeSelection,
    /// Parameters of the policy.
    pub parameters: Parameters,
    /// Folder for reports; `None`: no report is written.
    pub report: Option<String>,
    /// Whether nothing is said on standard error.
    pub is_quiet: bool,
    /// Whether a crash of the counters is kept from the program.
    pub is_guarded: bool,
}

impl Default for CommonSettings {
    fn default() -> Self {
        Self {
            selection: ModeSelection::ApplicationAware,
            parameters: Parameters::default(),
            report: None,
            is_quiet: false,
            is_guarded: true,
        }
    }
}

impl CommonSettings {
    /// Reads those of `variables` (name, value) whose names begin with `prefix`. `own` takes what
    /// follows the prefix, and the value, of those that are not for every library: it says whether
    /// it knows the variable, or what it expects instead of the value.
    ///
    /// # Errors
    ///
    /// The error is a sentence on the first variable that cannot be understood.
    pub fn read<T: AsRef<str>>(
        prefix: &str,
        variables: &[(T, T)],
        own: &mut dyn FnMut(&str, &str) -> Result<bool, String>,
    ) -> Result<Self, String> {
        let mut settings = Self::default();
        let mut numbers = Vec::new();
        settings.switch_extensions_on(prefix, variables)?;
        for (variable, value) in variables {
            let (variable, value) = (variable.as_ref(), value.as_ref());
            let Some(rest) = variable.strip_prefix(prefix) else {
                continue;
            };
            let Some(key) = rest.strip_prefix('_') else {
                if rest.is_empty() {
                    settings.selection = selection(prefix, value)?;
                }
                continue;
            };
            match key {
                "SEED" | "EXTENSIONS" => {}
                "P_TERM" => {
                    let chosen = settings.parameters.choose_p_term(value);
                    chosen.map_err(|_| wrong(prefix, key, value, &names(&P_TERMS)))?;
                }
                "REPORT" => {
                    settings.report = Some(value.to_owned()).filter(|text| !text.is_empty())
                }
                "QUIET" => settings.is_quiet = !matches!(value, "" | "0"),
                "GUARD" => settings.is_guarded = !matches!(value, "" | "0"),
                _ => {
                    let is_known = own(key, value);
                    if !is_known.map_err(|expected| wrong(prefix, key, value, &expected))? {
                        numbers.push((key, value));
                    }
                }
            }
        }
        for (key, value) in numbers {
            let number = value
                .parse()
                .map_err(|_| wrong(prefix, key, value, "a number"))?;
            let set = settings.parameters.set(&key.to_ascii_lowercase(), number);
            set.map_err(|refusal| match refusal {
                Refusal::Unknown => format!(
                    "{prefix}_{key} is unknown; there are {}",
                    ROWS.map(|row| row.name.to_ascii_uppercase()).join(", ")
                ),
                refusal => format!("{prefix}_{key} = {value} {refusal}"),
            })?;
        }
        Ok(settings)
    }

    /// Reads first what other variables depend on: which extensions are on. Those that are named
    /// take the place of the default; none, or nothing, is the text of Algorithm 1.
    fn switch_extensions_on<T: AsRef<str>>(
        &mut self,
        prefix: &str,
        variables: &[(T, T)],
    ) -> Result<(), String> {
        let find = |key: &str| {
            let name = format!("{prefix}_{key}");
            variables
                .iter()
                .find(|(found, _)| found.as_ref() == name)
                .map(|(_, value)| value.as_ref())
        };
        let seed = match find("SEED") {
            None => 0,
            Some(text) => text
                .parse()
                .map_err(|_| wrong(prefix, "SEED", text, "a whole number"))?,
        };
        let Some(names_on) = find("EXTENSIONS") else {
            return Ok(());
        };
        self.parameters = Parameters::PAPER;
        for name in names_on.split(',') {
            let name = name.trim();
            let extended = name.is_empty() || self.parameters.extend(name, seed).is_ok();
            if !extended {
                return Err(wrong(prefix, "EXTENSIONS", name, &names(&EXTENSIONS)));
            }
        }
        Ok(())
    }
}

fn selection(prefix: &str, text: &str) -> Result<ModeSelection, String> {
    match text {
        "off" | "0" | "" => Ok(ModeSelection::Off),
        "application-aware" | "on" | "1" => Ok(ModeSelection::ApplicationAware),
        _ => match Mode::ALL.into_iter().find(|mode| mode.name() == text) {
            Some(mode) => Ok(ModeSelection::Fixed(mode)),
            None => Err(format!(
                "{prefix} = {text} is not one of application-aware, off, adaptive-0, adaptive-1, \
                 adaptive-3"
            )),
        },
    }
}

fn wrong(prefix: &str, key: &str, value: &str, expected: &str) -> String {
    format!("{prefix}_{key}: {value} is not {expected}")
}

fn names(of: &[(&str, &str)]) -> String {
    let names: Vec<&str> = of.iter().map(|(name, _)| *name).collect();
    format!("one of {}", names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(variables: &[(&str, &str)]) -> Result<CommonSettings, String> {
        CommonSettings::read("ODONATA_X", variables, &mut |key, value| match key {
            "OWN" if value == "nothing" => Err("something".to_owned()),
            _ => Ok(key == "OWN"),
        })
    }

    #[test]
    fn every_variable_is_read() {
        let settings = read(&[
            ("PATH", "/bin"),
            ("ODONATA_X", "adaptive-3"),
            ("ODONATA_X_DAMPING_HOLD", "4"),
            ("ODONATA_X_EXTENSIONS", "damping, exploration"),
            ("ODONATA_X_SEED", "7"),
            ("ODONATA_X_P_TERM", "authors"),
            ("ODONATA_X_THRESHOLD", "0"),
            ("ODONATA_X_OWN", "anything"),
            ("ODONATA_X_REPORT", "out"),
            ("ODONATA_X_QUIET", "1"),
            ("ODONATA_X_GUARD", "0"),
        ])
        .unwrap();
        assert_eq!(settings.selection, ModeSelection::Fixed(Mode::Adaptive3));
        assert_eq!(settings.parameters.damping.unwrap().hold, 4);
        assert_eq!(settings.parameters.exploration.unwrap().seed, 7);
        assert_eq!(settings.parameters.threshold, 0);
        assert_eq!((settings.is_quiet, settings.is_guarded), (true, false));
        assert_eq!(settings.report.as_deref(), Some("out"));
        assert_eq!(read(&[]).unwrap(), CommonSettings::default());
        assert_eq!(
            read(&[("ODONATA_X", "off")]).unwrap().selection,
            ModeSelection::Off
        );
    }

    #[test]
    fn what_is_wrong_is_said_in_a_sentence() {
        for (name, value, said) in [
            (
                "ODONATA_X",
                "yes",
                "ODONATA_X = yes is not one of application-aware, off,",
            ),
            (
                "ODONATA_X_TRESHOLD",
                "1",
                "ODONATA_X_TRESHOLD is unknown; there are THRESH",
            ),
            (
                "ODONATA_X_EXPIRY",
                "many",
                "ODONATA_X_EXPIRY: many is not a number",
            ),
            (
                "ODONATA_X_EXPIRY",
                "nan",
                "ODONATA_X_EXPIRY = nan must be 0 to 4294967295",
            ),
            (
                "ODONATA_X_EXTENSIONS",
                "magic",
                "ODONATA_X_EXTENSIONS: magic is not one of",
            ),
            (
                "ODONATA_X_P_TERM",
                "ours",
                "ODONATA_X_P_TERM: ours is not one of paper, auth",
            ),
            (
                "ODONATA_X_OWN",
                "nothing",
                "ODONATA_X_OWN: nothing is not something",
            ),
            (
                "ODONATA_X_SEED",
                "-1",
                "ODONATA_X_SEED: -1 is not a whole number",
            ),
            (
                "ODONATA_X_LEARNING_RATE",
                "0.5",
                "ODONATA_X_LEARNING_RATE = 0.5 does nothing without the extension `learning`",
            ),
        ] {
            let sentence = read(&[(name, value)]).unwrap_err();
            assert!(sentence.starts_with(said), "{sentence}");
        }
    }
}
