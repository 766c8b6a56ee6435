// The picture: links, routers, nodes and numbers of groups, drawn by deck.gl.

const BACKGROUND = [15, 20, 26];
const ROUTER = [150, 160, 172];
const IDLE = [110, 120, 134];
const CHOSEN = [255, 255, 255];
const REACH = 6; // pixels by which a click may miss
const ON_TOP = 600; // links of the highest values that are drawn over all others

class Scene {
  constructor({ parent, columns, facts, scale, onPick, onHover, onMove }) {
    Object.assign(this, { columns, facts, scale, onMove });
    this.spacing = columns.spacing[0];
    this.links = columns.link.length;
    this.ends = linkEnds(columns, this.spacing);
    this.paint = [this.empty(), this.empty()]; // by turns: what is new is uploaded
    this.shown = null;
    this.kinds = facts.kinds.map(() => true);
    this.view = { target: [0, 0, 0], zoom: 0, minZoom: -3, maxZoom: 9 };
    this.deck = new deck.Deck({
      parent,
      views: new deck.OrthographicView({ id: "system", flipY: true }),
      viewState: this.view,
      controller: { keyboard: false },
      pickingRadius: REACH,
      getCursor: ({ isDragging, isHovering }) => (isDragging ? "grabbing" : isHovering ? "pointer" : "grab"),
      onViewStateChange: ({ viewState }) => this.move(viewState),
      onHover: (info) => onHover(thing(info), info.x, info.y),
      layers: [],
      onLoad: () => { this.deck.getCanvas().tabIndex = -1; }, // the element around it takes the keys
    });
    this.clicks(parent, onPick);
  }

  // deck.gl takes a click for none where the page is busy for a quarter of a second; this does not.
  clicks(parent, onPick) {
    let down = [0, 0];
    parent.addEventListener("pointerdown", ({ clientX, clientY }) => { down = [clientX, clientY]; }, true);
    parent.addEventListener("click", ({ clientX, clientY }) => {
      if (Math.hypot(clientX - down[0], clientY - down[1]) > REACH) return; // the picture was moved
      const { left, top } = parent.getBoundingClientRect();
      const info = this.deck.pickObject({ x: clientX - left, y: clientY - top, radius: REACH });
      onPick(info ? thing(info) : null);
    });
  }

  empty() {
    return { colours: new Uint8Array(this.links * 4), widths: new Float32Array(this.links) };
  }

  move(view) {
    this.view = { ...this.view, ...view };
    this.deck.setProps({ viewState: this.view });
    this.onMove?.();
  }

  pan(right, down) {
    const [x, y] = this.view.target;
    const step = 80 / 2 ** this.view.zoom;
    this.move({ target: [x + right * step, y + down * step, 0] });
  }

  zoom(by) {
    const zoom = Math.min(Math.max(this.view.zoom + by, this.view.minZoom), this.view.maxZoom);
    this.move({ zoom });
  }

  fit(width, height) {
    this.move({ target: [0, 0, 0], zoom: Math.log2(Math.min(width, height) / 2300) });
  }

  centre(spot) {
    this.move({ target: [spot[0], spot[1], 0], zoom: Math.max(this.view.zoom, Math.log2(40 / this.spacing)) });
  }

  // Colours links by `values` over `most`; `stretch`: low values are told apart better.
  show({ values, most, stretch, chosen, job }) {
    const paint = this.paint[0];
    this.paint.reverse();
    const steps = this.scale.length - 1;
    const { link_kind: kind, link_to_node: toNode } = this.columns;
    for (let link = 0; link < this.links; link += 1) {
      let part = most > 0 ? Math.min(values[link] / most, 1) : 0;
      if (stretch) part = Math.sqrt(part);
      const [red, green, blue] = part > 0 ? this.scale[Math.round(part * steps)] : IDLE;
      paint.colours[4 * link] = red;
      paint.colours[4 * link + 1] = green;
      paint.colours[4 * link + 2] = blue;
      paint.colours[4 * link + 3] = this.kinds[kind[link]] ? (part > 0 ? 90 + 165 * part : 26) : 0;
      // Width says the same as colour, for those who see colours otherwise.
      paint.widths[link] = this.spacing * (toNode[link] ? 0.02 : 0.03) * (1 + 4 * part);
    }
    const visible = values.map((value, link) => (this.kinds[kind[link]] ? value : 0));
    this.shown = { paint, chosen, job, top: highest(visible, ON_TOP).reverse() };
    this.draw();
  }

  draw() {
    this.deck.setProps({ layers: this.layers() });
  }

  layers() {
    const { paint, chosen, job, top } = this.shown;
    const { source, target } = this.ends;
    return [
      new deck.LineLayer({
        id: "links",
        data: { length: this.links, attributes: lineAttributes(source, target, paint.colours, paint.widths) },
        widthUnits: "common", widthMinPixels: 0.7, widthMaxPixels: 9, pickable: true,
      }),
      new deck.LineLayer({
        id: "top", data: { length: top.length, attributes: this.some(top, paint) },
        widthUnits: "common", widthMinPixels: 1.4, widthMaxPixels: 9,
      }),
      ...this.places(job),
      ...this.marks(chosen),
    ];
  }

  some(links, paint) {
    const pick = (from, width) => {
      const found = new from.constructor(links.length * width);
      links.forEach((link, at) => found.set(from.subarray(link * width, (link + 1) * width), at * width));
      return found;
    };
    return lineAttributes(pick(this.ends.source, 2), pick(this.ends.target, 2), pick(paint.colours, 4), pick(paint.widths, 1));
  }

