//! Under valgrind: no leak, no access to what is not there.

use crate::programs::{file, has, has_libfabric, plain, preloaded, words};

const MEMCHECK: [&str; 6] = [
    "valgrind",
    "--quiet",
    "--error-exitcode=99",
    "--leak-check=full",
    "--errors-for-leak-kinds=definite,indirect",
    "--undef-value-errors=no", // sockets sends what it has not written
];

/// The provider sockets of libfabric 1.17 does not free an alias when it is closed.
const OF_SOCKETS: &str = "{
   an alias of the provider sockets
   Memcheck:Leak
   match-leak-kinds: definite
   fun:calloc
   obj:*/libfabric.so*
}
";

#[test]
fn valgrind_finds_nothing_that_it_does_not_find_without_the_library() {
    if !has_libfabric() || !has("valgrind", "valgrind") {
        return;
    }
    let said = [
        "send:65536:6",
        "burst:9000",
        "inject",
        "write:9000:2",
        "reopen",
        "send:9000:3",
    ];
    let suppressed = format!("--suppressions={}", file("suppressed", OF_SOCKETS));
    let mut under = MEMCHECK.to_vec();
    under.push(&suppressed);
    let (_, code, error) = words(&plain().under(&under), &said);
    if code != Some(0) {
        println!("skipped: valgrind finds faults of libfabric here: {error}");
        return;
    }
    let run = preloaded().with("FAKECXI_REORDER", "2");
    let (out, code, error) = words(&run.under(&under), &said);
    assert_eq!((code, error.as_str()), (Some(0), ""), "{out}");
}
