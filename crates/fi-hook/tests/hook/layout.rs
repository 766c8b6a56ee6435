//! What is declared of the ABI is what the installed headers say.

use std::fmt::Write;

use odonata_fi::LAYOUT;

use crate::programs::scratch;

#[test]
fn the_layout_is_that_of_the_headers() {
    if !crate::programs::has_libfabric() {
        return;
    }
    let mut program = "#include <stddef.h>\n".to_owned();
    for header in [
        "fabric",
        "fi_domain",
        "fi_endpoint",
        "fi_tagged",
        "fi_rma",
        "fi_eq",
    ] {
        let _ = writeln!(program, "#include <rdma/{header}.h>");
    }
    program += "#include <rdma/providers/fi_prov.h>\n";
    program += "#define SAME(is, value) _Static_assert((long long)(is) == value, #is)\n";
    for (expression, value) in LAYOUT {
        let _ = writeln!(program, "SAME({expression}, {value}LL);");
    }
    let compiles = |program: &str| {
        let source = scratch("layout.c");
        std::fs::write(&source, program).expect("the folder of tests can be written");
        let mut compiler = std::process::Command::new("cc");
        let done = compiler.arg("-fsyntax-only").arg(&source).output();
        let done = done.expect("cc is there");
        (
            done.status.success(),
            String::from_utf8_lossy(&done.stderr).into_owned(),
        )
    };
    let (is_same, said) = compiles(&program);
    assert!(is_same, "{said}");
    // It would be noticed.
    let wrong = program + "SAME(offsetof(struct fi_ops_msg, send), 24LL);\n";
    assert!(!compiles(&wrong).0);
}
