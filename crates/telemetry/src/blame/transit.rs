//! How long packets that came in by a port of a router waited for each of its output ports.

/// Of the routers of a share.
#[derive(Clone, Debug)]
pub(crate) struct Transit {
    radix: usize,
    parties: usize,
    /// `[router]`, each `[(in * radix + out) * parties + party]`, ps; absent as long as nobody waited.
    routers: Vec<Option<Box<[u64]>>>,
}

impl Transit {
    pub(crate) fn new(routers: usize, radix: usize, parties: usize) -> Self {
        Self {
            radix,
            parties,
            routers: vec![None; routers],
        }
    }

    /// A packet of `party` waited at `router` on its way from port `from` to port `to`.
    #[inline]
    pub(crate) fn add(&mut self, router: usize, (from, to): (usize, usize), party: usize, ps: u64) {
        let size = self.radix * self.radix * self.parties;
        let waits = self.routers[router].get_or_insert_with(|| vec![0; size].into());
        waits[(from * self.radix + to) * self.parties + party] += ps;
    }

    /// Adds the routers behind these.
    pub(crate) fn append(&mut self, mut other: Self) {
        self.routers.append(&mut other.routers);
    }

    /// Of packets of `party`, or of anyone, that came to `router` by `from`: output port and ps.
    pub(crate) fn from(
        &self,
        router: usize,
        from: usize,
        party: Option<usize>,
    ) -> impl Iterator<Item = (usize, usize, u64)> + '_ {
        let waits = self.routers[router].as_deref().unwrap_or_default();
        let row = self.radix * self.parties;
        let waits = waits.get(from * row..(from + 1) * row).unwrap_or_default();
        let all = waits.iter().enumerate();
        all.map(move |(place, ps)| (place / self.parties, place % self.parties, *ps))
            .filter(move |(_, other, ps)| *ps > 0 && party.is_none_or(|party| party == *other))
    }
}
