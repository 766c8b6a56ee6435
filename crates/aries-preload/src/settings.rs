//! Settings of this library alone; documented in `docs/preload.md`.

use odonata_interpose::CommonSettings;

/// Settings of the library for Aries.
#[derive(Clone, PartialEq, Debug)]
pub struct Settings {
    /// Settings that every library has.
    pub common: CommonSettings,
    /// Prefixes of the names of events, which are tried in this order.
    pub prefixes: Vec<String>,
    /// Names of the events: flits, stalled cycles, packet pairs, microseconds of latency.
    pub events: [String; 4],
    /// File of the PAPI to read counters with; `None`: it is looked for.
    pub papi: Option<String>,
    /// Values of DMAPP's relaxed ordering for ADAPTIVE 0, 1 and 3.
    pub dmapp: Option<[u8; 3]>,
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
            common: CommonSettings::default(),
            prefixes: ["", "cray_npu:::", "sde:::aries::"]
                .map(String::from)
                .to_vec(),
            events: EVENTS.map(String::from),
            papi: None,
            dmapp: None,
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
                "EVENT_PREFIX" => settings.prefixes = vec![value.to_owned()],
                "EVENTS" => settings.events = events(value)?,
                "PAPI" => settings.papi = Some(value.to_owned()),
                "DMAPP" => settings.dmapp = Some(dmapp(value)?),
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        Ok(settings)
    }
}

fn events(text: &str) -> Result<[String; 4], String> {
    let found: Vec<String> = text.split(',').map(|name| name.trim().to_owned()).collect();
    found
        .try_into()
        .map_err(|_| "four names: flits, stalls, packets, latency".to_owned())
}

fn dmapp(text: &str) -> Result<[u8; 3], String> {
    let found: Option<Vec<u8>> = text
        .split(',')
        .map(|value| value.trim().parse().ok())
        .collect();
    let found = found.and_then(|values| values.try_into().ok());
    found.ok_or_else(|| "three numbers: of ADAPTIVE, ADAPTIVE_1, ADAPTIVE_3".to_owned())
}

#[cfg(test)]
mod tests {
    use odonata_interpose::ModeSelection;

    use super::*;

    #[test]
    fn every_variable_is_read() {
        let settings = Settings::read(&[
            ("PATH", "/bin"),
            ("ODONATA_ARIES", "off"),
            ("ODONATA_ARIES_EVENT_PREFIX", "x:::"),
            ("ODONATA_ARIES_EVENTS", "a,b,c,d"),
            ("ODONATA_ARIES_PAPI", "./libpapi.so"),
            ("ODONATA_ARIES_DMAPP", "2, 5,7"),
        ])
        .unwrap();
        assert_eq!(settings.common.selection, ModeSelection::Off);
        assert_eq!(settings.events, ["a", "b", "c", "d"]);
        assert_eq!(settings.dmapp, Some([2, 5, 7]));
        assert_eq!(settings.prefixes, ["x:::"]);
        assert_eq!(settings.papi.as_deref(), Some("./libpapi.so"));
        assert_eq!(Settings::read::<&str>(&[]).unwrap(), Settings::default());
    }

    #[test]
    fn what_is_wrong_is_said_in_a_sentence() {
        for (name, value, said) in [
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
                "ODONATA_ARIES_TRESHOLD",
                "1",
                "ODONATA_ARIES_TRESHOLD is unknown; there are THRESH",
            ),
        ] {
            let sentence = Settings::read(&[(name, value)]).unwrap_err();
            assert!(sentence.starts_with(said), "{sentence}");
        }
    }
}
