//! Gives the simulator a fingerprint of its sources, so that results of another engine are known.
//!
//! The version alone does not tell: whoever adds a routing builds many engines of one version.

use std::path::{Path, PathBuf};
use std::{fs, io};

/// Crates that no simulation runs through.
const OTHERS: [&str; 4] = ["reference", "traces", "aries-preload", "ugni-emulator"];

fn main() -> io::Result<()> {
    let house = Path::new("..");
    let mut sources = vec![house.join("../Cargo.lock")];
    for entry in fs::read_dir(house)? {
        let room = entry?.path();
        if !OTHERS.iter().any(|name| room.ends_with(name)) {
            collect(&room.join("src"), &mut sources)?;
        }
    }
    sources.sort();
    let mut hash = Fnv1a::default();
    for path in &sources {
        println!("cargo:rerun-if-changed={}", path.display());
        hash.add(path.to_string_lossy().as_bytes());
        // A copy of the sources with other line ends is the same engine.
        let mut text = fs::read(path).unwrap_or_default();
        text.retain(|&byte| byte != b'\r');
        hash.add(&text);
    }
    println!("cargo:rustc-env=ODONATA_SOURCES={:016x}", hash.0);
    Ok(())
}

/// Every Rust source in a folder and below; the folder too, so that new files are seen.
fn collect(folder: &Path, found: &mut Vec<PathBuf>) -> io::Result<()> {
    if !folder.is_dir() {
        return Ok(());
    }
    println!("cargo:rerun-if-changed={}", folder.display());
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, found)?;
        } else if path.extension().is_some_and(|end| end == "rs") {
            found.push(path);
        }
    }
    Ok(())
}

/// The hash of Fowler, Noll and Vo, 64 bits, variant 1a: the same in every version of the compiler.
struct Fnv1a(u64);

impl Default for Fnv1a {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv1a {
    fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}
