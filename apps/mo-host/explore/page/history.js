"use strict";
// The graph after each step, put together from the differences that the page carries. A node is
//   {k: number, g: graph, o: operation, s: opset, n: name, i: inputs [node, port], t: outputs, a, r, b: bodies}
// Nothing is computed for a step that nobody looks at.
class GraphStates {
  constructor(data) {
    this.texts = data.texts;
    this.steps = data.steps;
    this.sources = data.sources;
    this.versions = new Map();  // by node: [{step, node or null, parts}]
    this.steps.forEach((step, s) => {
      step.made = [];
      step.changed = [];
      step.inferred = [];
      for (const raw of step.nodes) this.#add(step, s, raw);
      for (const k of step.gone) this.versions.get(k).push({ step: s, node: null, parts: [] });
    });
    this.cache = new Map();
  }

  #add(step, s, raw) {
    const list = this.versions.get(raw.k);
    const last = list && list[list.length - 1].node;
    const node = last ? { ...last } : { k: raw.k };
    const parts = Object.keys(raw).filter((p) => p !== "k");
    for (const p of parts) {
      if (p === "o" || p === "s") node[p] = this.texts[raw[p]];
      else if (raw[p] === 0 && p !== "g") delete node[p];
      else node[p] = raw[p];
    }
    const version = { step: s, node, parts };
    if (list) list.push(version);
    else this.versions.set(raw.k, [version]);
    if (!last) step.made.push(raw.k);
    else if (parts.length === 1 && parts[0] === "t") step.inferred.push(raw.k);
    else step.changed.push(raw.k);
  }

  get last() { return this.steps.length - 1; }

  // As it is after step `s`; undefined when it is not there then.
  node(k, s) {
    const list = this.versions.get(k);
    if (!list) return undefined;
    let low = 0, high = list.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (list[middle].step <= s) low = middle + 1;
      else high = middle;
    }
    return low === 0 ? undefined : list[low - 1].node || undefined;
  }

  // The whole of it: nodes, who reads them, and which are in which graph.
  state(s) {
    if (this.cache.has(s)) return this.cache.get(s);
    const nodes = new Map(), readers = new Map(), graphs = new Map(), names = new Map();
    if (s >= 0)
      for (const k of this.versions.keys()) {
        const n = this.node(k, s);
        if (!n) continue;
        nodes.set(k, n);
        names.set(n.n, k);
        if (!graphs.has(n.g)) graphs.set(n.g, []);
        graphs.get(n.g).push(k);
        (n.i || []).forEach((from, port) => {
          if (!from) return;
          if (!readers.has(from[0])) readers.set(from[0], []);
          readers.get(from[0]).push([k, port]);
        });
      }
    const made = { nodes, readers, graphs, names };
    if (this.cache.size > 3) this.cache.delete(this.cache.keys().next().value);
    this.cache.set(s, made);
    return made;
  }

  tensor(node, port) {
    const out = node.t && node.t[port];
    return out ? { text: this.texts[out[0]], names: out[1] || [], value: out[2] } : { text: "", names: [] };
  }

  history(k) { return this.versions.get(k) || []; }

  // Producers before consumers, of the nodes given.
  static ordered(state, keys) {
    const inside = new Set(keys), waits = new Map(), order = [];
    for (const k of keys) {
      const count = (state.nodes.get(k).i || []).filter((from) => from && inside.has(from[0])).length;
      waits.set(k, count);
      if (count === 0) order.push(k);
    }
    for (let at = 0; at < order.length; ++at)
      for (const [reader] of state.readers.get(order[at]) || []) {
        if (!inside.has(reader)) continue;
        waits.set(reader, waits.get(reader) - 1);
        if (waits.get(reader) === 0) order.push(reader);
      }
    return order;
  }
}
