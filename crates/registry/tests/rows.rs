//! What rows accept, refuse, say and default to; a table is read and listed by the same walk.

#![expect(clippy::unwrap_used, reason = "a test may stop on what cannot be")]

use odonata_registry::{
    Default, Entry, Keys, Kind, MemberError, Parameter, Problem, Rows, Spec, Table, defaults, list,
    member, read,
};
use serde_json::{Map, Value, json};

const SPEED: Parameter = Parameter::new("speed", Kind::Count, Default::Count(2), "how fast")
    .at_least(1)
    .at_most(9);
const WAIT: Parameter = Parameter::new("wait", Kind::Time, Default::Required, "how long");
const BIAS: Parameter = Parameter::new("bias", Kind::Integer, Default::Integer(0), "which way")
    .unit("flits")
    .within(-5.0, 5.0);
const WHO: Parameter = Parameter::new(
    "who",
    Kind::Choice(&["me", "you"]),
    Default::Text("me"),
    "goes first",
);

fn map(value: &Value) -> &Map<String, Value> {
    value.as_object().unwrap()
}

#[test]
fn values_of_the_wrong_type_or_out_of_range_are_refused_with_what_would_be_right() {
    for (row, value, expected) in [
        (SPEED, json!(0), "a whole number, at least 1 and at most 9"),
        (SPEED, json!(10), "a whole number, at least 1 and at most 9"),
        (
            SPEED,
            json!("2"),
            "a whole number, at least 1 and at most 9",
        ),
        (
            SPEED,
            json!(2.0),
            "a whole number, at least 1 and at most 9",
        ),
        (WAIT, json!(-1), "a whole number of picoseconds, at least 0"),
        (
            BIAS,
            json!(-6),
            "a whole number of flits, at least -5 and at most 5",
        ),
        (WHO, json!("yuo"), "one of me, you (did you mean `you`?)"),
        (WHO, json!(3), "one of me, you"),
        (
            Parameter::new("list", Kind::Counts, Default::Derived, "").at_least(1),
            json!([1, 0]),
            "a list of whole numbers, each at least 1",
        ),
        (
            Parameter::new("shares", Kind::Numbers, Default::Derived, ""),
            json!([0.5, -0.1]),
            "a list of numbers, each at least 0",
        ),
        (
            Parameter::new("kinds", Kind::Choices(&["a"]), Default::Derived, ""),
            json!(["a", "b"]),
            "a list of a",
        ),
        (
            Parameter::new("file", Kind::Path, Default::Derived, ""),
            json!(1),
            "a path in quotes",
        ),
        (
            Parameter::new("on", Kind::Boolean, Default::Derived, ""),
            json!("true"),
            "true or false",
        ),
    ] {
        assert_eq!(row.refusal(&value).as_deref(), Some(expected), "{value}");
    }
    for (row, value) in [
        (SPEED, json!(1)),
        (SPEED, json!(9)),
        (WAIT, json!(u64::MAX)),
        (BIAS, json!(-5)),
        (WHO, json!("you")),
    ] {
        assert_eq!(row.refusal(&value), None, "{value}");
    }
}

#[test]
fn a_row_describes_itself() {
    assert_eq!(
        WAIT.source("a page").sparse().describe(),
        json!({
            "name": "wait", "type": "time", "unit": "ps", "default": null, "required": true,
            "choices": null, "minimum": null, "maximum": null, "sparse": true, "doc": "how long",
            "source": "a page",
        })
    );
    let bias = BIAS.describe();
    assert_eq!(
        (&bias["unit"], &bias["minimum"]),
        (&json!("flits"), &json!(-5))
    );
    let half = Parameter::new("x", Kind::Number, Default::Number(0.5), "").within(0.5, 1e6);
    assert_eq!(half.describe()["minimum"], json!(0.5));
}

#[test]
fn an_entry_describes_itself() {
    const ENTRIES: [Entry; 2] = [Entry::plain("a", "first", "x"), Entry::plain("b", "", "")];
    assert_eq!(Entry::names(&ENTRIES), ["a", "b"]);
    let described = ENTRIES[0].describe();
    assert_eq!(
        described,
        json!({"name": "a", "summary": "first", "source": "x", "parameters": []})
    );
}

static ROWS: [Parameter; 3] = [SPEED, WAIT, WHO];

#[test]
fn a_specification_gives_values_and_knows_what_nobody_asked_for() {
    let given = json!({"kind": "thing", "wait": 7});
    let spec = Spec::new(&ROWS, &["kind"], map(&given)).unwrap();
    assert_eq!((spec.count("wait"), spec.count("speed")), (7, 2));
    assert_eq!(spec.unread(), ["who"]);
    assert_eq!(spec.text("who"), "me");
    assert!(spec.unread().is_empty());
}

