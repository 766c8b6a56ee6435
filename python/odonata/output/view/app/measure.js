// What a link is coloured by: one number per link for a mode, a job and a time.
//
// Modes: "use" (share of the time spent sending), "stall" (share of the time in which packets were
// ready, the link free and credits lacking), "blame" and "through" (waits charged on the link, ns).

const ALL = -1; // every job, the whole run
const SHARE = 65535; // a share of 1 in the columns

class Measure {
  constructor(facts, columns) {
    this.facts = facts;
    this.columns = columns;
    this.links = columns.link.length;
    this.jobs = facts.jobs.length;
    this.usesOfLink = grouped(columns.use_link, this.links);
    if (facts.has_blame) this.blameOfLink = grouped(columns.blame_link, this.links);
    if (facts.times) {
      const { bins } = facts.times;
      this.busyOfBin = grouped(columns.busy_bin, bins);
      this.stallOfBin = grouped(columns.stall_bin, bins);
      this.busyOfLink = grouped(columns.busy_link, this.links);
      this.stallOfLink = grouped(columns.stall_link, this.links);
      this.jobTotals = this.totalsOverTime();
    }
    this.largest = new Map();
  }

  hasTime(mode) {
    return Boolean(this.facts.times) && (mode === "use" || mode === "stall");
  }

  // Jobs can be told apart in every mode but stalls: nobody's credits lack alone.
  hasJobs(mode) {
    return mode !== "stall";
  }

  // `choice`: { mode, job, cause, bin }. `cause`: the job is the one that delays, not the delayed.
  values({ mode, job, cause, bin }) {
    if (mode === "blame" || mode === "through") return this.waits(mode, job, cause);
    const atBin = this.hasTime(mode) && bin !== ALL;
    if (mode === "stall") return atBin ? this.stallsAt(bin) : this.shares(this.columns.link_stall_ns);
    return atBin ? this.useAt(bin, job) : this.useOf(job);
  }

  shares(times) {
    const found = new Float32Array(this.links);
    const whole = this.facts.simulated_ns || 1;
    for (let link = 0; link < this.links; link += 1) found[link] = times[link] / whole;
    return found;
  }

  useOf(job) {
    const found = this.shares(this.columns.link_busy_ns);
    if (job === ALL) return found;
    const { use_link: links, use_job: jobs, use_bytes: bytes, link_bytes: total } = this.columns;
    const mine = new Float32Array(this.links);
    links.forEach((link, row) => {
      if (jobs[row] === job && total[link] > 0) mine[link] = found[link] * bytes[row] / total[link];
    });
    return mine;
  }

  useAt(bin, job) {
    const { busy_link: links, busy_job: jobs, busy_share: shares } = this.columns;
    const found = new Float32Array(this.links);
    for (const row of rowsOf(this.busyOfBin, bin)) {
      if (job === ALL || jobs[row] === job) found[links[row]] += shares[row] / SHARE;
    }
    return found;
  }

  stallsAt(bin) {
    const { stall_link: links, stall_share: shares } = this.columns;
    const found = new Float32Array(this.links);
    for (const row of rowsOf(this.stallOfBin, bin)) found[links[row]] += shares[row] / SHARE;
    return found;
  }

  waits(mode, job, cause) {
    const found = new Float32Array(this.links);
    if (!this.facts.has_blame) return found;
    const { blame_link: links, blame_delayed: delayed, blame_delaying: delaying } = this.columns;
    const ns = mode === "blame" ? this.columns.blame_ns : this.columns.blame_through_ns;
    const jobs = cause ? delaying : delayed;
    links.forEach((link, row) => {
      if (job === ALL || jobs[row] === job) found[link] += ns[row];
    });
    return found;
  }

  // The value that gets the last colour; the same at every time, so that colours compare.
  most({ mode, job, cause, bin }) {
    const overTime = this.hasTime(mode) && bin !== ALL;
    if (mode === "use" && overTime) return 1;
    const isWait = mode === "blame" || mode === "through";
    const key = [mode, overTime, isWait ? `${job} ${cause}` : ""].join();
    if (!this.largest.has(key)) {
      let most = 0;
      if (overTime) for (const share of this.columns.stall_share) most = Math.max(most, share / SHARE);
      else for (const value of this.values({ mode, job: isWait ? job : ALL, cause, bin: ALL })) most = Math.max(most, value);
      this.largest.set(key, most);
    }
    return this.largest.get(key);
  }

  // Busy links of each job in each bin, summed: links that send all the time.
  totalsOverTime() {
    const { busy_bin: bins, busy_job: jobs, busy_share: shares } = this.columns;
    const totals = emptyTimes(this.jobs, this.facts.times.bins);
    bins.forEach((bin, row) => { totals[jobs[row]][bin] += shares[row] / SHARE; });
    return totals;
  }

  // Use of one link by each job over time, and its stalls.
  overTime(link) {
    const { busy_bin: bins, busy_job: jobs, busy_share: shares } = this.columns;
    const { stall_bin: stallBins, stall_share: stallShares } = this.columns;
    const use = emptyTimes(this.jobs, this.facts.times.bins);
    const stall = new Float32Array(this.facts.times.bins);
    for (const row of rowsOf(this.busyOfLink, link)) use[jobs[row]][bins[row]] += shares[row] / SHARE;
    for (const row of rowsOf(this.stallOfLink, link)) stall[stallBins[row]] += stallShares[row] / SHARE;
    return { use, stall };
  }

  // Who sent over a link: job and bytes, most first.
  usersOf(link) {
    const { use_job: jobs, use_bytes: bytes } = this.columns;
    const rows = Array.from(rowsOf(this.usesOfLink, link), (row) => ({ job: jobs[row], bytes: bytes[row] }));
    return rows.sort((one, two) => two.bytes - one.bytes);
  }

  // Who delayed whom on a link (or on all), most first.
  delaysOf(link) {
    if (!this.facts.has_blame) return [];
    const { blame_delayed: delayed, blame_delaying: delaying, blame_ns: ns, blame_through_ns: through } = this.columns;
    const rows = link === ALL ? delayed.keys() : rowsOf(this.blameOfLink, link);
    const pairs = new Map();
    for (const row of rows) {
      const key = delayed[row] * 256 + delaying[row];
      const pair = pairs.get(key) ?? { delayed: delayed[row], delaying: delaying[row], ns: 0, through: 0 };
      pair.ns += ns[row];
      pair.through += through[row];
      pairs.set(key, pair);
    }
    return [...pairs.values()].sort((one, two) => two.ns + two.through - one.ns - one.through);
  }
}

function emptyTimes(jobs, bins) {
  return Array.from({ length: jobs }, () => new Float32Array(bins));
}

// Links of the highest values above 0, highest first.
function highest(values, count) {
  let least = 0;
  let kept = [];
  values.forEach((value, link) => {
    if (value <= least) return;
    kept.push(link);
    if (kept.length >= 4 * count) {
      kept = kept.sort((one, two) => values[two] - values[one] || one - two).slice(0, count);
      least = values[kept[count - 1]];
    }
  });
  return kept.sort((one, two) => values[two] - values[one] || one - two).slice(0, count);
}
