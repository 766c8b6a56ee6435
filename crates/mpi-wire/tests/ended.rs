//! What is called of MPI, and when: a library in its place ends the test where that is wrong.

#![expect(clippy::unwrap_used, reason = "a test may stop on what cannot be")]

use std::path::PathBuf;
use std::process::Command;
use std::thread;
use std::time::Duration;

use odonata_mesh::Wire;
use odonata_mpi_wire::Mpi;

/// Process 0 of two; the other one has sent a message that nobody waits for.
const PRETENDED: &str = r#"
#include <stdlib.h>
static int is_over = 0, unread = 1;
static void call(void) { if (is_over) abort(); }
int odonata_mpi_form(void) { return 2; }
int odonata_mpi_start(int *threads) { *threads = 1; return 0; }
int odonata_mpi_rank(int *rank) { *rank = 0; return 0; }
int odonata_mpi_size(int *size) { *size = 2; return 0; }
int odonata_mpi_send(const void *bytes, int count, int other, int tag, void **request)
{ call(); *request = NULL; return 0; }
int odonata_mpi_is_sent(void *request, int *is_sent) { call(); *is_sent = 1; return 0; }
int odonata_mpi_is_there(int *other, int tag, int *is_there, int *count)
{ call(); *other = 1; *is_there = tag < 0 && unread; *count = 1; return 0; }
int odonata_mpi_receive(void *bytes, int count, int other, int tag)
{ call(); *(char *)bytes = 0; unread = 0; return 0; }
void odonata_mpi_sentence(int error, char *text, int room) { text[0] = 0; }
void odonata_mpi_abort(int code) { call(); }
int odonata_mpi_finish(void) { call(); is_over = 1; return unread; }
"#;

fn pretended() -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let (source, library) = (folder.join("pretended.c"), folder.join("pretended.so"));
    std::fs::write(&source, PRETENDED).unwrap();
    let made = Command::new("cc")
        .args(["-shared", "-fPIC", "-o"])
        .args([&library, &source])
        .status();
    assert!(made.unwrap().success());
    library
}

#[test]
fn nothing_is_called_when_mpi_has_ended_and_nothing_is_left_unread() {
    let mpi = Mpi::open(&pretended()).unwrap();
    let channel = mpi.channel(1);
    thread::scope(|scope| {
        // As after a fault: somebody still waits for a message, and looks for alarms.
        let waits = scope.spawn(|| channel.receive(1, &mut || false));
        thread::sleep(Duration::from_millis(20));
        mpi.finish().unwrap();
        let error = waits.join().unwrap().unwrap_err();
        assert!(error.to_string().contains("MPI has ended"), "{error}");
        thread::sleep(Duration::from_millis(100));
        channel.interrupt();
        mpi.abort(1);
    });
}
