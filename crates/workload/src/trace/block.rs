//! A few hundred whole numbers in few bits each, any of which is found at once.
//!
//! Three codings, of which a block takes the smallest: distances from the least value; names of the
//! values that occur, where they are few; or a flag for each value that says whether it is another
//! one than usual, and distances of those. A block ends with a header: the least value (or the
//! number of names), the coding, and the bits of an entry. Bits may be read past their end, into
//! the header, so that an entry is one read of eight bytes.

/// Values of a block; the last one of a column may have fewer.
pub(super) const BLOCK: usize = 256;

const HEADER: usize = 10;
/// Bytes of the flags.
const FLAGS: usize = BLOCK / 8;
/// Most names.
const MOST_NAMES: usize = 16;

const DISTANCES: u8 = 0;
const NAMES: u8 = 1;
const FLAGGED: u8 = 2;

/// Values in few bits. Unpacking asks for the usual value that packing was given.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Block {
    /// All the same.
    Constant(u64),
    Packed(Box<[u8]>),
}

impl Block {
    /// Packs at most [`BLOCK`] values; `usual` is the one that is not worth many bits.
    pub(super) fn pack(values: &[u64], usual: u64) -> Self {
        let all = Range::of(values.iter().copied());
        if all.least >= all.most {
            return Self::Constant(all.most);
        }
        let is_other = |value: &u64| *value != usual;
        let others = Range::of(values.iter().copied().filter(is_other));
        let plain = bytes_of(values.len(), all.width());
        let flagged = FLAGS + bytes_of(others.count, others.width());
        let least = plain.min(flagged);
        // A dictionary of two values is smaller than this, and there is none of fewer.
        let names = (least > 16).then(|| names(values)).flatten();
        if let Some(names) = names
            && 8 * names.len() + bytes_of(values.len(), width(names.len() as u64 - 1)) < least
        {
            return named(values, &names);
        }
        if flagged < plain {
            let mut flags = [0_u8; FLAGS];
            for (at, _) in values
                .iter()
                .enumerate()
                .filter(|(_, value)| is_other(value))
            {
                flags[at / 8] |= 1 << (at % 8);
            }
            let distances = values.iter().filter(|value| is_other(value));
            let distances = distances.map(|value| value - others.least);
            return packed(
                &flags,
                distances,
                BlockHeader {
                    least: others.least,
                    coding: FLAGGED,
                    width: others.width(),
                },
            );
        }
        let distances = values.iter().map(|value| value - all.least);
        packed(
            &[],
            distances,
            BlockHeader {
                least: all.least,
                coding: DISTANCES,
                width: all.width(),
            },
        )
    }

    /// The value at a position.
    #[inline]
    pub(super) fn get(&self, at: usize, usual: u64) -> u64 {
        let bytes = match self {
            Self::Constant(value) => return *value,
            Self::Packed(bytes) => bytes,
        };
        let BlockHeader {
            least,
            coding,
            width,
        } = header(bytes);
        match coding {
            DISTANCES => least.wrapping_add(entry(bytes, at, width)),
            NAMES => {
                let names = usize::try_from(least).unwrap_or(0).min(MOST_NAMES);
                let name = entry(&bytes[8 * names..], at, width);
                word(bytes, 8 * usize::try_from(name).unwrap_or(0))
            }
            _ => {
                if bytes[at / 8] >> (at % 8) & 1 == 0 {
                    return usual;
                }
                let whole = bytes[..at / 8].iter().map(|flags| flags.count_ones());
                let before = bytes[at / 8] & ((1 << (at % 8)) - 1);
                let position = whole.sum::<u32>() + before.count_ones();
                least.wrapping_add(entry(&bytes[FLAGS..], position as usize, width))
            }
        }
    }

    /// Appends the first `count` values.
    pub(super) fn unpack(&self, count: usize, usual: u64, into: &mut Vec<u64>) {
        let bytes = match self {
            Self::Constant(value) => {
                into.resize(into.len() + count, *value);
                return;
            }
            Self::Packed(bytes) => bytes,
        };
        let BlockHeader {
            least,
            coding,
            width,
        } = header(bytes);
        match coding {
            DISTANCES => {
                into.extend((0..count).map(|at| least.wrapping_add(entry(bytes, at, width))));
            }
            NAMES => {
                let count_of_names = usize::try_from(least).unwrap_or(0).min(MOST_NAMES);
                let entries = &bytes[8 * count_of_names..];
                into.extend((0..count).map(|at| {
                    let name = entry(entries, at, width);
                    word(bytes, 8 * usize::try_from(name).unwrap_or(0))
                }));
            }
            _ => {
                let mut position = 0;
                into.extend((0..count).map(|at| {
                    if bytes[at / 8] >> (at % 8) & 1 == 0 {
                        return usual;
                    }
                    position += 1;
                    least.wrapping_add(entry(&bytes[FLAGS..], position - 1, width))
                }));
            }
        }
    }

