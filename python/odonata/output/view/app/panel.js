// The panel beside the picture: who and when, of what was chosen.

function element(name, properties = {}, ...children) {
  const { data, ...rest } = properties;
  const made = Object.assign(document.createElement(name), rest);
  Object.assign(made.dataset, data ?? {});
  made.append(...children.filter((child) => child != null));
  return made;
}

function facts(pairs) {
  const rows = pairs.filter(([, text]) => text != null && text !== "–");
  return element("dl", {}, ...rows.flatMap(([name, text]) => [element("dt", {}, name), element("dd", {}, text)]));
}

function tableOf(caption, heads, rows) {
  const head = element("tr", {}, ...heads.map((text) => element("th", { scope: "col" }, text)));
  const body = rows.map((cells) => element("tr", {}, ...cells.map((cell) => element("td", {}, cell))));
  return element("table", {}, element("caption", {}, caption), element("thead", {}, head), element("tbody", {}, ...body));
}

class Panel {
  constructor({ root, facts: all, columns, measure, choose }) {
    Object.assign(this, { root, facts: all, columns, measure, choose });
  }

  job(number) {
    const { name, colour } = this.facts.jobs[number];
    const dot = element("span", { className: "dot" });
    dot.style.background = colour;
    return element("span", {}, dot, name);
  }

  linkName(link) {
    const { link: ids, link_kind: kind, link_source: from, link_target: to, link_to_node: toNode, router, router_group: group, node } = this.columns;
    const source = `router ${router[from[link]]} (group ${group[from[link]]})`;
    const target = toNode[link] ? `node ${node[to[link]]}` : `router ${router[to[link]]} (group ${group[to[link]]})`;
    return { title: `Link ${ids[link]}`, way: `${this.facts.kinds[kind[link]]}: ${source} → ${target}`,
      short: `${ids[link]}, ${this.facts.kinds[kind[link]]}, ${router[from[link]]} → ${toNode[link] ? `node ${node[to[link]]}` : router[to[link]]}` };
  }

  name({ kind, at }) {
    if (kind === "link") return `${this.linkName(at).title}, ${this.linkName(at).way}`;
    if (kind === "router") return `Router ${this.columns.router[at]}, group ${this.columns.router_group[at]}`;
    const job = this.columns.node_job[at];
    return `Node ${this.columns.node[at]}: ${job < 0 ? "no job" : this.facts.jobs[job].name}`;
  }

  show(chosen, bin) {
    const parts = !chosen ? this.overview() : chosen.kind === "link" ? this.link(chosen.at) :
      chosen.kind === "router" ? this.router(chosen.at) : chosen.kind === "node" ? this.node(chosen.at) : this.ofJob(chosen.at);
    this.root.replaceChildren(...parts);
    this.redraw(bin);
  }

  redraw(bin) {
    for (const canvas of this.root.querySelectorAll("canvas")) {
      drawChart(canvas, { ...canvas.chart, bin, ground: ofTheme("--page"), ink: ofTheme("--ink") });
    }
  }

  overview() {
    const { facts: all } = this;
    return [
      element("h2", {}, "The run"),
      facts([["Routing", all.routing], ["Simulated", timeText(all.simulated_ns)], ["Ended", all.stop],
        ["Routers", this.columns.router.length.toLocaleString("en")], ["Nodes", this.columns.node.length.toLocaleString("en")],
        ["Links shown", this.columns.link.length.toLocaleString("en")]]),
      element("p", { className: "hint" }, "Click a link, router, node or job, or choose a link from the list below."),
      ...this.delays(ALL, "Waits on all links: who delayed whom"),
    ];
  }

  link(link) {
    const { title, way } = this.linkName(link);
    const { link_bytes: bytes, link_busy_ns: busy, link_stall_ns: stall } = this.columns;
    const whole = this.facts.simulated_ns || 1;
    const users = this.measure.usersOf(link);
    return [
      element("h2", {}, title), element("p", {}, way),
      facts([["Sent", bytesText(bytes[link])], ["In use", `${shareText(busy[link] / whole)} of the run`],
        ["Stalled", `${timeText(stall[link])}, ${shareText(stall[link] / whole)} of the run`]]),
      users.length ? tableOf("Who sent", ["Job", "Bytes", "Share"], users.map(({ job, bytes: mine }) =>
        [this.job(job), bytesText(mine), shareText(mine / bytes[link])])) : element("p", {}, "Nothing was sent over this link."),
      ...this.delays(link, "Waits for this link: who delayed whom"),
      ...this.when(link),
    ];
  }

  when(link) {
    if (!this.facts.times) return [];
    const { use, stall } = this.measure.overTime(link);
    const total = summed(use);
    return this.chart("Over time: use by job, stalls dashed", use, stall, 1, [
      total.some(Boolean) ? `Busiest at ${this.span(peak(total).bin)}: ${shareText(peak(total).value)}.` : "Never in use.",
      stall.some(Boolean) ? `Stalled most at ${this.span(peak(stall).bin)}: ${shareText(peak(stall).value)}.` : "Never stalled.",
    ]);
  }

