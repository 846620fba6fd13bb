"use strict";
// Draws boxes and edges into an <svg>, laid out by dagre and zoomed by d3.
//
// boxes: [{id, lines, kind, parent, title}], edges: [{from, to, kind, title}]; `on` has chosen(box),
// opened(box) and moved(box, key) for arrow keys.
class Drawing {
  constructor(figure, on) {
    this.figure = figure;
    this.on = on;
    this.svg = d3.select(figure.querySelector("svg"));
    const arrow = this.svg.append("defs").append("marker")
      .attr({ id: `arrow-${figure.id}`, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto" });
    arrow.append("path").attr("d", "M0,0L8,4L0,8Z");
    this.root = this.svg.append("g");
    this.zoom = d3.behavior.zoom().scaleExtent([0.05, 4]).on("zoom", () => this.#place());
    this.svg.call(this.zoom).on("dblclick.zoom", null);
  }

  #place() {
    this.root.attr("transform", `translate(${this.zoom.translate()})scale(${this.zoom.scale()})`);
  }

  scaleBy(factor) {
    const { width, height } = this.svg.node().getBoundingClientRect();
    const [x, y] = this.zoom.translate(), scale = Math.min(4, Math.max(0.05, this.zoom.scale() * factor));
    const by = scale / this.zoom.scale();
    this.zoom.scale(scale).translate([width / 2 - (width / 2 - x) * by, height / 2 - (height / 2 - y) * by]);
    this.#place();
  }

  // A picture of what is drawn, as it looks now: a file of SVG does not know the page's styles.
  picture() {
    const svg = this.svg.node(), copy = svg.cloneNode(true), all = this.layout.graph();
    const from = svg.querySelectorAll("*"), to = copy.querySelectorAll("*");
    from.forEach((e, i) => {
      const style = getComputedStyle(e);
      for (const name of ["fill", "stroke", "stroke-width", "stroke-dasharray", "font-size", "font-weight", "font-family"])
        to[i].setAttribute(name, style.getPropertyValue(name));
      to[i].removeAttribute("tabindex");
    });
    copy.querySelector("g").setAttribute("transform", "");
    const width = Math.ceil(all.width) || 1, height = Math.ceil(all.height) || 1;
    for (const [name, value] of Object.entries({ xmlns: "http://www.w3.org/2000/svg", width, height, viewBox: `0 0 ${width} ${height}` }))
      copy.setAttribute(name, value);
    const back = document.createElementNS("http://www.w3.org/2000/svg", "rect");
    for (const [name, value] of Object.entries({ width, height, fill: getComputedStyle(document.body).backgroundColor }))
      back.setAttribute(name, value);
    copy.prepend(back);
    return { width, height, text: new XMLSerializer().serializeToString(copy) };
  }

  // Before anything is drawn anew: asking later makes the browser lay out what is about to change again.
  measure() {
    const { width, height } = this.svg.node().getBoundingClientRect();
    this.size = { width, height };
  }

  show(caption, boxes, edges, focus) {
    this.figure.querySelector("figcaption").textContent = caption;
    const layout = this.#layout(boxes, edges);
    this.layout = layout;
    this.boxes = new Map(boxes.map((b) => [b.id, b]));
    this.root.selectAll("*").remove();
    const frames = boxes.filter((b) => layout.children(b.id).length > 0);
    const single = boxes.filter((b) => layout.children(b.id).length === 0);
    const frame = this.root.selectAll("g.frame").data(frames).enter().append("g").attr("class", (b) => `frame ${b.kind}`);
    frame.append("rect").attr({ rx: 6, x: (b) => layout.node(b.id).x - layout.node(b.id).width / 2,
      y: (b) => layout.node(b.id).y - layout.node(b.id).height / 2,
      width: (b) => layout.node(b.id).width, height: (b) => layout.node(b.id).height });
    frame.append("text").attr({ x: (b) => layout.node(b.id).x - layout.node(b.id).width / 2 + 6,
      y: (b) => layout.node(b.id).y - layout.node(b.id).height / 2 + 13 }).text((b) => b.lines.join(" "));
    frame.on("click", (b) => this.on.chosen(b)).on("dblclick", (b) => this.on.opened(b));
    const line = d3.svg.line().x((p) => p.x).y((p) => p.y).interpolate("basis");
    this.root.selectAll("path.edge").data(edges.filter((e) => layout.edge(e.from, e.to))).enter().append("path")
      .attr({ class: (e) => `edge ${e.kind || ""}`, d: (e) => line(layout.edge(e.from, e.to).points),
        "marker-end": `url(#arrow-${this.figure.id})` })
      .append("title").text((e) => e.title || "");
    this.#nodes(single, layout);
    this.#fit(layout, focus);
  }

  #layout(boxes, edges) {
    const g = new dagre.graphlib.Graph({ compound: true });
    g.setGraph({ ranker: "tight-tree", rankdir: "TB", nodesep: 16, ranksep: 26, marginx: 8, marginy: 8 });
    g.setDefaultEdgeLabel(() => ({}));
    const parents = new Set(boxes.map((b) => b.parent).filter((p) => p !== undefined && p !== null));
    for (const b of boxes) {
      b.width = Math.min(270, 16 + Math.max(...b.lines.map((l, i) => l.length * (i === 0 ? 7.6 : 6.6))));
      b.height = 10 + 14 * b.lines.length;
      g.setNode(b.id, { width: b.width, height: b.height });
    }
    for (const b of boxes) if (b.parent !== undefined && b.parent !== null && g.hasNode(b.parent)) g.setParent(b.id, b.parent);
    // dagre lays out no edges of what has children: those lead to the first or from the last node in it.
    const inside = (id, last) => {
      let at = id;
      while (parents.has(at) && g.children(at).length) at = g.children(at)[last ? g.children(at).length - 1 : 0];
      return at;
    };
    for (const e of edges) {
      e.from = inside(e.from, true);
      e.to = inside(e.to, false);
      if (g.hasNode(e.from) && g.hasNode(e.to) && e.from !== e.to) g.setEdge(e.from, e.to);
    }
    return Drawing.laidOut(g);
  }

  // The other side of a change often looks the same, and so does a graph in which only another node is chosen.
  static laidOut(g) {
    const form = JSON.stringify(dagre.graphlib.json.write(g));
    const known = Drawing.known.get(form);
    if (known) return known;
    dagre.layout(g);
    if (Drawing.known.size > 7) Drawing.known.delete(Drawing.known.keys().next().value);
    Drawing.known.set(form, g);
    return g;
  }

  #nodes(boxes, layout) {
    const node = this.root.selectAll("g.node").data(boxes, (b) => b.id).enter().append("g")
      .attr({ class: (b) => `node ${b.kind}`, tabindex: -1, role: "button", "data-id": (b) => b.id,
        "aria-label": (b) => `${b.lines.join(" ")}; ${b.title}`,
        transform: (b) => `translate(${layout.node(b.id).x - b.width / 2},${layout.node(b.id).y - b.height / 2})` });
    node.append("title").text((b) => b.title);
    node.append("rect").attr({ rx: 5, width: (b) => b.width, height: (b) => b.height });
    node.each(function (b) {
      b.lines.forEach((text, i) => d3.select(this).append("text").text(text)
        .attr({ x: 8, y: 16 + 14 * i, class: i === 0 ? "op" : text.startsWith("⋯") ? "more" : "" }));
    });
    node.on("click", (b) => this.on.chosen(b)).on("dblclick", (b) => this.on.opened(b));
    node.on("keydown", (b) => {
      const key = d3.event.key;
      if (key === "Enter") this.on.opened(b);
      else if (key === " ") this.on.chosen(b);
      else if (key.startsWith("Arrow")) this.#walk(b, key);
      else return;
      d3.event.preventDefault();
      d3.event.stopPropagation();
    });
    this.root.select("g.node").attr("tabindex", 0);
  }