  // Routers, nodes and numbers of groups; nodes have the colour of their job.
  places(job) {
    if (this.placed?.job === job) return this.placed.layers;
    const { router_xy: routers, node_xy: nodes, node_job: jobs, group, group_xy: groups } = this.columns;
    const colours = new Uint8Array(jobs.length * 4);
    jobs.forEach((of, at) => {
      const colour = of < 0 ? [70, 78, 88] : rgb(this.facts.jobs[of].colour);
      colours.set([...colour, of < 0 || (job !== ALL && of !== job) ? 70 : 255], at * 4);
    });
    const labels = Array.from(group, (index, at) => ({ index, at }));
    const layers = [
      new deck.ScatterplotLayer({
        id: "routers", data: { length: routers.length / 2, attributes: { getPosition: { value: routers, size: 2 } } },
        getRadius: this.spacing * 0.12, radiusUnits: "common", radiusMinPixels: 0.8, getFillColor: ROUTER, pickable: true,
      }),
      new deck.ScatterplotLayer({
        id: "nodes",
        data: {
          length: jobs.length,
          attributes: { getPosition: { value: nodes, size: 2 }, getFillColor: { value: colours, size: 4, normalized: true } },
        },
        getRadius: this.spacing * 0.08, radiusUnits: "common", radiusMinPixels: 0.7, pickable: true,
      }),
      new deck.TextLayer({
        id: "groups", data: labels, getText: ({ index }) => String(index),
        getPosition: ({ at }) => [groups[2 * at], groups[2 * at + 1]],
        getSize: Math.min(46, 2600 / group.length), sizeUnits: "common", sizeMinPixels: 6, sizeMaxPixels: 22,
        getColor: [200, 208, 216], fontFamily: "sans-serif",
      }),
    ];
    this.placed = { job, layers };
    return layers;
  }

  // What is chosen, in white.
  marks(chosen) {
    if (!chosen) return [];
    if (chosen.kind === "link") {
      const { source, target } = this.ends;
      const spot = (from) => [from[2 * chosen.at], from[2 * chosen.at + 1]];
      return [new deck.LineLayer({
        id: "chosen", data: [chosen.at], getSourcePosition: () => spot(source), getTargetPosition: () => spot(target),
        updateTriggers: { getSourcePosition: chosen.at, getTargetPosition: chosen.at },
        getColor: CHOSEN, getWidth: this.spacing * 0.08, widthUnits: "common", widthMinPixels: 3,
      })];
    }
    if (chosen.kind !== "router" && chosen.kind !== "node") return [];
    return [new deck.ScatterplotLayer({
      id: "chosen-place", data: [chosen.at], getPosition: () => this.spot(chosen), filled: false, stroked: true,
      updateTriggers: { getPosition: [chosen.kind, chosen.at] },
      getRadius: this.spacing * 0.16, radiusUnits: "common", radiusMinPixels: 6, getLineColor: CHOSEN, lineWidthMinPixels: 2,
    })];
  }

  // Where a thing stands.
  spot({ kind, at }) {
    const xy = { router: this.columns.router_xy, node: this.columns.node_xy, group: this.columns.group_xy }[kind];
    if (xy) return [xy[2 * at], xy[2 * at + 1]];
    const { source, target } = this.ends;
    return [(source[2 * at] + target[2 * at]) / 2, (source[2 * at + 1] + target[2 * at + 1]) / 2];
  }
}

function lineAttributes(source, target, colours, widths) {
  return {
    getSourcePosition: { value: source, size: 2 },
    getTargetPosition: { value: target, size: 2 },
    getColor: { value: colours, size: 4, normalized: true },
    getWidth: { value: widths, size: 1 },
  };
}

// Ends of links. The two directions of a link lie side by side, each to the right of its way, and so
// do parallel links.
function linkEnds(columns, spacing) {
  const { link_source: from, link_target: to, link_to_node: toNode, router_xy: routers, node_xy: nodes } = columns;
  const source = new Float32Array(from.length * 2);
  const target = new Float32Array(from.length * 2);
  const parallel = new Map(); // links from the same router to the same one so far
  from.forEach((router, link) => {
    const pair = router * routers.length + to[link];
    const earlier = toNode[link] ? 0 : parallel.get(pair) ?? 0;
    if (!toNode[link]) parallel.set(pair, earlier + 1);
    const end = toNode[link] ? nodes : routers;
    const [x, y] = [routers[2 * router], routers[2 * router + 1]];
    const [a, b] = [end[2 * to[link]], end[2 * to[link] + 1]];
    const length = Math.hypot(a - x, b - y) || 1;
    const aside = toNode[link] ? 0 : spacing * (0.045 + 0.05 * earlier);
    const [right, down] = [-(b - y) / length * aside, (a - x) / length * aside];
    source.set([x + right, y + down], 2 * link);
    target.set([a + right, b + down], 2 * link);
  });
  return { source, target };
}

// What deck.gl found under the pointer.
function thing({ layer, index }) {
  const kind = { links: "link", routers: "router", nodes: "node" }[layer?.id];
  return kind && index >= 0 ? { kind, at: index } : null;
}

function rgb(text) {
  return [1, 3, 5].map((at) => parseInt(text.slice(at, at + 2), 16));
}