  chart(caption, series, line, most, sentences) {
    const canvas = element("canvas", { className: "chart", role: "img" });
    canvas.setAttribute("aria-label", `${caption}. ${sentences.join(" ")}`);
    canvas.chart = { series, colours: this.facts.jobs.map(({ colour }) => colour), line, most };
    return [element("h3", {}, caption), canvas, element("p", { className: "when" }, sentences.join(" "))];
  }

  span(bin) {
    const { bin_ns: width } = this.facts.times;
    return `${timeText(bin * width)} to ${timeText((bin + 1) * width)}`;
  }

  delays(link, caption) {
    const pairs = this.measure.delaysOf(link).filter(({ ns, through }) => ns + through > 0).slice(0, 12);
    if (!pairs.length) return [];
    return [tableOf(caption, ["Delayed", "By", "Direct", "Through backpressure"], pairs.map(({ delayed, delaying, ns, through }) =>
      [this.job(delayed), this.job(delaying), timeText(ns), timeText(through)]))];
  }

  ofJob(number) {
    const job = this.facts.jobs[number];
    const nodes = this.columns.node_job.reduce((count, of) => count + (of === number), 0);
    const values = this.measure.useOf(number);
    const parts = [
      element("h2", {}, this.job(number)),
      facts([["Role", job.role], ["Ranks", job.ranks?.toLocaleString("en")], ["Nodes", nodes.toLocaleString("en")],
        ["Sent", bytesText(job.bytes_sent)], ["Communication time", timeText(job.comm_time_ns)],
        ["Slowdown", job.slowdown == null ? null : job.slowdown.toFixed(3)], ["Packet latency, mean", timeText(job.latency_ns)]]),
      this.list("Links it uses most", highest(values, 8), (link) => shareText(values[link])),
    ];
    const pairs = this.measure.delaysOf(ALL);
    const named = (rows, who) => rows.filter(({ ns, through }) => ns + through > 0).map((row) => [this.job(row[who]), timeText(row.ns), timeText(row.through)]);
    const mine = named(pairs.filter(({ delayed }) => delayed === number), "delaying");
    const others = named(pairs.filter(({ delaying }) => delaying === number), "delayed");
    if (mine.length) parts.push(tableOf("Who delayed it", ["Job", "Direct", "Through backpressure"], mine));
    if (others.length) parts.push(tableOf("Whom it delayed", ["Job", "Direct", "Through backpressure"], others));
    if (this.facts.times) {
      const total = this.measure.jobTotals[number];
      const series = this.facts.jobs.map((_, at) => (at === number ? total : new Float32Array(total.length)));
      parts.push(...this.chart("Over time: links in use", series, null, peak(total).value, [
        total.some(Boolean) ? `Busiest at ${this.span(peak(total).bin)}: it keeps ${digits(peak(total).value)} links sending.` : "It sent nothing.",
      ]));
    }
    return parts;
  }

  router(at) {
    const { link_source: from, link_target: to, link_to_node: toNode, node_router: of, node, node_job: jobs } = this.columns;
    const links = Array.from(from.keys()).filter((link) => from[link] === at || (!toNode[link] && to[link] === at));
    const values = this.measure.useOf(ALL);
    const nodes = Array.from(of.keys()).filter((one) => of[one] === at);
    links.sort((one, two) => values[two] - values[one] || one - two);
    return [
      element("h2", {}, this.name({ kind: "router", at })),
      nodes.length ? tableOf("Nodes", ["Node", "Job"], nodes.map((one) => [String(node[one]), jobs[one] < 0 ? "none" : this.job(jobs[one])])) : element("p", {}, "No nodes."),
      this.list("Its links, by use", links.slice(0, 24), (link) => shareText(values[link])),
    ];
  }

  node(at) {
    const job = this.columns.node_job[at];
    const host = this.columns.link_to_node.findIndex((toNode, link) => toNode && this.columns.link_target[link] === at);
    return [
      element("h2", {}, this.name({ kind: "node", at })),
      element("p", {}, this.name({ kind: "router", at: this.columns.node_router[at] })),
      job < 0 ? null : element("button", { type: "button", onclick: () => this.choose({ kind: "job", at: job }) }, "Show its job"),
      host < 0 ? null : this.list("Link to it", [host], () => ""),
    ].filter(Boolean);
  }

  list(caption, links, note) {
    const items = links.map((link) => element("li", {}, element("button", {
      type: "button", className: "link", onclick: () => this.choose({ kind: "link", at: link }, true),
    }, this.linkName(link).short, element("span", { className: "value" }, note(link)))));
    return element("section", {}, element("h3", {}, caption), items.length ? element("ol", {}, ...items) : element("p", {}, "None."));
  }
}