  // To an input, a reader, or the box nearest to the left or right.
  #walk(b, key) {
    const g = this.layout;
    let to;
    if (key === "ArrowUp") to = (g.predecessors(b.id) || [])[0];
    else if (key === "ArrowDown") to = (g.successors(b.id) || [])[0];
    else {
      const at = g.node(b.id), sign = key === "ArrowLeft" ? -1 : 1;
      to = g.nodes().filter((id) => g.children(id).length === 0 && sign * (g.node(id).x - at.x) > 1)
        .sort((p, q) => distance(g.node(p), at) - distance(g.node(q), at))[0];
    }
    if (to !== undefined) this.focus(to);
  }

  focus(id) {
    const element = [...this.root.node().querySelectorAll("g.node")].find((e) => e.dataset.id === id);
    if (!element) return;
    this.root.selectAll("g.node").attr("tabindex", -1);
    element.setAttribute("tabindex", 0);
    element.focus();
    this.on.chosen(this.boxes.get(id));
  }

  mark(ids) {
    this.root.selectAll("g.node").classed("chosen", (b) => ids.has(b.id));
  }

  #fit(layout, focus) {
    const { width, height } = this.size;
    const all = layout.graph();
    if (width === 0 || height === 0 || layout.nodeCount() === 0) return;
    const whole = Math.min(width / all.width, height / all.height, 1.2);
    const scale = Math.max(whole, 0.55);
    const at = focus !== undefined && layout.hasNode(focus) ? layout.node(focus) : { x: all.width / 2, y: all.height / 2 };
    const centre = scale > whole ? at : { x: all.width / 2, y: all.height / 2 };
    this.zoom.scale(scale).translate([width / 2 - centre.x * scale, height / 2 - centre.y * scale]);
    this.#place();
  }
}

Drawing.known = new Map();

const distance = (a, b) => Math.hypot(a.x - b.x, 2 * (a.y - b.y));