#[test]
fn a_specification_refuses_unknown_missing_and_wrong() {
    let refuse = |given: Value| Spec::new(&ROWS, &["kind"], map(&given)).unwrap_err();
    assert_eq!(
        refuse(json!({"wiat": 7})),
        Problem::Unknown {
            key: "wiat".to_owned(),
            hint: " (did you mean `wait`?)".to_owned(),
            choices: "speed, wait, who, kind".to_owned(),
        }
    );
    assert!(matches!(refuse(json!({"speed": 2})), Problem::Missing { key, .. } if key == "wait"));
    assert!(
        matches!(refuse(json!({"wait": 1, "speed": 0})), Problem::Wrong { key, .. } if key == "speed")
    );
}

#[test]
fn a_refused_member_is_answered_with_a_sentence() {
    let message = |error: MemberError| error.to_string();
    let find = |given: Value| {
        let members = ["ring", "tree"];
        member("workload", &members, |name| name, map(&given)).copied()
    };
    assert_eq!(find(json!({"kind": "tree"})), Ok("tree"));
    assert_eq!(
        message(find(json!({})).unwrap_err()),
        "a workload needs the key `kind`, one of ring, tree"
    );
    assert_eq!(
        message(find(json!({"kind": "rng"})).unwrap_err()),
        "workload `rng` does not exist (did you mean `ring`?); choose one of ring, tree"
    );
    let refuse = |given: Value| {
        let problem = Spec::new(&ROWS, &["kind"], map(&given)).unwrap_err();
        message(MemberError::new("placement", "ring", problem))
    };
    assert_eq!(
        refuse(json!({"wiat": 7})),
        "`wiat` is not a key of placement `ring` (did you mean `wait`?); its keys are speed, wait, \
         who, kind"
    );
    assert_eq!(
        refuse(json!({})),
        format!("placement `ring` needs the key `wait`: {}", WAIT.meaning)
    );
    assert_eq!(
        refuse(json!({"wait": -1})),
        "`wait` of placement `ring` is -1, but it must be a whole number of picoseconds, \
         at least 0"
    );
}

#[derive(Debug, PartialEq)]
struct Thing {
    speed: u32,
    wait_ps: Option<u64>,
    first: bool,
}

impl Rows for Thing {
    fn rows(table: &mut Table<'_>) -> Result<Self, Problem> {
        Ok(Self {
            speed: table.read(SPEED)?,
            wait_ps: table.read(WAIT.default(Default::Derived))?,
            first: table.choice(
                Parameter::new("who", Kind::Choice(&[]), Default::Text("me"), "goes first"),
                &[("me", true), ("you", false)],
            )?,
        })
    }
}

#[test]
fn one_walk_reads_and_lists_a_table() {
    let names: Vec<_> = list::<Thing>()
        .iter()
        .map(|row| row["name"].clone())
        .collect();
    assert_eq!(names, ["speed", "wait", "who"]);
    assert_eq!(list::<Thing>()[2]["choices"], json!(["me", "you"]));
    let usual = Thing {
        speed: 2,
        wait_ps: None,
        first: true,
    };
    assert_eq!(defaults(), Ok(usual));
    let given = json!({"speed": 3, "wait_ps": 5, "who": "you"});
    let wanted = Thing {
        speed: 3,
        wait_ps: Some(5),
        first: false,
    };
    assert_eq!(read(map(&given), Keys::WithUnits), Ok(wanted));
}

#[test]
fn a_table_refuses_what_no_row_has_and_what_no_choice_names() {
    let refuse = |given: Value| {
        read::<Thing>(map(&given), Keys::WithUnits)
            .unwrap_err()
            .to_string()
    };
    assert_eq!(
        refuse(json!({"wait": 5})),
        "`wait` does not exist (did you mean `wait_ps`?); its keys are speed, wait_ps, who"
    );
    assert_eq!(
        refuse(json!({"who": "yuo"})),
        "`who` is \"yuo\", but it must be one of me, you (did you mean `you`?)"
    );
    assert_eq!(
        refuse(json!({"speed": 10})),
        "`speed` is 10, but it must be a whole number, at least 1 and at most 9"
    );
}

struct Strict;

impl Rows for Strict {
    fn rows(table: &mut Table<'_>) -> Result<Self, Problem> {
        let _: u64 = table.read(WAIT)?;
        let _: String = table.read(Parameter::new("name", Kind::Text, Default::Required, "who"))?;
        Ok(Self)
    }
}

#[test]
fn what_must_be_given_is_asked_for_and_can_be_listed() {
    assert_eq!(list::<Strict>().len(), 2);
    let given = json!({});
    let missing = read::<Strict>(map(&given), Keys::Plain)
        .map(|_| ())
        .unwrap_err();
    assert_eq!(missing.key(), "wait");
    assert_eq!(missing.to_string(), "`wait` is missing: how long");
}
