//! What the environment says to this library alone; documented in `docs/preload-slingshot.md`.

use odonata_interpose::CommonSettings;

use crate::counting::Buckets;
use crate::lane::Lane;

/// Settings of the library for Slingshot.
#[derive(Clone, PartialEq, Debug)]
pub struct Settings {
    /// Settings that every library has.
    pub common: CommonSettings,
    /// Providers whose endpoints are steered.
    pub providers: Vec<String>,
    /// Lanes of the messages of ADAPTIVE, of ADAPTIVE in an alltoall, and of HIGH BIAS.
    pub lanes: [Lane; 3],
    /// File of names and numbers of counters.
    pub counters: Option<String>,
    /// Buckets of the histogram of latency.
    pub buckets: Buckets,
    /// Clock of the NIC, in GHz.
    pub clock_ghz: f64,
}

/// Prefix of every variable.
pub(crate) const PREFIX: &str = "ODONATA_FI";

impl Default for Settings {
    fn default() -> Self {
        Self {
            common: CommonSettings::default(),
            providers: vec!["cxi".to_owned()],
            lanes: Lane::DEFAULT,
            counters: None,
            buckets: Buckets {
                first_ns: 250.0,
                ratio: std::f64::consts::SQRT_2,
            },
            clock_ghz: 1.0,
        }
    }
}

impl Settings {
    /// Reads variables (name, value); those of other prefixes are passed over.
    ///
    /// # Errors
    ///
    /// The error is a sentence on the first variable that cannot be understood.
    pub fn read<T: AsRef<str>>(variables: &[(T, T)]) -> Result<Self, String> {
        let mut settings = Self::default();
        settings.common = CommonSettings::read(PREFIX, variables, &mut |key, value| {
            match key {
                "PROVIDERS" => settings.providers = providers(value),
                "LANES" => settings.lanes = Lane::parse(value)?,
                "COUNTERS" => settings.counters = Some(value.to_owned()),
                "BUCKETS" => settings.buckets = buckets(value)?,
                "CLOCK" => {
                    settings.clock_ghz = positive(value).ok_or("a positive number of GHz")?
                }
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        Ok(settings)
    }
}

/// Reads names that are separated by commas.
pub(crate) fn providers(text: &str) -> Vec<String> {
    let names = text.split(',').map(str::trim);
    names
        .filter(|name| !name.is_empty())
        .map(str::to_owned)
        .collect()
}

/// Whether a provider is one of `names`; libfabric names a layered one `CORE;LAYER`.
pub(crate) fn is_among(names: &[String], provider: &str) -> bool {
    names.iter().any(|name| name == provider)
}

fn buckets(text: &str) -> Result<Buckets, String> {
    let numbers = text.split_once(',').and_then(|(first, ratio)| {
        Some(Buckets {
            first_ns: positive(first)?,
            ratio: positive(ratio)?,
        })
    });
    numbers.ok_or_else(|| "two positive numbers: nanoseconds, quotient".to_owned())
}

fn positive(text: &str) -> Option<f64> {
    let number: f64 = text.trim().parse().ok()?;
    (number > 0.0 && number.is_finite()).then_some(number)
}

#[cfg(test)]
mod tests {
    use odonata_interpose::ModeSelection;

    use super::*;

    #[test]
    fn every_variable_is_read() {
        let settings = Settings::read(&[
            ("PATH", "/bin"),
            ("ODONATA_FI", "off"),
            ("ODONATA_FI_PROVIDERS", "cxi, fakecxi,"),
            ("ODONATA_FI_LANES", "own,own,low-latency"),
            ("ODONATA_FI_COUNTERS", "./numbers"),
            ("ODONATA_FI_BUCKETS", "100, 1.5"),
            ("ODONATA_FI_CLOCK", "0.9"),
        ])
        .unwrap();
        assert_eq!(settings.common.selection, ModeSelection::Off);
        assert_eq!(settings.providers, ["cxi", "fakecxi"]);
        assert_eq!(settings.lanes[0], Lane::OWN);
        assert_eq!(settings.counters.as_deref(), Some("./numbers"));
        let buckets = Buckets {
            first_ns: 100.0,
            ratio: 1.5,
        };
        assert_eq!((settings.buckets, settings.clock_ghz), (buckets, 0.9));
        assert_eq!(Settings::read::<&str>(&[]).unwrap(), Settings::default());
    }

    #[test]
    fn what_is_wrong_is_said_in_a_sentence() {
        for (name, value, said) in [
            (
                "ODONATA_FI_LANES",
                "a,b",
                "ODONATA_FI_LANES: a,b is not one of own,",
            ),
            (
                "ODONATA_FI_BUCKETS",
                "1",
                "ODONATA_FI_BUCKETS: 1 is not two positive",
            ),
            (
                "ODONATA_FI_BUCKETS",
                "1,-1",
                "ODONATA_FI_BUCKETS: 1,-1 is not two positive",
            ),
            (
                "ODONATA_FI_CLOCK",
                "inf",
                "ODONATA_FI_CLOCK: inf is not a positive",
            ),
            (
                "ODONATA_FI_TRESHOLD",
                "1",
                "ODONATA_FI_TRESHOLD is unknown; there are THRE",
            ),
        ] {
            let sentence = Settings::read(&[(name, value)]).unwrap_err();
            assert!(sentence.starts_with(said), "{sentence}");
        }
    }
}
