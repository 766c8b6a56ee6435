//! A class that did not take effect is noticed, and not asked for again.

use crate::programs::{file, has_libfabric, number, preloaded, report, scratch};

#[test]
fn a_class_that_the_service_forbids_is_noticed() {
    if !has_libfabric() {
        return;
    }
    // Low latency and the endpoint are better in turns, for long enough.
    let model = file(
        "forbidden-model",
        "0 200 4 0\n0 201 3 0\n60 201 3 99\n60 200 4 0\n100 201 3 0\n",
    );
    for (name, forbidden, verdict) in [("allowed", "0", "seen"), ("forbidden", "201", "not seen")] {
        let log = scratch(&format!("{name}-log")).display().to_string();
        let run = preloaded()
            .with("FAKECXI_MODEL", &model)
            .with("FAKECXI_FORBID", forbidden)
            .with("FAKECXI_LOG", &log)
            .with("ODONATA_FI_LANES", "own,own,low-latency");
        let said = report(&run, name, &["send:65536:160"]);
        let shown =
            format!("\"adaptive-3\": {{\"lane\": \"low-latency\", \"class\": \"{verdict}\"}}");
        assert!(said.contains(&shown), "{said}");
        let text = std::fs::read_to_string(&log).expect("the provider has written it");
        let last: Vec<&str> = text.lines().skip(140).collect();
        let is_asked_for = last.iter().any(|line| line.starts_with("201"));
        assert_eq!(is_asked_for, forbidden == "0", "{last:?}");
        assert_eq!(number(&said, "failed_reads"), 0);
    }
}
