//! Plain records as bytes, little-endian: what the processes of one run tell each other.

use std::collections::BTreeMap;

use crate::id::{GroupId, JobId, NodeId, RouterId};
use crate::time::{Instant, Span};

/// What is written as bytes in one process, and read from them in another one of the same build.
///
/// ```
/// use odonata_units::{Instant, record, record::Record};
///
/// #[derive(PartialEq, Debug)]
/// struct Stop {
///     at: Instant,
///     why: Option<String>,
/// }
/// record!(Stop { at, why });
///
/// let stop = Stop { at: Instant::from_ps(7), why: Some("done".to_owned()) };
/// let mut bytes = Vec::new();
/// stop.write(&mut bytes);
/// assert_eq!(Stop::read(&mut &*bytes), Some(stop));
/// assert_eq!(Stop::read(&mut &bytes[1..]), None);
/// ```
pub trait Record: Sized {
    /// Appends the record to `out`.
    fn write(&self, out: &mut Vec<u8>);

    /// Takes a record from the front of `bytes`; `None` if they are something else.
    fn read(bytes: &mut &[u8]) -> Option<Self>;
}

/// Makes a structure a [`Record`]: all its fields are named.
#[macro_export]
macro_rules! record {
    ($name:ty { $($field:ident),+ $(,)? }) => {
        impl $crate::record::Record for $name {
            fn write(&self, out: &mut Vec<u8>) {
                let Self { $($field),+ } = self;
                $($crate::record::Record::write($field, out);)+
            }

            fn read(bytes: &mut &[u8]) -> Option<Self> {
                Some(Self { $($field: $crate::record::Record::read(bytes)?),+ })
            }
        }
    };
}

macro_rules! numbers {
    ($($number:ty),+) => {
        $(impl Record for $number {
            #[inline]
            fn write(&self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_le_bytes());
            }

            #[inline]
            fn read(bytes: &mut &[u8]) -> Option<Self> {
                let (number, rest) = bytes.split_first_chunk()?;
                *bytes = rest;
                Some(Self::from_le_bytes(*number))
            }
        })+
    };
}
numbers!(u8, u16, u32, u64, u128, i32, i64, f64);

macro_rules! ids {
    ($($id:ident),+) => {
        $(impl Record for $id {
            fn write(&self, out: &mut Vec<u8>) {
                self.0.write(out);
            }

            fn read(bytes: &mut &[u8]) -> Option<Self> {
                Record::read(bytes).map(Self)
            }
        })+
    };
}
ids!(GroupId, JobId, NodeId, RouterId);

impl Record for usize {
    fn write(&self, out: &mut Vec<u8>) {
        (*self as u64).write(out);
    }

    fn read(bytes: &mut &[u8]) -> Option<Self> {
        Self::try_from(u64::read(bytes)?).ok()
    }
}

impl Record for bool {
    fn write(&self, out: &mut Vec<u8>) {
        u8::from(*self).write(out);
    }

    fn read(bytes: &mut &[u8]) -> Option<Self> {
        match u8::read(bytes)? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }
}

impl Record for Instant {
    fn write(&self, out: &mut Vec<u8>) {
        self.ps().write(out);
    }

    fn read(bytes: &mut &[u8]) -> Option<Self> {
        Record::read(bytes).map(Self::from_ps)
    }
}

impl Record for Span {
    fn write(&self, out: &mut Vec<u8>) {
        self.ps().write(out);
    }

    fn read(bytes: &mut &[u8]) -> Option<Self> {
        Record::read(bytes).map(Self::from_ps)
    }
}

impl<T: Record> Record for Option<T> {
    fn write(&self, out: &mut Vec<u8>) {
        self.is_some().write(out);
        if let Some(value) = self {
            value.write(out);
        }
    }

    fn read(bytes: &mut &[u8]) -> Option<Self> {
        if bool::read(bytes)? {
            T::read(bytes).map(Some)
        } else {
            Some(None)
        }
    }
}

impl<T: Record> Record for Vec<T> {
    fn write(&self, out: &mut Vec<u8>) {
        self.len().write(out);
        self.iter().for_each(|one| one.write(out));
    }

    fn read(bytes: &mut &[u8]) -> Option<Self> {
        let count = usize::read(bytes)?;
        // A record has a byte at least: what is damaged takes no memory.
        if count > bytes.len() {
            return None;
        }
        // Most records take as many bytes as they are written with.
        let room = count.min(bytes.len() / size_of::<T>().max(1));
        let mut all = Self::with_capacity(room);
        for _ in 0..count {
            all.push(T::read(bytes)?);
        }
        Some(all)
    }
}

impl<K: Record + Ord, V: Record> Record for BTreeMap<K, V> {
    fn write(&self, out: &mut Vec<u8>) {
        self.len().write(out);
        for (key, value) in self {
            key.write(out);
            value.write(out);
        }
    }

    fn read(bytes: &mut &[u8]) -> Option<Self> {
        Vec::read(bytes).map(|all: Vec<(K, V)>| all.into_iter().collect())
    }
}

impl Record for String {
    fn write(&self, out: &mut Vec<u8>) {
        self.len().write(out);
        out.extend_from_slice(self.as_bytes());
    }

    fn read(bytes: &mut &[u8]) -> Option<Self> {
        let length = usize::read(bytes)?;
        let (text, rest) = bytes.split_at_checked(length)?;
        *bytes = rest;
        Self::from_utf8(text.to_vec()).ok()
    }
}

impl<T: Record + Copy, const COUNT: usize> Record for [T; COUNT] {
    fn write(&self, out: &mut Vec<u8>) {
        self.iter().for_each(|one| one.write(out));
    }

    fn read(bytes: &mut &[u8]) -> Option<Self> {
        let all: Option<Vec<T>> = (0..COUNT).map(|_| T::read(bytes)).collect();
        all?.try_into().ok()
    }
}

impl<A: Record, B: Record> Record for (A, B) {
    fn write(&self, out: &mut Vec<u8>) {
        self.0.write(out);
        self.1.write(out);
    }

    fn read(bytes: &mut &[u8]) -> Option<Self> {
        Some((A::read(bytes)?, B::read(bytes)?))
    }
}

impl<A: Record, B: Record, C: Record> Record for (A, B, C) {
    fn write(&self, out: &mut Vec<u8>) {
        self.0.write(out);
        self.1.write(out);
        self.2.write(out);
    }

    fn read(bytes: &mut &[u8]) -> Option<Self> {
        Some((A::read(bytes)?, B::read(bytes)?, C::read(bytes)?))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::Record;
    use crate::{Instant, NodeId, Span};

    #[test]
    fn what_is_written_is_read_and_what_is_cut_is_refused() {
        type Named = BTreeMap<u64, Vec<u8>>;
        type All = (
            Vec<(u64, Option<String>)>,
            ([u16; 3], bool, u128),
            (Instant, (Span, NodeId), Named),
        );
        let all: All = (
            vec![(u64::MAX, None), (3, Some("ä and more".to_owned()))],
            ([1, 2, 65_535], true, 1 << 100),
            (
                Instant::NEVER,
                (Span::from_ns(5), NodeId(9)),
                BTreeMap::from([(3, vec![1, 2]), (9, Vec::new())]),
            ),
        );
        let mut bytes = Vec::new();
        all.write(&mut bytes);
        let mut rest = &*bytes;
        assert_eq!(All::read(&mut rest), Some(all));
        assert!(rest.is_empty());
        for length in 0..bytes.len() {
            assert_eq!(All::read(&mut &bytes[..length]), None, "{length}");
        }
    }
}
