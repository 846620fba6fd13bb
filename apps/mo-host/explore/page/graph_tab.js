"use strict";
// The graph before and after the chosen step.
//
// What is shown is one of: a node and what is around it, a place of the step and what is around it, or a set of
// nodes, folded into groups where it is large.
class GraphTab {
  constructor(page) {
    this.page = page;
    this.most = 36;
    this.open = new Set();
    this.constants = false;
    this.compare = true;
    this.place = 0;
    this.groups = [];  // opened ones, outermost first: {title, keys, scope}
    this.mode = "place";
    this.extra = new Set();
    this.framed = null;
    const on = (figure) => ({ chosen: (box) => this.#chosen(box), opened: (box) => this.#opened(box, figure) });
    this.before = new Drawing(byId("pane-before"), on("before"));
    this.after = new Drawing(byId("pane-after"), on("after"));
    this.rows = new Rows(page);
    this.#tools();
  }

  #tools() {
    const steps = byId("step");
    this.page.data.steps.forEach((_, s) => steps.append(element("option", { value: s }, `${s}. ${this.page.stepTitle(s)}`)));
    steps.addEventListener("change", () => this.page.goTo(+steps.value));
    const press = (id, act) => byId(id).addEventListener("click", act);
    press("step-back", () => this.page.goTo(Math.max(0, this.page.step - 1)));
    press("step-on", () => this.page.goTo(Math.min(this.page.states.last, this.page.step + 1)));
    press("place-back", () => this.movePlace(-1));
    press("place-on", () => this.movePlace(1));
    press("overview", () => this.overview());
    press("compare", () => this.#toggle("compare"));
    press("constants", () => this.#toggle("constants"));
    press("wider", () => this.widen(1.5));
    press("narrower", () => this.widen(1 / 1.5));
    press("save-svg", () => this.#save(new Blob([this.after.picture().text], { type: "image/svg+xml" }), "svg"));
    press("save-png", () => this.#savePng());
  }

  #save(blob, kind) {
    const url = URL.createObjectURL(blob);
    element("a", { href: url, download: `${this.page.data.about.name}_${this.page.step}.${kind}` }).click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
  }

  #savePng() {
    const { width, height, text } = this.after.picture();
    const scale = Math.max(0.1, Math.min(2, 8000 / width, 8000 / height));  // canvases have a largest size
    const canvas = element("canvas", { width: Math.ceil(width * scale), height: Math.ceil(height * scale) });
    const image = new Image();
    image.addEventListener("load", () => {
      canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
      canvas.toBlob((blob) => this.#save(blob, "png"), "image/png");
    });
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  }

  #toggle(what) {
    this[what] = !this[what];
    byId(what).setAttribute("aria-pressed", `${this[what]}`);
    this.show();
  }

  widen(by) {
    this.most = Math.round(Math.min(160, Math.max(8, this.most * by)));
    this.show();
  }

  movePlace(by) {
    const count = this.places().length;
    if (count === 0) return;
    this.mode = "place";
    this.place = (this.place + by + count) % count;
    this.framed = null;
    this.show();
  }

  places() {
    const { step, states } = this.page;
    if (this.placesStep !== step) {
      this.placesStep = step;
      this.placeList = placesOf(states, step);
    }
    return this.placeList;
  }

  stepChanged() {
    this.place = 0;
    this.framed = null;
    this.groups = [];
    // Of what is all new or all different nothing stands out: it is shown as a whole.
    const first = this.places()[0] || [];
    this.mode = this.page.step === 0 || first.length > 60 || first.length === 0 ? "groups" : "place";
    if (this.mode === "groups") this.overview(false);
  }

  overview(draw = true) {
    this.mode = "groups";
    this.framed = null;
    this.groups = [];
    if (draw) this.show();
  }

  around(k) {
    this.mode = "node";
    this.extra = new Set([k]);
    this.framed = null;
  }

  toggleBody(k) {
    if (!this.open.delete(k)) this.open.add(k);
    if (this.mode === "groups") this.around(k);
    this.show();
  }

  showConfigured(c) {
    this.page.showTab("graph");
    const { states } = this.page;
    // As they were matched: at the last step before which they all were there.
    let s = states.last;
    while (s > 0 && !c.nodes.every((k) => states.node(k, s))) --s;
    this.page.setStep(s);
    this.mode = "place";
    this.framed = c;
    this.show();
  }

  show() {
    const { step, states } = this.page;
    byId("step").value = step;
    const places = this.places();
    byId("place").textContent = places.length ? `place ${Math.min(this.place + 1, places.length)} of ${places.length}` : "no place";
    const both = this.compare && step > 0 && this.framed === null;
    byId("pane-before").hidden = !both;
    const title = this.page.stepTitle(step);
    this.before.measure();
    this.after.measure();
    this.rows.show();
    if (both) this.#draw(this.before, step - 1, `before ${title}`, false);
    this.#draw(this.after, step, step === 0 ? "the model as it was read" : `after ${title}`, true);
    this.#path();
    this.page.details.show(this.page.node);
    this.mark();
  }

  mark() {
    const ids = new Set(this.page.node === null ? [] : [`${this.page.node}`]);
    this.before.mark(ids);
    this.after.mark(ids);
    this.rows.mark();
  }

  #path() {
    const here = [element("button", { type: "button", click: () => this.overview() }, "whole graph")];
    this.groups.forEach((g, i) => here.push(element("button", { type: "button", click: () => {
      this.mode = "groups";
      this.groups.length = i + 1;
      this.show();
    } }, g.title)));
    byId("path").replaceChildren(...(this.mode === "groups" ? here : []));
  }

  #seeds(isAfter) {
    const { step, states } = this.page, s = isAfter ? step : step - 1;
    if (this.framed) return this.framed.nodes;
    let seeds = this.mode === "node" ? [...this.extra] : (this.places()[this.place] || []).slice(0, this.most);
    if (this.mode === "node") seeds = seeds.flatMap((k) => this.#counterparts(k, s));
    const there = seeds.filter((k) => states.node(k, s));
    return there.length ? there : this.#besides(seeds, s);
  }

  // Of what is not there: what was, or will be, next to it; in a graph that lost all that the first nodes.
  #besides(seeds, s) {
    const { step, states } = this.page, other = states.state(s === step ? step - 1 : step), found = new Set();
    for (const k of seeds) {
      for (const from of (other.nodes.get(k) || {}).i || []) if (from) found.add(from[0]);
      for (const [reader] of other.readers.get(k) || []) found.add(reader);
    }
    const there = [...found].filter((k) => states.node(k, s)).slice(0, this.most);
    return there.length ? there : [...states.state(s).nodes.keys()].slice(0, 1);
  }

  // What a node is called on the other side of the step.
  #counterparts(k, s) {
    const { states, provenance, step } = this.page;
    if (states.node(k, s)) return [k];
    const made = provenance.madeOf.get(k);
    if (made && made.step === step) return made.nodes;
    const now = states.steps[step].made.filter((n) => {
      const of = provenance.madeOf.get(n);
      return of && of.step === step && of.nodes.includes(k);
    });
    const instead = provenance.instead.get(k);
    return now.length ? now : instead && instead.step === step ? [instead.node] : [];
  }

