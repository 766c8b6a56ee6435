//! Links over time as tables.

use odonata_telemetry::{Channel, LinkSeries};
use odonata_topology::{PortIndex, Topology};
use odonata_units::RouterId;

use crate::config::Config;
use crate::report::finished::Finished;
use crate::result::outcome::{Table, table};
use crate::result::statistic::ns;

/// Routers that are rows at a time: a row takes more memory than what it becomes in the table.
const ROUTERS_AT_A_TIME: usize = 64;

/// The tables `link_series` and `link_job_series`; none unless they were asked for.
pub(crate) fn tables(config: &Config, finished: &Finished) -> Vec<Table> {
    let Some(shares) = &finished.heard.link_series else {
        return Vec::new();
    };
    let routers: Vec<_> = (0..finished.machine.topology.router_count()).collect();
    let tables = |some: &_| tables_of(config, &finished.machine.topology, shares, some);
    let mut all = tables(&[]);
    for some in routers.chunks(ROUTERS_AT_A_TIME) {
        for (table, more) in all.iter_mut().zip(tables(some)) {
            table.append(more);
        }
    }
    all
}

fn tables_of(
    config: &Config,
    topology: &Topology,
    shares: &[LinkSeries],
    routers: &[u32],
) -> Vec<Table> {
    let bin_ps = shares.first().map_or(0, |share| share.bin().ps());
    let (mut links, mut jobs) = (Vec::new(), Vec::new());
    for router in routers.iter().copied().map(RouterId) {
        for port in 0..topology.radix() {
            let Some(number) = topology.output_channel(router, PortIndex(port)) else {
                continue;
            };
            let channel = Channel {
                router,
                port: u8::try_from(port).unwrap_or(u8::MAX),
                index: router.0 * u32::from(topology.radix()) + u32::from(port),
            };
            let share = shares.iter().find(|share| share.holds(channel));
            for bin in share
                .into_iter()
                .flat_map(|share| LinkSeries::of(share, channel))
            {
                let start = bin.bin * bin_ps;
                let sent = bin.sent.iter();
                let (bytes, busy) =
                    sent.fold((0, 0), |sum, job| (sum.0 + job.bytes, sum.1 + job.busy_ps));
                links.push((u64::from(number.0), start, bytes, busy, bin.stall_ps));
                let by_job = config.jobs.iter().zip(bin.sent);
                let used = by_job.filter(|(_, sent)| sent.bytes + sent.busy_ps > 0);
                jobs.extend(used.map(|(job, sent)| (u64::from(number.0), start, &job.name, *sent)));
            }
        }
    }
    let by_link = table!("link_series", links, {
        "link" => U64, |row: &(u64, u64, u64, u64, u64)| row.0;
        "time_ns" => F64, |row| ns(row.1);
        "bin_ns" => F64, |_| ns(bin_ps);
        "bytes" => U64, |row| row.2;
        "busy_ns" => F64, |row| ns(row.3);
        "stall_ns" => F64, |row| ns(row.4);
    });
    let by_job = table!("link_job_series", jobs, {
        "link" => U64, |row| row.0;
        "time_ns" => F64, |row| ns(row.1);
        "job" => Text, |row| row.2.clone();
        "bytes" => U64, |row| row.3.bytes;
        "busy_ns" => F64, |row| ns(row.3.busy_ps);
    });
    vec![by_link, by_job]
}
