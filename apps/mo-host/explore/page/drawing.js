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
    attrs(this.svg.append("defs").append("marker"),
      { id: `arrow-${figure.id}`, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto" })
      .append("path").attr("d", "M0,0L8,4L0,8Z");
    this.root = this.svg.append("g");
    const whole = () => { const { width, height } = this.svg.node().getBoundingClientRect(); return [[0, 0], [width, height]]; };
    this.zoom = d3.zoom().extent(whole).scaleExtent([0.05, 4])
      .on("zoom", () => this.root.attr("transform", d3.zoomTransform(this.svg.node())));
    this.svg.call(this.zoom).on("dblclick.zoom", null);
  }

  scaleBy(factor) {
    this.zoom.scaleBy(this.svg, factor);
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
    const left = (b) => layout.node(b.id).x - layout.node(b.id).width / 2;
    const top = (b) => layout.node(b.id).y - layout.node(b.id).height / 2;
    attrs(frame.append("rect"), { rx: 6, x: left, y: top,
      width: (b) => layout.node(b.id).width, height: (b) => layout.node(b.id).height });
    attrs(frame.append("text"), { x: (b) => left(b) + 6, y: (b) => top(b) + 13 }).text((b) => b.lines.join(" "));
    frame.on("click", (b) => this.on.chosen(b)).on("dblclick", (b) => this.on.opened(b));
    attrs(this.root.selectAll("path.edge").data(edges.filter((e) => layout.edge(e.from, e.to))).enter().append("path"),
      { class: (e) => `edge ${e.kind || ""}`, d: (e) => curve(layout.edge(e.from, e.to).points),
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
    const node = attrs(this.root.selectAll("g.node").data(boxes, (b) => b.id).enter().append("g"),
      { class: (b) => `node ${b.kind}`, tabindex: -1, role: "button", "data-id": (b) => b.id,
        "aria-label": (b) => `${b.lines.join(" ")}; ${b.title}`,
        transform: (b) => `translate(${layout.node(b.id).x - b.width / 2},${layout.node(b.id).y - b.height / 2})` });
    node.append("title").text((b) => b.title);
    attrs(node.append("rect"), { rx: 5, width: (b) => b.width, height: (b) => b.height });
    node.each(function (b) {
      b.lines.forEach((text, i) => attrs(d3.select(this).append("text"),
        { x: 8, y: 16 + 14 * i, class: i === 0 ? "op" : text.startsWith("⋯") ? "more" : "" }).text(text));
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
    this.zoom.transform(this.svg, d3.zoomIdentity.translate(width / 2 - centre.x * scale, height / 2 - centre.y * scale).scale(scale));
  }
}

Drawing.known = new Map();

function attrs(selection, values) {
  for (const [name, value] of Object.entries(values)) selection.attr(name, value);
  return selection;
}

// Smooth from the first to the last point; the points between pull it towards themselves.
function curve(points) {
  const middles = points.slice(1).map((p, i) => ({ x: (p.x + points[i].x) / 2, y: (p.y + points[i].y) / 2 }));
  const bends = middles.slice(1).map((m, i) => `Q${points[i + 1].x},${points[i + 1].y} ${m.x},${m.y}`);
  return `M${points[0].x},${points[0].y}L${middles[0].x},${middles[0].y}${bends.join("")}L${points.at(-1).x},${points.at(-1).y}`;
}

const distance = (a, b) => Math.hypot(a.x - b.x, 2 * (a.y - b.y));