    /// Bytes beside those of the block itself.
    pub(super) fn heap_bytes(&self) -> usize {
        match self {
            Self::Constant(_) => 0,
            Self::Packed(bytes) => bytes.len(),
        }
    }

    /// Appends the block to what is kept in a file.
    pub(super) fn write(&self, into: &mut Vec<u8>) {
        let length = u16::try_from(self.heap_bytes()).unwrap_or(0);
        into.extend(length.to_le_bytes());
        match self {
            Self::Constant(value) => into.extend(value.to_le_bytes()),
            Self::Packed(bytes) => into.extend(bytes),
        }
    }

    /// Reads a block of `count` values and what is behind it; `None` if it is none.
    pub(super) fn read(bytes: &[u8], count: usize) -> Option<(Self, &[u8])> {
        let (length, rest) = bytes.split_first_chunk::<2>()?;
        let length = usize::from(u16::from_le_bytes(*length));
        if length == 0 {
            let (value, rest) = rest.split_first_chunk::<8>()?;
            return Some((Self::Constant(u64::from_le_bytes(*value)), rest));
        }
        let (block, rest) = rest.split_at_checked(length)?;
        let bits = length.checked_sub(HEADER)?;
        let BlockHeader {
            least,
            coding,
            width,
        } = header(block);
        let needed = match coding {
            DISTANCES => bytes_of(count, width),
            NAMES if (1..=MOST_NAMES as u64).contains(&least) && width <= 4 => {
                8 * usize::try_from(least).ok()? + bytes_of(count, width)
            }
            FLAGGED if bits >= FLAGS => {
                let flagged = block[..FLAGS].iter().map(|flags| flags.count_ones());
                FLAGS + bytes_of(flagged.sum::<u32>() as usize, width)
            }
            _ => return None,
        };
        let fits = bits == needed && (width <= MOST_SHIFTED || width == u64::BITS);
        fits.then(|| (Self::Packed(block.into()), rest))
    }
}

/// How many values there are, and between what.
struct Range {
    count: usize,
    least: u64,
    most: u64,
}

impl Range {
    fn of(values: impl Iterator<Item = u64>) -> Self {
        let none = Self {
            count: 0,
            least: u64::MAX,
            most: 0,
        };
        values.fold(none, |range, value| Self {
            count: range.count + 1,
            least: range.least.min(value),
            most: range.most.max(value),
        })
    }

    /// Bits of a distance from the least value.
    const fn width(&self) -> u32 {
        width(self.most.saturating_sub(self.least))
    }
}

/// With so many bits an entry is within eight bytes wherever it begins; with all of them, too.
const MOST_SHIFTED: u32 = 57;

const fn width(most: u64) -> u32 {
    let bits = u64::BITS - most.leading_zeros();
    if bits > MOST_SHIFTED { u64::BITS } else { bits }
}

const fn bytes_of(count: usize, width: u32) -> usize {
    (count * width as usize).div_ceil(8)
}

/// The values that occur, ascending, if they are few.
fn names(values: &[u64]) -> Option<Vec<u64>> {
    let mut names: Vec<u64> = Vec::with_capacity(MOST_NAMES);
    let mut last = None;
    for &value in values {
        if last == Some(value) {
            continue;
        }
        last = Some(value);
        if let Err(position) = names.binary_search(&value) {
            if names.len() == MOST_NAMES {
                return None;
            }
            names.insert(position, value);
        }
    }
    Some(names)
}

fn named(values: &[u64], names: &[u64]) -> Block {
    let count = names.len() as u64;
    let dictionary: Vec<u8> = names.iter().flat_map(|name| name.to_le_bytes()).collect();
    let entries = values
        .iter()
        .map(|value| names.partition_point(|name| name < value) as u64);
    packed(
        &dictionary,
        entries,
        BlockHeader {
            least: count,
            coding: NAMES,
            width: width(count - 1),
        },
    )
}

/// How the entries of a packed block are coded; it stands behind them.
#[derive(Clone, Copy)]
struct BlockHeader {
    /// The least value, or the number of names.
    least: u64,
    coding: u8,
    /// Bits of an entry.
    width: u32,
}

