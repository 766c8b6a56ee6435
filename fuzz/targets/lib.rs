//! What every fuzz target shares: files of ranks out of one input, and a watch over memory.
//!
//! A reader must answer every input with a table that fits together or with an error in a sentence,
//! and may have no more memory at once than [`FACTOR`] times the input and [`BASE`] beside it.

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::Cursor;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use odonata_traces::{ReadError, Recorded};

/// Bytes of memory per byte of a trace. An action of SimGrid may have six bytes of text and is 42
/// bytes of columns, which double when they are full; waiting for requests adds lists.
pub const FACTOR: usize = 100;
/// Bytes of memory that a trace may need however short it is: buffers of files.
pub const BASE: usize = 1 << 20;
/// What stands between the files of two ranks.
const BETWEEN: &[u8] = b"\n~~~~\n";

static NOW: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

/// The system's allocator, which knows how much is in use.
struct Counting;

fn more(bytes: usize) {
    let now = NOW.fetch_add(bytes, Relaxed) + bytes;
    MOST.fetch_max(now, Relaxed);
}

// SAFETY: every call goes on to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        more(layout.size());
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        NOW.fetch_sub(layout.size(), Relaxed);
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // Both exist while the content moves.
        more(size);
        NOW.fetch_sub(layout.size(), Relaxed);
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// Reads an input and looks at all that was promised.
///
/// # Panics
/// If a promise does not hold; that is what the fuzzer looks for.
pub fn watch(input: &[u8], read: impl FnOnce() -> Result<Recorded, ReadError>) {
    let before = NOW.load(Relaxed);
    MOST.store(before, Relaxed);
    let answer = read();
    let used = MOST.load(Relaxed) - before;
    let most = BASE + FACTOR * input.len();
    assert!(used <= most, "{used} bytes for a file of {}, at most {most}", input.len());
    match answer {
        Ok(recorded) => {
            // Ranks that do not agree are what the trace says; that must not fail otherwise.
            if let Err(problem) = recorded.table.check() {
                let words = problem.to_string();
                assert!(!words.is_empty() && !words.contains('\n'), "no sentence: {words}");
            }
        }
        Err(error) => {
            let words = error.to_string();
            assert!(words.len() < 2_000 && !words.contains('\n'), "no sentence: {words}");
        }
    }
}

/// The files of the ranks, in one input.
#[must_use]
pub fn files(input: &[u8]) -> Vec<&[u8]> {
    let mut rest = input;
    let mut files = Vec::new();
    while files.len() < 8
        && let Some(at) = rest.windows(BETWEEN.len()).position(|piece| piece == BETWEEN)
    {
        files.push(&rest[..at]);
        rest = &rest[at + BETWEEN.len()..];
    }
    files.push(rest);
    files
}

/// What opens the file of a rank.
pub fn open<'a>(
    files: &'a [&'a [u8]],
) -> impl FnMut(u32) -> Result<(String, Cursor<&'a [u8]>), std::io::Error> {
    move |rank| Ok((format!("file {rank}"), Cursor::new(files[rank as usize])))
}