  #draw(drawing, s, caption, isAfter) {
    const state = this.page.states.state(s);
    const view = this.mode === "groups" ? this.#groupBoxes(state) : this.#nodeBoxes(state, s, isAfter);
    const hidden = state.nodes.size - view.count;
    drawing.show(`${caption}: ${view.count} of ${state.nodes.size} nodes${hidden > 0 && this.mode !== "groups" ? "; the rest is not drawn" : ""}`,
      view.boxes, view.edges, this.page.node === null ? undefined : `${this.page.node}`);
  }

  kindOf(k, isAfter) {
    const step = this.page.states.steps[this.page.step];
    step.sets = step.sets || { made: new Set(step.made), gone: new Set(step.gone), changed: new Set(step.changed) };
    if (this.page.step === 0) return "";
    if (isAfter && step.sets.made.has(k)) return "made";
    if (!isAfter && step.sets.gone.has(k)) return "gone";
    return step.sets.changed.has(k) ? "changed" : "";
  }

  #nodeBoxes(state, s, isAfter) {
    const seeds = this.#seeds(isAfter);
    const shown = neighbourhood(state, seeds, { most: Math.max(this.most, seeds.length), constants: this.constants, open: this.open });
    const boxes = [], edges = [];
    const frame = this.framed && { id: "frame", lines: [`${this.framed.id} ${this.framed.instance || ""}`], kind: "configured", title: "" };
    if (frame) boxes.push(frame);
    for (const [k, parent] of shown) {
      const node = state.nodes.get(k);
      boxes.push({ id: `${k}`, key: k, title: `${node.o} ${node.n}`, kind: this.#classOf(k, node, isAfter),
        lines: this.#lines(state, k, node, shown),
        parent: parent !== null ? `${parent}` : frame && this.framed.nodes.includes(k) ? "frame" : null });
      (node.i || []).forEach((from, port) => {
        if (!from || !shown.has(from[0])) return;
        edges.push({ from: `${from[0]}`, to: `${k}`, kind: this.#edgeKind(k, port, from, s, isAfter),
          title: this.page.states.tensor(state.nodes.get(from[0]), from[1]).text });
      });
    }
    return { boxes, edges, count: shown.size };
  }

  #edgeKind(k, port, from, s, isAfter) {
    const { step, states } = this.page;
    if (step === 0) return "";
    const other = states.node(k, isAfter ? step - 1 : step), there = other && other.i && other.i[port];
    const same = there && there[0] === from[0] && there[1] === from[1];
    return same ? "" : isAfter ? "made" : "gone";
  }

  #classOf(k, node, isAfter) {
    const d = this.page.step === this.page.states.last && this.page.differences.get(node.n);
    return [this.kindOf(k, isAfter), isConstant(node) ? "constant" : "", d && d.good === false ? "differs" : ""].join(" ").trim();
  }

  #lines(state, k, node, shown) {
    const out = this.page.states.tensor(node, 0);
    const lines = [node.o, shortName(node.n, 34)];
    if (out.text) lines.push(shortName(out.text, 34));
    const around = new Set([...(node.i || []).filter(Boolean).map((f) => f[0]), ...(state.readers.get(k) || []).map(([r]) => r)]);
    const hidden = [...around].filter((n) => !shown.has(n) && state.nodes.has(n) && !isConstant(state.nodes.get(n))).length;
    if (node.b) lines.push(this.open.has(k) ? "⋯ body open" : "⋯ body folded");
    else if (hidden) lines.push(`⋯ ${hidden} more around it`);
    return lines;
  }

  #groupBoxes(state) {
    const main = this.page.mainGraph;
    const opened = this.groups[this.groups.length - 1];
    let keys = (opened ? opened.keys : state.graphs.get(main) || []).filter((k) => state.nodes.has(k));
    if (!this.constants) keys = keys.filter((k) => !isConstant(state.nodes.get(k)));
    const groups = groupsOf(state, keys, opened ? opened.scope : "", 60);
    const boxOf = new Map(), boxes = groups.map((g, i) => {
      for (const k of g.keys) boxOf.set(k, i);
      const first = state.nodes.get(g.keys[0]), one = g.keys.length === 1;
      const touched = g.keys.filter((k) => this.kindOf(k, true)).length;
      return { id: one ? `${first.k}` : `group-${i}`, key: one ? first.k : undefined, group: one ? undefined : g,
        kind: one ? this.#classOf(first.k, first, true) : `group${touched && this.page.step > 0 ? " changed" : ""}`,
        title: one ? `${first.o} ${first.n}` : `${g.title}: ${g.keys.length} nodes; open with Enter or a double click`,
        lines: one ? this.#lines(state, first.k, first, boxOf)
          : [shortName(g.title, 36), `${g.keys.length} nodes`, shortName(operationsText(state, g.keys), 40)] };
    });
    const edges = new Map();
    for (const [k, to] of boxOf)
      for (const from of state.nodes.get(k).i || []) {
        const source = from && boxOf.get(from[0]);
        if (from && source !== undefined && source !== to) edges.set(`${source} ${to}`, { from: boxes[source].id, to: boxes[to].id });
      }
    return { boxes, edges: [...edges.values()], count: keys.length };
  }

  #chosen(box) {
    if (box.key === undefined) return;
    this.page.choose(box.key, false);
  }

  #opened(box) {
    if (box.group) {
      this.groups.push(box.group);
      return void this.show();
    }
    if (box.key === undefined) return;
    const node = this.page.states.node(box.key, this.page.step);
    if (node && node.b && !this.open.has(box.key)) return void this.toggleBody(box.key);
    if (this.mode === "node") this.extra.add(box.key);
    else this.around(box.key);
    this.page.choose(box.key, false);
    this.show();
  }
}

