// Joins picture, panel and controls; the state of the page stands in its address.

const TOP = 12; // links in the list below the panel

class View {
  constructor({ facts: all, columns, scale }) {
    Object.assign(this, { facts: all, columns, scale });
    this.measure = new Measure(all, columns);
    this.state = { mode: "use", job: ALL, cause: false, bin: ALL, chosen: null };
    this.parts = Object.fromEntries(Array.from(document.querySelectorAll("[id]"), (part) => [part.id, part]));
    this.panel = new Panel({ root: this.parts.details, facts: all, columns, measure: this.measure, choose: (...what) => this.choose(...what) });
    this.playing = false;
    this.draws = 0;
    this.scene = this.makeScene();
    this.controls();
    this.home();
    this.readAddress();
    this.update();
  }

  makeScene() {
    if (!document.createElement("canvas").getContext("webgl2")) {
      this.parts.nowebgl.hidden = false;
      return null;
    }
    const scene = new Scene({
      parent: this.parts.picture, columns: this.columns, facts: this.facts, scale: this.scale,
      onPick: (found) => this.choose(found), onHover: (found, x, y) => this.hover(found, x, y),
    });
    return scene;
  }

  controls() {
    const { facts: all, parts } = this;
    for (const input of document.querySelectorAll("input[name=mode]")) {
      const none = { blame: !all.has_blame, through: !all.has_blame }[input.value] ?? false;
      input.disabled = none;
      if (none) input.parentElement.title = "Run the scenario with telemetry.blame = true";
      input.addEventListener("change", () => this.set({ mode: input.value }));
    }
    this.jobButtons();
    parts.kinds.append(...all.kinds.map((kind, at) => {
      const box = element("input", { type: "checkbox", checked: true, onchange: () => this.showKind(at, box.checked) });
      return element("label", {}, box, kind);
    }));
    parts.cause.addEventListener("change", () => this.set({ cause: parts.cause.checked }));
    this.timeControls();
    parts.search.addEventListener("submit", (event) => { event.preventDefault(); this.find(parts.wanted.value); });
    parts.home.addEventListener("click", () => this.home());
    parts.help.addEventListener("click", () => parts.keys.showModal());
    document.addEventListener("keydown", (event) => this.key(event));
    addEventListener("resize", () => this.drawTime());
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.panel.redraw(this.state.bin));
    addEventListener("hashchange", () => { this.readAddress(); this.update(); });
    parts.legend.style.background = `linear-gradient(to right, ${this.scale.map((colour) => `rgb(${colour})`).join()})`;
  }

  jobButtons() {
    this.parts.jobs.append(...this.facts.jobs.map((_, at) => element("button", {
      type: "button", data: { job: at }, onclick: () => this.toggleJob(at),
    }, this.panel.job(at))));
  }

  timeControls() {
    const { facts: all, parts } = this;
    const has = Boolean(all.times);
    for (const name of ["time", "play", "whole"]) parts[name].disabled = !has;
    parts.notime.hidden = has;
    parts.flow.hidden = !has;
    if (!has) return;
    parts.time.max = all.times.bins - 1;
    parts.time.addEventListener("input", () => this.set({ bin: Number(parts.time.value) }));
    parts.play.addEventListener("click", () => this.play(!this.playing));
    parts.whole.addEventListener("click", () => { this.play(false); this.set({ bin: ALL }); });
    parts.flow.addEventListener("click", (event) => {
      const part = event.offsetX / parts.flow.clientWidth;
      this.set({ bin: Math.min(Math.floor(part * all.times.bins), all.times.bins - 1) });
    });
  }

  set(change) {
    Object.assign(this.state, change);
    this.update();
  }

  update() {
    this.paint();
    this.said();
    this.panel.show(this.state.chosen, this.state.bin);
    this.list();
    this.drawTime();
    this.writeAddress();
  }

  // Links by colour; cheap enough for every frame.
  paint() {
    const { state, measure } = this;
    this.values = measure.values(state);
    this.most = measure.most(state);
    this.scene?.show({ values: this.values, most: this.most, stretch: state.mode !== "use", chosen: state.chosen, job: state.job });
    this.draws += 1;
  }

  // What the controls say.
  said() {
    const { state, parts, measure } = this;
    for (const input of document.querySelectorAll("input[name=mode]")) input.checked = input.value === state.mode;
    for (const button of parts.jobs.children) button.setAttribute("aria-pressed", String(Number(button.dataset.job) === state.job));
    const isWait = state.mode === "blame" || state.mode === "through";
    parts.causing.hidden = !isWait || state.job === ALL;
    parts.cause.checked = state.cause;
    parts.whole.setAttribute("aria-pressed", String(state.bin === ALL));
    const text = (value) => (isWait ? timeText(value) : shareText(value));
    const stretched = state.mode !== "use";
    parts.least.textContent = "0";
    parts.half.textContent = text(this.most * (stretched ? 0.25 : 0.5));
    parts.largest.textContent = text(this.most);
    const about = { use: "share of the time that a link sends", stall: "share of the time that a link is idle although packets are ready, for lack of credits",
      blame: "waits charged on a link, summed over packets", through: "waits attributed to a link through backpressure, summed over packets" }[state.mode];
    parts.about.textContent = state.job !== ALL && !measure.hasJobs(state.mode) ? `${about} (all jobs)` : about;
    this.clock();
  }

  clock() {
    const { state, parts, facts: all } = this;
    const at = state.bin === ALL ? "the whole run" : this.panel.span(state.bin);
    const frozen = state.bin !== ALL && !this.measure.hasTime(state.mode);
    parts.clock.textContent = frozen ? `${at} (waits: the whole run)` : at;
    if (all.times) {
      parts.time.value = state.bin === ALL ? 0 : state.bin;
      parts.time.setAttribute("aria-valuetext", at);
    }
  }

  drawTime() {
    if (!this.facts.times) return;
    const series = this.measure.jobTotals;
    drawChart(this.parts.flow, { series, colours: this.facts.jobs.map(({ colour }) => colour), most: peak(summed(series)).value,
      bin: this.state.bin, ground: "#161d26", ink: "#ffffff" });
    this.panel.redraw(this.state.bin);
  }

  list() {
    const isWait = this.state.mode === "blame" || this.state.mode === "through";
    const shown = this.panel.list("Links of the highest values", this.topLinks(), (link) =>
      (isWait ? timeText(this.values[link]) : shareText(this.values[link])));
    this.parts.top.replaceChildren(shown);
  }

  topLinks() {
    const { link_kind: kind } = this.columns;
    return highest(this.values.map((value, link) => (!this.scene || this.scene.kinds[kind[link]] ? value : 0)), TOP);
  }

  choose(chosen, move = false) {
    if (chosen?.kind === "job") { this.set({ chosen, job: chosen.at }); return; }
    this.set({ chosen });
    if (chosen && move) this.scene?.centre(this.scene.spot(chosen));
  }

  toggleJob(at) {
    const off = this.state.job === at;
    this.set({ job: off ? ALL : at, chosen: off ? null : { kind: "job", at } });
  }

  showKind(at, shown) {
    if (this.scene) this.scene.kinds[at] = shown;
    this.update();
  }

  hover(found, x, y) {
    const { tip } = this.parts;
    tip.hidden = !found;
    if (!found) return;
    tip.textContent = this.panel.name(found) + (found.kind === "link" ? ` · ${this.valueText(found.at)}` : "");
    tip.style.transform = `translate(${x + 14}px, ${y + 14}px)`;
  }

  valueText(link) {
    const isWait = this.state.mode === "blame" || this.state.mode === "through";
    return isWait ? timeText(this.values[link]) : shareText(this.values[link]);
  }

  play(on) {
    if (this.playing === on || !this.facts.times) return;
    this.playing = on;
    this.parts.play.setAttribute("aria-pressed", String(on));
    this.parts.play.textContent = on ? "Pause" : "Play";
    if (!on) { this.update(); return; }
    let last = 0;
    const step = (now) => {
      if (!this.playing) return;
      if (now - last > 80) {
        last = now;
        this.state.bin = (this.state.bin + 1) % this.facts.times.bins;
        this.paint();
        this.clock();
        this.drawTime();
      }
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }

  home() {
    this.scene?.fit(this.parts.picture.clientWidth, this.parts.picture.clientHeight);
  }

  // "link 12", "router 5", "node 7", "group 3", or the name of a job.
  find(text) {
    const words = text.trim().toLowerCase();
    const job = this.facts.jobs.findIndex(({ name }) => name.toLowerCase() === words);
    const [, kind, number] = /^(link|router|node|group)\s+(\d+)$/.exec(words) ?? [];
    const at = kind ? this.columns[kind].indexOf(Number(number)) : -1;
    this.parts.found.textContent = "";
    if (job >= 0) this.choose({ kind: "job", at: job });
    else if (kind === "group" && at >= 0) this.scene?.centre(this.scene.spot({ kind, at }));
    else if (at >= 0) this.choose({ kind, at }, true);
    else this.parts.found.textContent = kind ? `There is no ${kind} ${number}.` : "Give “link 12”, “router 5”, “node 7”, “group 3” or the name of a job.";
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input:not([type=radio]):not([type=checkbox])")) return;
    const onPicture = this.parts.picture.contains(event.target);
    const pans = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const modes = ["use", "stall", "blame", "through"];
    const act = onPicture && pans[event.key] ? () => this.scene?.pan(...pans[event.key]) : {
      "+": () => this.scene?.zoom(0.5), "=": () => this.scene?.zoom(0.5), "-": () => this.scene?.zoom(-0.5), "0": () => this.home(),
      p: () => this.play(!this.playing), w: () => this.parts.whole.click(), "/": () => this.parts.wanted.focus(), "?": () => this.parts.keys.showModal(),
      ",": () => this.turn(-1), ".": () => this.turn(1), n: () => this.next(1), b: () => this.next(-1), Escape: () => this.set({ chosen: null, job: ALL }),
    }[event.key] ?? (modes[event.key - 1] && (() => this.mode(modes[event.key - 1])));
    if (!act) return;
    event.preventDefault();
    act();
  }

  mode(mode) {
    if (!document.querySelector(`input[name=mode][value=${mode}]`).disabled) this.set({ mode });
  }

  turn(by) {
    const { times } = this.facts;
    if (times) this.set({ bin: Math.min(Math.max(this.state.bin + by, 0), times.bins - 1) });
  }

  // The next link of the list.
  next(by) {
    const links = this.topLinks();
    if (!links.length) return;
    const at = this.state.chosen?.kind === "link" ? links.indexOf(this.state.chosen.at) : -1;
    this.choose({ kind: "link", at: links[at < 0 ? (by > 0 ? 0 : links.length - 1) : (at + by + links.length) % links.length] }, true);
  }

  writeAddress() {
    const { mode, job, cause, bin, chosen } = this.state;
    const words = { mode };
    if (job !== ALL) words.job = job;
    if (cause) words.cause = 1;
    if (bin !== ALL) words.bin = bin;
    if (chosen && chosen.kind !== "job") words[chosen.kind] = this.columns[chosen.kind][chosen.at];
    try { history.replaceState(null, "", `#${new URLSearchParams(words)}`); } catch { /* some viewers have no address */ }
  }

  readAddress() {
    const words = new URLSearchParams(location.hash.slice(1));
    const number = (name, most) => {
      const value = words.has(name) ? Number(words.get(name)) : ALL;
      return Number.isInteger(value) && value >= 0 && value < most ? value : ALL;
    };
    const mode = words.get("mode");
    const known = ["use", "stall", ...(this.facts.has_blame ? ["blame", "through"] : [])];
    const kind = ["link", "router", "node"].find((name) => words.has(name));
    const at = kind ? this.columns[kind].indexOf(Number(words.get(kind))) : -1;
    const job = number("job", this.facts.jobs.length);
    this.state = { mode: known.includes(mode) ? mode : "use", job, cause: words.has("cause"),
      bin: this.facts.times ? number("bin", this.facts.times.bins) : ALL,
      chosen: at >= 0 ? { kind, at } : job !== ALL ? { kind: "job", at: job } : null };
  }
}

readPage().then((page) => {
  globalThis.odonataView = new View(page);
  document.documentElement.dataset.ready = "yes";
}).catch((error) => {
  document.getElementById("details").textContent = `This page cannot be shown: ${error.message}. A browser of 2023 or newer is needed.`;
  throw error;
});
