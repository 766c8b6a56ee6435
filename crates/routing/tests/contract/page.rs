//! What the table of `docs/model/routing.md` says of an algorithm in words is what its entry is made of.

use odonata_routing::{Algorithm, Choice, ENTRIES, Intermediate, Rule, VcScheme};

const PAGE: &str = include_str!("../../../../docs/model/routing.md");

/// Cells of the columns `path`, `over`, `ladder` and `decided`, by algorithm.
fn rows() -> Vec<(&'static str, [&'static str; 4])> {
    let cells = |line: &'static str| -> Vec<&'static str> {
        let line = line.trim_matches('|');
        line.split('|')
            .map(|cell| cell.trim().trim_matches('`'))
            .collect()
    };
    let mut lines = PAGE
        .lines()
        .skip_while(|line| !line.starts_with("| `algorithm` |"));
    let head = cells(lines.next().unwrap());
    let column = |name| head.iter().position(|cell| *cell == name).unwrap();
    let columns = ["path", "over", "ladder", "decided"].map(column);
    let rows = lines
        .skip(1)
        .take_while(|line| line.starts_with('|'))
        .map(cells);
    rows.map(|row| (row[0], columns.map(|column| row[column])))
        .collect()
}

/// The same cells, by the parts of a rule.
const fn cells(rule: &Rule) -> [&'static str; 4] {
    let over = match (rule.choice, rule.intermediate) {
        (Choice::Minimal, _) => "–",
        (_, Intermediate::Group) => "group",
        (_, Intermediate::Router) => "router",
        (_, Intermediate::AnyNode) => "any node",
        (_, Intermediate::OutsideRouter) => "outside router",
    };
    let ladder = match rule.vcs {
        VcScheme::Minimal => "M",
        VcScheme::Group => "G",
        VcScheme::Router => "R",
        VcScheme::ProgressiveGroup => "D",
        VcScheme::Progressive => "P",
        VcScheme::Hops => "H",
    };
    let (path, decided) = match (rule.choice, rule.progressive) {
        _ if rule.spray.is_some() => ("by marks", "at the NIC"),
        (Choice::Minimal, _) => ("minimal", "–"),
        (Choice::NonMinimal, _) => ("non-minimal", "–"),
        (Choice::Adaptive, false) => ("by the rule", "once"),
        (Choice::Adaptive, true) => ("by the rule", "again"),
    };
    [path, over, ladder, decided]
}

#[test]
fn the_table_of_the_page_is_what_entries_are_made_of() {
    let rows = rows();
    let names: Vec<_> = rows.iter().map(|row| row.0).collect();
    let expected: Vec<_> = ENTRIES.iter().map(|entry| entry.name).collect();
    assert_eq!(names, expected, "a row for each algorithm, in order");
    for (entry, (name, row)) in ENTRIES.iter().zip(rows) {
        let expected = match &entry.algorithm {
            Algorithm::Rule(rule) => cells(rule),
            Algorithm::Ports(ports) => cells(&ports.rule),
            Algorithm::QAdaptive(_) => ["by the table", "–", "H", "twice"],
        };
        assert_eq!(row, expected, "{name}");
    }
}
