//! Free memory of the process, given back to the operating system.
//!
//! A network is a million small pieces. When they are freed, the C library keeps the pages for
//! later small pieces; the long columns of the results would be new pages beside them.

/// Gives pages that hold nothing any more back. Milliseconds per GiB; does nothing where the C
/// library is not GNU's.
pub fn give_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        #[expect(unsafe_code, reason = "a function of the C library")]
        // SAFETY: it has no precondition, and locks what other threads may use.
        unsafe {
            libc::malloc_trim(0);
        }
    }
}

/// From which size on a piece of memory of its own is given back as soon as it is freed.
pub const LARGE: usize = 1 << 22;

/// Lets every piece of [`LARGE`] bytes and more be given back when it is freed. Otherwise the C
/// library learns from the first ones that are freed to keep them, of up to 32 MiB, for each thread
/// by itself. For processes that simulate a large system, which want the memory elsewhere.
pub fn keep_nothing_large() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        let large = libc::c_int::try_from(LARGE).unwrap_or(libc::c_int::MAX);
        #[expect(unsafe_code, reason = "functions of the C library")]
        // SAFETY: they have no precondition, and lock what other threads may use.
        unsafe {
            libc::mallopt(libc::M_MMAP_THRESHOLD, large);
            libc::mallopt(libc::M_TRIM_THRESHOLD, 2 * large);
        }
    }
}

#[cfg(all(test, target_os = "linux", target_env = "gnu"))]
#[expect(clippy::unwrap_used, reason = "a test may stop on what cannot be")]
mod tests {
    use std::sync::Mutex;

    /// Both tests look at the memory of the process.
    static ALONE: Mutex<()> = Mutex::new(());

    fn resident() -> u64 {
        let statm = std::fs::read_to_string("/proc/self/statm").unwrap();
        let pages = statm.split(' ').nth(1).unwrap();
        pages.parse().unwrap()
    }

    #[test]
    fn large_pieces_are_given_back_when_they_are_freed() {
        let _alone = ALONE.lock().unwrap();
        super::keep_nothing_large();
        let mib = |count: usize| vec![1_u8; count << 20];
        // The C library would take the next ones of up to 30 MiB from what it keeps.
        drop(mib(30));
        let before = resident();
        let pieces = [mib(8), mib(9), mib(10)];
        let most = resident();
        assert!(most > before + 6_000, "{before} pages, then {most}");
        drop(pieces);
        assert!(resident() < before + 500, "{before}, then {}", resident());
    }

    #[test]
    fn pages_are_given_back() {
        let _alone = ALONE.lock().unwrap();
        let before = resident();
        let pieces: Vec<Box<[u64]>> = (0..40_000).map(|n| vec![n; 128].into()).collect();
        // It lies behind the others, so that they are no end of the heap.
        let last = vec![1_u64; 128];
        let most = resident();
        drop(pieces);
        super::give_back();
        // 40,000 pieces of 1 KiB are 10,000 pages of 4 KiB.
        assert!(most > before + 8_000, "{before} pages, then {most}");
        assert!(
            resident() < before + 2_000,
            "{before} pages, then {}",
            resident()
        );
        assert_eq!(last.iter().sum::<u64>(), 128);
    }
}