fn packed(before: &[u8], entries: impl Iterator<Item = u64>, header: BlockHeader) -> Block {
    let mut bytes = Vec::with_capacity(before.len() + BLOCK * header.width as usize / 8 + HEADER);
    bytes.extend(before);
    let (mut bits, mut filled) = (0_u128, 0);
    for entry in entries {
        bits |= u128::from(entry) << filled;
        filled += header.width;
        if filled >= u64::BITS {
            bytes.extend(&bits.to_le_bytes()[..8]);
            bits >>= u64::BITS;
            filled -= u64::BITS;
        }
    }
    bytes.extend(&bits.to_le_bytes()[..filled.div_ceil(8) as usize]);
    bytes.extend(header.least.to_le_bytes());
    bytes.push(header.coding);
    bytes.extend(u8::try_from(header.width));
    Block::Packed(bytes.into_boxed_slice())
}

#[inline]
fn header(bytes: &[u8]) -> BlockHeader {
    let at = bytes.len() - HEADER;
    BlockHeader {
        least: word(bytes, at),
        coding: bytes[at + 8],
        width: u32::from(bytes[at + 9]),
    }
}

#[inline]
fn entry(bytes: &[u8], at: usize, width: u32) -> u64 {
    let bit = at * width as usize;
    let mask = u64::MAX.checked_shr(u64::BITS - width).unwrap_or(0);
    word(bytes, bit / 8) >> (bit % 8) & mask
}

/// Eight bytes; 0 where there are none, which no block of ours asks for.
#[inline]
fn word(bytes: &[u8], at: usize) -> u64 {
    let found = bytes.get(at..).and_then(|rest| rest.first_chunk());
    found.map_or(0, |word| u64::from_le_bytes(*word))
}

#[cfg(test)]
mod tests {
    use super::{BLOCK, Block};

    fn survives(values: &[u64]) -> usize {
        let block = Block::pack(values, 0);
        let mut found = Vec::new();
        block.unpack(values.len(), 0, &mut found);
        assert_eq!(found, values);
        for (at, value) in values.iter().enumerate() {
            assert_eq!(block.get(at, 0), *value, "{at} of {values:?}");
        }
        let mut kept = Vec::new();
        block.write(&mut kept);
        kept.push(7);
        let (again, rest) = Block::read(&kept, values.len()).unwrap();
        assert_eq!((again, rest), (block.clone(), &[7][..]));
        block.heap_bytes()
    }

    fn noise(seed: u64, bits: u32) -> impl Iterator<Item = u64> {
        let step = move |state: &mut u64| {
            *state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(seed | 1);
            Some(state.checked_shr(64 - bits).unwrap_or(0))
        };
        std::iter::repeat(()).scan(seed, move |state, ()| step(state))
    }

    #[test]
    fn values_of_any_width_come_back() {
        for bits in 0..=64 {
            for count in [1, 2, 3, 255, BLOCK] {
                let values: Vec<u64> = noise(u64::from(bits) + 9, bits).take(count).collect();
                survives(&values);
                let some = |(at, value): (usize, u64)| if at % 3 == 0 { value } else { 0 };
                let sparse: Vec<u64> = values.into_iter().enumerate().map(some).collect();
                survives(&sparse);
                let ends: Vec<u64> = sparse.iter().map(|value| u64::MAX - value).collect();
                survives(&ends);
            }
        }
    }

    #[test]
    fn a_coding_is_taken_where_it_is_small() {
        assert_eq!(survives(&[3; BLOCK]), 0);
        let rising: Vec<u64> = (0..BLOCK as u64).map(|at| (1 << 40) + at).collect();
        assert_eq!(survives(&rising), BLOCK + 10);
        let two: Vec<u64> = (0..BLOCK as u64).map(|at| (at % 2) << 60 | 1).collect();
        assert_eq!(survives(&two), 16 + BLOCK / 8 + 10);
        let few: Vec<u64> = (0..BLOCK as u64)
            .map(|at| if at % 64 == 5 { (1 << 30) + at } else { 0 })
            .collect();
        assert_eq!(survives(&few), BLOCK / 8 + 4 + 10);
    }

    #[test]
    fn what_is_damaged_is_no_block() {
        let values: Vec<u64> = noise(4, 20).take(BLOCK).collect();
        let mut kept = Vec::new();
        Block::pack(&values, 0).write(&mut kept);
        assert!(Block::read(&kept, BLOCK - 1).is_none());
        assert!(Block::read(&kept[..kept.len() - 1], BLOCK).is_none());
        for at in kept.len() - 2..kept.len() {
            let mut damaged = kept.clone();
            damaged[at] ^= 0x55;
            assert!(Block::read(&damaged, BLOCK).is_none());
        }
    }
}
