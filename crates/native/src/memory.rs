//! How much memory this process may still take. Linux only; elsewhere nobody knows.

use std::fs;
use std::path::{Path, PathBuf};

/// Bytes that are free: of the machine, of the container or batch job (cgroup), and of the address
/// space that the shell allows (`ulimit -v`). `None`: nothing is known.
pub(crate) fn available() -> Option<u64> {
    [of_machine(), of_cgroup(), of_address_space()]
        .into_iter()
        .flatten()
        .min()
}

/// The number behind `key` in a file of lines such as `MemAvailable:   123 kB`.
fn kilobytes(path: &str, key: &str) -> Option<u64> {
    let text = fs::read_to_string(path).ok()?;
    let line = text.lines().find(|line| line.starts_with(key))?;
    let number: u64 = line.split_ascii_whitespace().nth(1)?.parse().ok()?;
    number.checked_mul(1_024)
}

fn of_machine() -> Option<u64> {
    kilobytes("/proc/meminfo", "MemAvailable:")
}

fn of_address_space() -> Option<u64> {
    let limits = fs::read_to_string("/proc/self/limits").ok()?;
    let line = limits
        .lines()
        .find_map(|line| line.strip_prefix("Max address space"))?;
    // "unlimited" is no number.
    let most: u64 = line.split_ascii_whitespace().next()?.parse().ok()?;
    let used = kilobytes("/proc/self/status", "VmSize:")?;
    Some(most.saturating_sub(used))
}

fn number(folder: &Path, file: &str) -> Option<u64> {
    fs::read_to_string(folder.join(file))
        .ok()?
        .trim()
        .parse()
        .ok()
}

/// The least of what this group and those around it have left.
fn of_cgroup() -> Option<u64> {
    let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
    let mut least = None;
    for line in groups.lines() {
        let mut parts = line.splitn(3, ':');
        let (_, controllers, path) = (parts.next()?, parts.next()?, parts.next()?);
        let (root, most, used) = match controllers {
            "" => ("/sys/fs/cgroup", "memory.max", "memory.current"),
            "memory" => (
                "/sys/fs/cgroup/memory",
                "memory.limit_in_bytes",
                "memory.usage_in_bytes",
            ),
            _ => continue,
        };
        let root = PathBuf::from(root);
        let own = root.join(path.trim_start_matches('/'));
        // Inside of a container the path may be that outside of it: then only the root is there.
        let folders = own
            .ancestors()
            .take_while(|folder| folder.starts_with(&root));
        for folder in folders {
            let Some(most) = number(folder, most) else {
                continue;
            };
            let used = number(folder, used)?.saturating_sub(reclaimable(folder));
            let left = most.saturating_sub(used);
            least = Some(least.map_or(left, |least: u64| least.min(left)));
        }
    }
    least
}

/// File pages that are counted as used and are given up when they are needed.
fn reclaimable(folder: &Path) -> u64 {
    let stat = fs::read_to_string(folder.join("memory.stat")).unwrap_or_default();
    let file = stat
        .lines()
        .find_map(|line| line.strip_prefix("inactive_file "));
    file.and_then(|bytes| bytes.trim().parse().ok())
        .unwrap_or(0)
}
