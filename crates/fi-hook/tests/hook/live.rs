//! The whole loop with counters of a link that is simulated while the program runs.

use std::fs::{File, OpenOptions};
use std::os::unix::fs::FileExt;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::programs::{has_libfabric, number, preloaded, report, scratch};

const OCTETS: u64 = 36;
const BLOCKED: u64 = 32;
const BY_CLASS: u64 = 37;
/// Columns of the classes in `fakecxi.c`.
const BEST_EFFORT: usize = 1;
const LOW_LATENCY: usize = 4;
/// Cycles that the link takes for a packet.
const PACKET_CYCLES: u64 = 160;

/// A link whose class of low latency has a share of it at most: what exceeds it waits.
struct Link {
    file: File,
    share: f64,
    seen: [u64; 8],
    /// Packets of low latency that wait.
    waiting: f64,
}

impl Link {
    fn word(&self, index: u64) -> u64 {
        let mut bytes = [0; 8];
        self.file
            .read_exact_at(&mut bytes, 8 * index)
            .expect("the file is long enough");
        u64::from_ne_bytes(bytes)
    }

    fn add(&self, index: u64, more: u64) {
        let sum = self.word(index) + more;
        self.file
            .write_all_at(&sum.to_ne_bytes(), 8 * index)
            .expect("it can be written");
    }

    /// The packets that were sent since the last step pass the link.
    fn step(&mut self) {
        let mut sent = [0; 8];
        for (class, (seen, sent)) in self.seen.iter_mut().zip(&mut sent).enumerate() {
            let mut bytes = [0; 8];
            let at = 8 * (64 + class as u64);
            self.file
                .read_exact_at(&mut bytes, at)
                .expect("the file is long enough");
            let now = u64::from_ne_bytes(bytes);
            *sent = now - *seen;
            *seen = now;
        }
        let packets: u64 = sent.iter().sum();
        #[expect(clippy::cast_precision_loss, reason = "small numbers")]
        let (all, low) = (packets as f64, sent[LOW_LATENCY] as f64);
        // Meanwhile the link passes as many packets as were sent, of low latency only its share.
        self.waiting = (self.waiting + low - self.share * all).max(0.0);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "not negative, and far from the largest"
        )]
        let blocked = if low > 0.0 {
            self.waiting as u64 * PACKET_CYCLES
        } else {
            0
        };
        self.add(BLOCKED, blocked);
        self.add(OCTETS, packets * 2_048);
        // Low latency has a bucket of its own, as long as nothing waits.
        let bucket = if sent[LOW_LATENCY] > 0 { 2 } else { 4 };
        self.add(bucket, packets);
        for (class, sent) in sent.into_iter().enumerate() {
            self.add(BY_CLASS + class as u64, sent);
        }
    }

    /// Steps with every message until the program has ended.
    fn run(&mut self, has_ended: &AtomicBool) {
        let mut last = 0;
        while !has_ended.load(Ordering::SeqCst) {
            let now = self.word(80);
            if now == last {
                std::thread::sleep(std::time::Duration::from_micros(20));
                continue;
            }
            self.step();
            last = now;
            self.file
                .write_all_at(&now.to_ne_bytes(), 8 * 63)
                .expect("it can be written");
        }
    }
}

/// Packets by best effort and by low latency, where low latency has this share of the link.
fn packets(name: &str, share: f64) -> (u64, u64, String) {
    let path = scratch(name);
    let mut options = OpenOptions::new();
    let file = options.read(true).write(true).create(true).truncate(true);
    let file = file
        .open(&path)
        .expect("the folder of tests can be written");
    file.set_len(1_024).expect("it can be written");
    let mut link = Link {
        file,
        share,
        seen: [0; 8],
        waiting: 0.0,
    };
    let has_ended = AtomicBool::new(false);
    let said = std::thread::scope(|scope| {
        scope.spawn(|| link.run(&has_ended));
        let run = preloaded()
            .with("FAKECXI_SHARED", &path.display().to_string())
            .with("ODONATA_FI_LANES", "own,own,low-latency");
        let said = report(&run, &format!("{name}-report"), &["send:65536:40"]);
        has_ended.store(true, Ordering::SeqCst);
        said
    });
    (link.seen[BEST_EFFORT], link.seen[LOW_LATENCY], said)
}

#[test]
fn a_class_with_a_ceiling_is_left_when_it_is_exceeded() {
    if !has_libfabric() {
        return;
    }
    // Nothing waits: low latency is better, and stays.
    let (own, low, said) = packets("no-ceiling", 1.0);
    assert!(own <= low / 20, "{own} {low} {said}");
    assert!(number(&said, "observations") >= 39, "{said}");
    // A tenth of the link: what exceeds it waits, and the class is left for most of the messages.
    let (own, low, said) = packets("ceiling", 0.1);
    assert!(own >= 2 * low && low > 0, "{own} {low} {said}");
    assert!(number(&said, "changes") >= 2, "{said}");
}
