"use strict";
// What is known of the chosen node.
class Details {
  constructor(page) {
    this.page = page;
    this.root = byId("details");
  }

  show(k) {
    const { states, step } = this.page, root = this.root;
    root.replaceChildren();
    if (k === null) return void root.append(element("p", { class: "dim" }, "Choose a node to see what is known of it."));
    const now = states.node(k, step), node = now || states.node(k, step - 1) || this.#last(k);
    if (!node) return;
    root.append(element("h3", {}, node.n), element("div", {}, `${node.o}${node.s ? ` (${node.s})` : ""}`));
    if (!now) root.append(element("p", { class: "bad" }, "It is not in the graph after this change."));
    this.#difference(node);
    this.#source(k);
    this.#origins(k);
    this.#became(k);
    this.#outputs(node);
    this.#map("Attributes", node.a);
    this.#inputs(node, now ? step : step - 1);
    this.#map("rt_info", node.r);
    this.#bodies(k, node);
    this.#history(k);
  }

  #last(k) {
    const list = this.page.states.history(k).filter((v) => v.node);
    return list.length ? list[list.length - 1].node : undefined;
  }

  #section(title, ...children) { this.root.append(element("h4", {}, title), ...children); }

  #difference(node) {
    const d = this.page.differences.get(node.n);
    if (!d) return;
    const text = d.missing || d.problem ? `not compared: ${d.missing || d.problem}`
      : `largest difference ${formatted(d.largest)}, relative ${formatted(d.relative)}`;
    this.#section("Against the source", element("p", { class: d.good === false ? "bad" : "good" }, text));
  }

  #source(k) {
    const source = this.page.data.sources[k];
    if (!source) return;
    const version = source.version ? `, version ${source.version}` : "";
    this.#section("In the model", element("p", {}, `${source.op}${source.domain ? ` of ${source.domain}` : ""}${version}`));
    const plugin = this.page.data.extracted[k];
    if (plugin) this.root.append(element("p", { class: "dim" }, `translated by an extractor of ${plugin}`));
    this.#map("", source.attributes);
  }

  #map(title, map) {
    if (!map || Object.keys(map).length === 0) return;
    const rows = Object.entries(map).map(([key, value]) => [key, element("code", {}, value)]);
    if (title) this.#section(title, table(["name", "value"], rows));
    else this.root.append(table(["name", "value"], rows));
  }

  link(k, text) {
    return element("button", { type: "button", class: "link", "data-node": k, click: () => this.page.choose(k, true) },
      text || this.page.nameOf(k));
  }

  stepLink(s) {
    return element("button", { type: "button", class: "link", "data-step": s, click: () => this.page.goTo(s) },
      `${s}. ${this.page.stepTitle(s)}`);
  }

  #list(keys, describe) {
    const most = 40;
    const items = keys.slice(0, most).map((k) => element("li", {}, this.link(k), describe ? describe(k) : ""));
    if (keys.length > most) items.push(element("li", { class: "dim" }, `and ${keys.length - most} more`));
    return element("ul", {}, items);
  }

  #origins(k) {
    const origins = [...(this.page.provenance.origins.get(k) || [])].filter((o) => o !== k);
    if (origins.length === 0) return;
    const made = this.page.provenance.madeOf.get(k);
    this.#section("Comes from these nodes of the model",
      this.#list(origins, (o) => ` ${(this.page.data.sources[o] || {}).op || ""}`));
    if (made) this.root.append(element("p", { class: "dim" }, "since ", this.stepLink(made.step)));
  }

  #became(k) {
    if (!this.page.provenance.sources.has(k)) return;
    const layers = this.page.provenance.became.get(k) || [];
    if (layers.length > 0) {
      const last = this.page.states.last;
      this.#section("Became", this.#list(layers, (n) => ` ${this.page.states.node(n, last).o}`));
      return;
    }
    const gone = this.page.states.history(k).find((v) => !v.node);
    const instead = this.page.provenance.instead.get(k);
    this.#section("Became", element("p", {}, "no layer of its own",
      instead ? ["; what read it reads ", this.link(instead.node), " since ", this.stepLink(instead.step)]
        : gone ? [", gone with ", this.stepLink(gone.step)] : ""));
  }

  #outputs(node) {
    const outs = (node.t || []).map((_, port) => this.page.states.tensor(node, port));
    if (outs.length === 0) return;
    this.#section(outs.length === 1 ? "Output" : "Outputs", table(["#", "type and shape", "tensor names"],
      outs.map((o, i) => [`${i}`, o.text || "not known yet", o.names.join(", ")])));
    for (const o of outs) if (o.value) this.root.append(element("pre", {}, o.value));
  }

  #inputs(node, s) {
    const inputs = node.i || [];
    if (inputs.length === 0) return;
    this.#section("Inputs", element("ol", { start: 0 }, inputs.map((from) => {
      if (!from) return element("li", { class: "dim" }, "not connected");
      const source = this.page.states.node(from[0], s);
      return element("li", {}, this.link(from[0]), ` ${source ? this.page.states.tensor(source, from[1]).text : ""}`);
    })));
  }

  #bodies(k, node) {
    if (!node.b) return;
    this.#section("Bodies", element("ul", {}, node.b.map(([key, , name]) => element("li", {}, `${key}: ${name}`))),
      element("button", { type: "button", id: "open-body", click: () => this.page.graph.toggleBody(k) },
        this.page.graph.open.has(k) ? "Close in place" : "Open in place"));
  }

  #history(k) {
    const words = { n: "name", o: "operation", s: "opset", i: "inputs", t: "shapes and types", a: "attributes",
      r: "rt_info", b: "bodies", g: "graph" };
    const items = this.page.states.history(k).map((v, at, all) => {
      const isNew = at === 0 || !all[at - 1].node;
      const what = !v.node ? "gone" : isNew ? "made" : v.parts.map((p) => words[p]).join(", ");
      const by = this.page.data.steps[v.step].by[k];
      return element("li", {}, this.stepLink(v.step), `: ${what}`,
        by === undefined ? "" : element("small", {}, ` by ${this.page.data.pipeline[by].id}`));
    });
    this.#section("What changed it", element("ul", {}, items));
  }
}

const formatted = (n) => typeof n !== "number" ? n : n !== 0 && Math.abs(n) < 1e-3 ? n.toExponential(2) : n.toPrecision(3);
