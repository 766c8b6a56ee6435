//! Records as bytes, little-endian: processes of one run send them to each other.

use borsh::{BorshDeserialize, BorshSerialize};

/// A value that one process writes as bytes and another one of the same build reads from them.
///
/// ```
/// use borsh::{BorshDeserialize, BorshSerialize};
/// use odonata_units::{Instant, Record};
///
/// #[derive(PartialEq, Debug, BorshSerialize, BorshDeserialize)]
/// struct Stop {
///     at: Instant,
///     why: Option<String>,
/// }
///
/// let stop = Stop { at: Instant::from_ps(7), why: Some("done".to_owned()) };
/// let mut bytes = Vec::new();
/// stop.write(&mut bytes);
/// assert_eq!(Stop::read(&mut &*bytes), Some(stop));
/// assert_eq!(Stop::read(&mut &bytes[1..]), None);
/// ```
pub trait Record: BorshSerialize + BorshDeserialize {
    /// Appends the record to `out`.
    ///
    /// # Panics
    /// If a number is NaN, or a list has 2^32 values.
    fn write(&self, out: &mut Vec<u8>) {
        let written = self.serialize(out);
        assert!(written.is_ok(), "{written:?}");
    }

    /// Takes a record from the front of `bytes`; `None` if they are something else.
    fn read(bytes: &mut &[u8]) -> Option<Self> {
        Self::deserialize(bytes).ok()
    }
}

impl<T: BorshSerialize + BorshDeserialize> Record for T {}