// The list of all nodes; rows that cannot be seen do not exist.
class Rows {
  constructor(page) {
    this.page = page;
    this.root = byId("rows");
    this.inside = byId("rows-inside");
    this.height = 22;
    this.keys = [];
    byId("filter").addEventListener("input", () => this.show());
    this.root.addEventListener("scroll", () => requestAnimationFrame(() => this.draw()));
    this.root.addEventListener("keydown", (e) => this.#key(e));
  }

  show() {
    const state = this.page.states.state(this.page.step), wanted = byId("filter").value.trim().toLowerCase();
    const shown = `${this.page.step} ${wanted}`;
    if (shown === this.shown) return void this.draw();
    this.shown = shown;
    const gone = this.page.states.steps[this.page.step].gone;
    const fits = (n) => !wanted || n.n.toLowerCase().includes(wanted) || n.o.toLowerCase().includes(wanted);
    this.keys = [...gone.filter((k) => fits(this.page.states.node(k, this.page.step - 1)))];
    for (const [k, n] of state.nodes) if (fits(n)) this.keys.push(k);
    this.inside.style.height = `${this.keys.length * this.height}px`;
    this.draw();
  }

  draw() {
    const first = Math.max(0, Math.floor(this.root.scrollTop / this.height) - 3);
    const count = Math.ceil((this.root.clientHeight || 600) / this.height) + 6;
    this.inside.replaceChildren(...this.keys.slice(first, first + count).map((k, i) => {
      const { states, step } = this.page, now = states.node(k, step), node = now || states.node(k, step - 1);
      const d = step === states.last && this.page.differences.get(node.n);
      return element("div", { class: `row ${this.page.graph.kindOf(k, Boolean(now))} ${d && d.good === false ? "differs" : ""}`,
        role: "option", "data-node": k, style: `top:${(first + i) * this.height}px`, title: node.n,
        click: () => this.page.choose(k, true) }, `${node.o} `, element("small", {}, node.n));
    }));
    this.mark();
  }

  mark() {
    for (const row of this.inside.children) row.classList.toggle("chosen", +row.dataset.node === this.page.node);
  }

  #key(e) {
    const at = this.keys.indexOf(this.page.node);
    const to = e.key === "ArrowDown" ? at + 1 : e.key === "ArrowUp" ? at - 1 : e.key === "Home" ? 0 : e.key === "End" ? this.keys.length - 1 : -1;
    if (to < 0 || to >= this.keys.length) return;
    e.preventDefault();
    const top = to * this.height;
    if (top < this.root.scrollTop) this.root.scrollTop = top;
    if (top + this.height > this.root.scrollTop + this.root.clientHeight) this.root.scrollTop = top + this.height - this.root.clientHeight;
    this.page.choose(this.keys[to], true);
    this.draw();
  }
}
