"use strict";
// Which nodes of the source a node came from, and what became of them. A new node whose output is read where
// another one's was read stands for that one, and for all that only led to it. What lies between new nodes
// belongs to the one it leads to.
class Provenance {
  constructor(states) {
    this.states = states;
    this.origins = new Map();  // node: set of source nodes
    this.instead = new Map();  // node that others' readers read now: what they read instead, and since when
    this.madeOf = new Map();   // new node: nodes it stands for, and since when
    this.sources = new Set(states.steps.length ? states.steps[0].made : []);
    for (const k of this.sources) this.origins.set(k, new Set([k]));
    this.readers = new Map();
    states.steps.forEach((step, s) => this.#follow(step, s));
    this.became = new Map();
    for (const k of states.state(states.last).nodes.keys())
      for (const source of this.origins.get(k) || []) {
        if (!this.became.has(source)) this.became.set(source, []);
        this.became.get(source).push(k);
      }
  }

  #read(k, inputs, add) {
    for (const from of inputs || []) {
      if (!from) continue;
      if (!this.readers.has(from[0])) this.readers.set(from[0], new Map());
      const by = this.readers.get(from[0]), count = (by.get(k) || 0) + (add ? 1 : -1);
      if (count > 0) by.set(k, count);
      else by.delete(k);
    }
  }

  #follow(step, s) {
    const made = new Set(step.made), replaced = new Map();
    const touched = [...step.made, ...step.changed, ...step.gone];
    for (const k of touched) {
      const before = this.states.node(k, s - 1), after = this.states.node(k, s);
      this.#read(k, before && before.i, false);
      this.#read(k, after && after.i, true);
    }
    if (s === 0) return;
    for (const k of step.changed) {
      const before = this.states.node(k, s - 1).i || [], after = this.states.node(k, s).i || [];
      for (let port = 0; port < Math.min(before.length, after.length); ++port) {
        const [old] = before[port] || [], [now] = after[port] || [];
        if (old === undefined || now === undefined || old === now) continue;
        if (!made.has(now)) {
          if (!this.instead.has(old)) this.instead.set(old, { node: now, step: s });
          continue;
        }
        if (!replaced.has(now)) replaced.set(now, new Set());
        replaced.get(now).add(old);
      }
    }
    for (const [now, olds] of replaced) {
      const group = new Set();
      for (const old of olds) this.#collect(old, s, group);
      this.madeOf.set(now, { nodes: [...group], step: s });
      for (const k of group) this.#give(now, k);
    }
    this.#spread(step.made, made, s);
  }

  #give(to, from) {
    if (!this.origins.has(to)) this.origins.set(to, new Set());
    for (const source of this.origins.get(from) || []) this.origins.get(to).add(source);
  }

  // A node that was replaced, and before it what nothing else needs any more.
  #collect(k, s, group) {
    const open = [k];
    while (open.length) {
      const n = open.pop();
      if (group.has(n)) continue;
      const isNeeded = [...(this.readers.get(n) || new Map()).keys()].some((r) => !group.has(r));
      if (n !== k && isNeeded) continue;
      group.add(n);
      if (isNeeded) continue;
      for (const from of (this.states.node(n, s - 1) || {}).i || []) if (from) open.push(from[0]);
    }
  }

  #spread(keys, made, s) {
    const open = keys.filter((k) => this.origins.has(k));
    const spread = (from, to) => {
      if (!made.has(to) || this.origins.has(to)) return;
      this.#give(to, from);
      open.push(to);
    };
    while (open.length) {
      const k = open.pop();
      for (const from of this.states.node(k, s).i || []) if (from) spread(k, from[0]);
    }
    for (const k of keys) if (this.origins.has(k)) open.push(k);
    while (open.length) {
      const k = open.pop();
      for (const reader of (this.readers.get(k) || new Map()).keys()) spread(k, reader);
    }
  }
}
