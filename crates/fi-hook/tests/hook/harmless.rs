//! Whatever is missing or wrong: the program goes on as without the library, and is told once.

use crate::programs::{
    compile, file, has_libfabric, hooked, number, numbers, only_report, plain, preloaded, scratch,
    words,
};

const SENDS: [&str; 3] = ["send:9000:20", "burst:9000", "write:64"];
const WELL: (&str, Option<i32>) = ("wrong 0\n", Some(0));

#[test]
fn what_is_missing_is_said_once() {
    if !has_libfabric() {
        return;
    }
    let none = file("none", "");
    let one = file("one", "lpe_success_cntr 5\nx\n");
    for (run, said) in [
        (
            preloaded().with("FAKECXI_FAIL", "no-ops"),
            "the provider has no operations dom_ops_v1 to v6",
        ),
        (
            preloaded().with("FAKECXI_FAIL", "read-after-0"),
            "counters cannot be read through dom_ops",
        ),
        (
            preloaded().with("FAKECXI_FAIL", "crash-after-0"),
            "counters cannot be read through dom_ops",
        ),
        (
            preloaded().with("ODONATA_FI_COUNTERS", "/nowhere/numbers"),
            "ODONATA_FI_COUNTERS = /nowhere/numbers cannot be read",
        ),
        (
            preloaded().with("ODONATA_FI_COUNTERS", &none),
            "there is no counter pct_req_rsp_latency_0",
        ),
        (
            preloaded().with("ODONATA_FI_COUNTERS", &one),
            "line 2: `x` is not NAME NUMBER",
        ),
        (
            preloaded().with("ODONATA_FI_LANES", "fast"),
            "ODONATA_FI_LANES: fast is not one of own,",
        ),
        (
            hooked().with("ODONATA_FI_EXPIRY", "soon"),
            "ODONATA_FI_EXPIRY: soon is not a number",
        ),
    ] {
        let (out, code, error) = words(&run, &SENDS);
        assert_eq!((out.as_str(), code), WELL, "{error}");
        assert!(error.contains(said), "{said} in {error}");
        assert_eq!(error.lines().count(), 1, "{error}");
        let (_, code, error) = words(&run.with("ODONATA_FI_QUIET", "1"), &SENDS);
        assert_eq!((code, error.as_str()), (Some(0), ""));
    }
    let without = plain()
        .with(
            "LD_PRELOAD",
            &crate::programs::library().display().to_string(),
        )
        .with("ODONATA_FI_PROVIDERS", "fakecxi");
    let (_, code, error) = words(&without, &SENDS);
    assert_eq!(code, Some(0));
    assert!(error.contains("ODONATA_FI_COUNTERS names no file of counter numbers"));
}

#[test]
fn counters_that_fail_or_crash_later_do_no_harm() {
    if !has_libfabric() {
        return;
    }
    for how in ["read-after-400", "crash-after-400"] {
        let folder = scratch(how);
        let run = preloaded()
            .with("FAKECXI_FAIL", how)
            .with("FAKECXI_REORDER", "3")
            .with("ODONATA_FI_REPORT", &folder.display().to_string());
        let (out, code, error) = words(&run, &SENDS);
        assert_eq!((out.as_str(), code), WELL, "{how}: {error}");
        assert!(error.contains("counters can no longer be read"), "{error}");
        let said = only_report(&folder);
        assert!(number(&said, "failed_reads") > 0, "{said}");
        assert!(number(&said, "observations") > 0, "{said}");
    }
}

#[test]
fn an_endpoint_without_aliases_is_left_alone() {
    if !has_libfabric() {
        return;
    }
    for how in ["no-alias", "no-class"] {
        let folder = scratch(&format!("{how}-report"));
        let run = preloaded()
            .with("FAKECXI_FAIL", how)
            .with("ODONATA_FI_REPORT", &folder.display().to_string());
        let (out, code, error) = words(&run, &["send:9000:5", "tables"]);
        let said = "tables of the provider\nwrong 0\n";
        assert_eq!((out.as_str(), code), (said, Some(0)), "{error}");
        let said = only_report(&folder);
        assert_eq!(number(&said, "endpoints_left_alone"), 1, "{said}");
        assert!(number(&said, "aliases_refused") > 0, "{said}");
    }
}

