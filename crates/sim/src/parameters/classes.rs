//! From traffic classes as configured to the shares of the network.

use odonata_network::{ClassShare, MOST_CLASSES, Parameters, Qos};
use odonata_topology::LinkKind;
use odonata_units::Span;

use crate::config::{Config, TrafficClass};
use crate::error::SimError;

/// The classes of `config`; one without `[system.qos]`.
pub(super) fn qos(config: &Config) -> Result<Qos, SimError> {
    let path = |key: &str| format!("system.qos.{key}");
    let Some(qos) = &config.system.qos else {
        return Ok(Qos::NONE);
    };
    let count = qos.classes.len();
    if !(1..=MOST_CLASSES).contains(&count) {
        let message = format!("1 to {MOST_CLASSES} traffic classes can be told apart, not {count}");
        return Err(SimError::new(path("classes"), message));
    }
    let mut shares = Qos::NONE.shares;
    for (index, class) in qos.classes.iter().enumerate() {
        if qos.classes[..index]
            .iter()
            .any(|other| other.name == class.name)
        {
            let message = format!("there are two traffic classes `{}`; rename one", class.name);
            return Err(SimError::new(
                path(&format!("classes[{index}].name")),
                message,
            ));
        }
        check_share(class, count)
            .map_err(|message| SimError::new(path(&format!("classes[{index}]")), message))?;
        shares[index] = class.share;
    }
    check_sums(&qos.classes).map_err(|message| SimError::new(path("classes"), message))?;
    Ok(Qos {
        classes: u8::try_from(count).unwrap_or(u8::MAX),
        window: Span::from_ps(qos.window_ps),
        monitor: qos.monitor,
        shares,
    })
}

/// Refuses a class of `count` whose numbers contradict each other.
fn check_share(class: &TrafficClass, count: usize) -> Result<(), String> {
    let TrafficClass { name, share, .. } = class;
    let assured = share.assured_ppm.max(share.fabric_ppm);
    if assured == 0 {
        return Err(format!(
            "traffic class `{name}` has no share; give `assured`, or `cap`, such as \"30 %\""
        ));
    }
    if share.ceiling_ppm < assured {
        return Err(format!(
            "traffic class `{name}` is assured of more than its ceiling; raise `ceiling`, or lower \
             `assured` and `fabric`"
        ));
    }
    if count == 1 && (share.has_ceiling() || share.priority != share.response_priority) {
        return Err(format!(
            "`{name}` is the only traffic class, and nothing limits or orders a single one; add \
             another, or leave `ceiling` and `response_priority` out"
        ));
    }
    Ok(())
}

/// Refuses classes that are assured of more than there is.
fn check_sums(classes: &[TrafficClass]) -> Result<(), String> {
    let is_cap = classes.iter().all(|class| class.is_cap);
    let what = if is_cap { "caps" } else { "assured shares" };
    let sum = |of: fn(&ClassShare) -> u32| -> u64 {
        classes
            .iter()
            .map(|class| u64::from(of(&class.share)))
            .sum()
    };
    let sum = sum(|share| share.assured_ppm).max(sum(|share| share.fabric_ppm));
    if sum > u64::from(ClassShare::WHOLE_PPM) {
        let percent = sum / 10_000;
        return Err(format!(
            "the {what} add up to {percent} %, more than a link has; lower them to 100 % in all"
        ));
    }
    Ok(())
}

/// Refuses ceilings that are less than a packet in a window: they would let more pass than they say.
pub(super) fn check_ceilings(parameters: &Parameters) -> Result<(), SimError> {
    let window = u128::from(parameters.qos.window.ps());
    let rates = LinkKind::ALL.map(|kind| parameters.link(kind).bandwidth.bytes_per_second());
    let slowest = u128::from(rates.into_iter().min().unwrap_or(u64::MAX));
    let limited = parameters
        .qos
        .each()
        .iter()
        .filter(|share| share.has_ceiling());
    let Some(least) = limited.map(|share| share.ceiling_ppm).min() else {
        return Ok(());
    };
    let bytes = slowest * window * u128::from(least) / 10_u128.pow(18);
    let packet = parameters
        .packet_bytes
        .saturating_mul(parameters.largest_multiple.into());
    if bytes < u128::from(packet) {
        let message = format!(
            "the smallest ceiling is {bytes} B of the slowest link in a window, less than a packet of \
             {packet} B; make the window longer"
        );
        return Err(SimError::new("system.qos.window", message));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use odonata_network::ClassShare;
    use serde_json::{Value, json};

    use super::{check_share, check_sums};
    use crate::config::{Qos, TrafficClass};

    fn qos(table: Value) -> Qos {
        serde_json::from_value(table).unwrap()
    }

    fn class(more: Value) -> TrafficClass {
        let mut table = json!({"name": "one"});
        let (Some(table), Value::Object(more)) = (table.as_object_mut(), more) else {
            unreachable!("both are tables");
        };
        table.extend(more);
        serde_json::from_value(Value::Object(table.clone())).unwrap()
    }

    #[test]
    fn profiles_are_classes() {
        let table =
            json!({"window_ps": 1_000, "monitor": "static", "profile": "slingshot-ll-be-bd"});
        let classes = qos(table).classes;
        let names: Vec<_> = classes.iter().map(|class| class.name.as_str()).collect();
        assert_eq!(
            names,
            ["low-latency", "bulk-data", "best-effort", "ethernet"]
        );
        let expected = ClassShare {
            assured_ppm: 100_000,
            fabric_ppm: 500_000,
            ceiling_ppm: 1_000_000,
            priority: 2,
            response_priority: 1,
        };
        assert_eq!(classes[2].share, expected);
        assert_eq!(check_sums(&classes), Ok(()));
        let both = json!({"window_ps": 1, "monitor": "static", "profile": "slingshot-hpc",
            "classes": [{"name": "a", "cap_ppm": 1}]});
        let refused = serde_json::from_value::<Qos>(both).unwrap_err();
        assert!(refused.to_string().contains("left out"), "{refused}");
    }

    #[test]
    fn a_cap_is_an_assured_share() {
        let cap = class(json!({"cap_ppm": 300_000}));
        assert_eq!(cap.share, ClassShare::cap(300_000));
        let assured = class(json!({"assured_ppm": 300_000}));
        assert_eq!(assured.share, cap.share);
        assert_eq!((cap.is_cap, assured.is_cap), (true, false));
        let both = json!({"name": "one", "cap_ppm": 1, "assured_ppm": 1});
        assert!(serde_json::from_value::<TrafficClass>(both).is_err());
    }

    #[test]
    fn contradictions_are_refused() {
        let said = |more: Value, count| check_share(&class(more), count).unwrap_err();
        assert!(said(json!({}), 2).contains("no share"));
        let low = json!({"assured_ppm": 300_000, "ceiling_ppm": 200_000});
        assert!(said(low, 2).contains("more than its ceiling"));
        let single = json!({"assured_ppm": 300_000, "ceiling_ppm": 400_000});
        assert!(said(single.clone(), 1).contains("only traffic class"));
        assert_eq!(check_share(&class(single), 2), Ok(()));
        let fabric = class(json!({"assured_ppm": 1, "fabric_ppm": 600_000}));
        let twice = [fabric.clone(), fabric];
        assert!(check_sums(&twice).unwrap_err().contains("120 %"));
    }
}
