//! Which simulated numbers this engine has: the same as another one, or others.

/// Raised whenever a number moves: with a changelog fragment of kind Results.
///
/// The fingerprint of the sources tells engines apart; this tells results apart. Stored results of
/// another engine of the same number are those of this one. A default that changes moves no number of
/// theirs: what was run states its parameters. Nor does a rule whose runs get other fingerprints.
pub const MODEL: u32 = 1;

/// Fingerprint of the golden tables of [`MODEL`]. Where rows are added and none moves, only this
/// changes.
pub const GOLDEN_TABLES: u64 = 0xb08e_3e73_df84_f574;
