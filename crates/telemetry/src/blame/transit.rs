//! How long packets that came in by a port of a router waited for each of its output ports.

/// Of the routers of a share.
#[derive(Clone, Debug)]
pub(crate) struct Transit {
    radix: usize,
    parties: usize,
    /// `[output port]` of all routers, each `[in * parties + party]`, ps; empty as long as nobody
    /// waited there.
    ports: Vec<Vec<u64>>,
}

impl Transit {
    pub(crate) fn new(routers: usize, radix: usize, parties: usize) -> Self {
        Self {
            radix,
            parties,
            ports: vec![Vec::new(); routers * radix],
        }
    }

    /// A packet of `party` that came in by port `from` of its router waited for `port`.
    #[inline(always)]
    pub(crate) fn add(&mut self, port: usize, from: usize, party: usize, ps: u64) {
        let waits = &mut self.ports[port];
        if waits.is_empty() {
            waits.resize(self.radix * self.parties, 0);
        }
        waits[from * self.parties + party] += ps;
    }

    /// Adds the routers behind these.
    pub(crate) fn append(&mut self, mut other: Self) {
        self.ports.append(&mut other.ports);
    }

    /// Of packets of `party`, or of anyone, that came to `router` by `from`: output port, party and
    /// ps.
    pub(crate) fn from(
        &self,
        router: usize,
        from: usize,
        party: Option<usize>,
    ) -> impl Iterator<Item = (usize, usize, u64)> + '_ {
        let first = router * self.radix;
        let ports = self.ports[first..first + self.radix].iter().enumerate();
        let rows = ports.map(move |(port, waits)| {
            let row = from * self.parties..(from + 1) * self.parties;
            (port, waits.get(row).unwrap_or_default())
        });
        rows.flat_map(|(port, row)| {
            row.iter()
                .enumerate()
                .map(move |(who, ps)| (port, who, *ps))
        })
        .filter(move |(_, other, ps)| *ps > 0 && party.is_none_or(|party| party == *other))
    }
}