#[test]
fn without_completions_that_are_counted_nothing_that_has_an_order_is_steered() {
    if !has_libfabric() {
        return;
    }
    for how in ["no-cntr", "no-bind"] {
        let folder = scratch(how);
        let run = preloaded()
            .with("FAKECXI_FAIL", how)
            .with("ODONATA_FI", "adaptive-3")
            .with("ODONATA_FI_REPORT", &folder.display().to_string());
        let (out, code, error) = words(&run, &["send:9000:5", "write:9000", "tables"]);
        let said = "tables of the provider\nwrong 0\n";
        assert_eq!((out.as_str(), code), (said, Some(0)), "{how}: {error}");
        let said = only_report(&folder);
        assert_eq!(number(&said, "endpoints_left_alone"), 1, "{how}: {said}");
        assert_eq!(number(&said, "aliases"), 0, "{how}: {said}");
    }
}

#[test]
fn what_is_in_use_is_not_closed_and_steered_as_before() {
    if !has_libfabric() {
        return;
    }
    let folder = scratch("busy");
    let run = preloaded().with("ODONATA_FI_REPORT", &folder.display().to_string());
    let (out, code, error) = words(&run, &["send:9000:3", "busy", "send:9000:3", "tables"]);
    let said = "tables of the hook\nwrong 0\n";
    assert_eq!((out.as_str(), code), (said, Some(0)), "{error}");
    let said = only_report(&folder);
    assert_eq!(number(&said, "observations"), 6, "{said}");
}

#[test]
fn a_fabric_may_be_opened_as_libfabric_2_does() {
    if !has_libfabric() {
        return;
    }
    let fabric2 = compile("fabric2.c", &["-shared", "-fPIC"]);
    let library = crate::programs::library();
    let run = preloaded().with("FI_TEST_FABRIC2", "1").with(
        "LD_PRELOAD",
        &format!("{}:{}", library.display(), fabric2.display()),
    );
    let said = crate::programs::report(&run, "fabric2", &["send:9000:5"]);
    assert_eq!(number(&said, "endpoints"), 1, "{said}");
}

#[test]
fn both_ways_into_a_process_at_once_are_one() {
    if !has_libfabric() {
        return;
    }
    let library = crate::programs::providers(true).join("libodonata-fi.so");
    let run = hooked().with("LD_PRELOAD", &library.display().to_string());
    let said = crate::programs::report(&run, "twice", &["send:9000:5"]);
    let messages = number(&said, "messages.adaptive-0") + number(&said, "messages.adaptive-3");
    assert_eq!(messages, 5, "{said}");
}

#[test]
fn a_libfabric_without_what_is_needed_is_passed_over() {
    if !has_libfabric() {
        return;
    }
    // A program that knows of no libfabric, and one whose libfabric is too old.
    let library = crate::programs::library().display().to_string();
    let sh = crate::programs::Run::plain().with("LD_PRELOAD", &library);
    let done = sh.output(
        std::path::Path::new("/bin/sh"),
        &["-c", "echo said; exit 7"],
    );
    assert_eq!(done.status.code(), Some(7));
    assert_eq!(
        (done.stdout.as_slice(), done.stderr.len()),
        (&b"said\n"[..], 0)
    );
    let old = compile("nothing.c", &["-shared", "-fPIC", "-DMINOR=4"]);
    let program = compile("cost.c", &[old.to_str().expect("a path")]);
    let numbers = numbers().display().to_string();
    let run = sh.with("ODONATA_FI_COUNTERS", &numbers);
    let (out, code, error) = crate::programs::told(&run.output(&program, &["64", "2"]));
    assert!(error.contains("libfabric 1.4 is older than 1.5"), "{error}");
    assert_eq!((code, out.trim().ends_with(" 0")), (Some(0), true), "{out}");
}
