"use strict";
// What of a graph is drawn: a neighbourhood, or groups of nodes, and never more boxes than `most`.

const isConstant = (node) => node.o === "Const";

// From the seeds outwards, nearest first. Constants only beside seeds, unless all are asked for. Bodies of
// opened nodes stand inside of them.
function neighbourhood(state, seeds, { most, constants, open }) {
  const shown = new Map();  // node: the node whose body it is shown in, or null
  const queue = [];
  const add = (k, parent) => {
    if (shown.size >= most || shown.has(k) || !state.nodes.has(k)) return;
    shown.set(k, parent);
    queue.push(k);
  };
  const chosen = new Set(seeds);
  for (const k of seeds) add(k, null);
  for (let at = 0; at < queue.length && shown.size < most; ++at) {
    const k = queue[at], node = state.nodes.get(k), parent = shown.get(k);
    for (const from of node.i || []) {
      const source = from && state.nodes.get(from[0]);
      if (source && (constants || chosen.has(k) || !isConstant(source))) add(from[0], parent);
    }
    (state.readers.get(k) || []).slice(0, chosen.has(k) ? 16 : 4).forEach(([reader]) => add(reader, parent));
  }
  for (const k of [...shown.keys()]) openBodies(state, k, open, shown, most);
  return shown;
}

function openBodies(state, holder, open, shown, most) {
  const node = state.nodes.get(holder);
  if (!node.b || !open.has(holder)) return;
  for (const [, graph] of node.b) {
    const inside = GraphStates.ordered(state, state.graphs.get(graph) || []).filter((k) => !isConstant(state.nodes.get(k)));
    for (const k of inside.slice(0, most)) {
      if (shown.has(k)) continue;
      shown.set(k, holder);
      openBodies(state, k, open, shown, most);
    }
  }
}

// By the next part of their names where these have scopes: Map of scope, or "#" and the node's number, to nodes.
function scopesOf(state, keys, scope) {
  const byScope = new Map();
  for (const k of keys) {
    const name = state.nodes.get(k).n.replace(/^\//, "");
    const rest = name.startsWith(scope) ? name.slice(scope.length) : name;
    const slash = rest.indexOf("/");
    const group = slash < 0 ? `#${k}` : scope + rest.slice(0, slash + 1);
    if (!byScope.has(group)) byScope.set(group, []);
    byScope.get(group).push(k);
  }
  return byScope;
}

// The part of a graph that is there several times in a row, as the layers of a transformer are: {first, size, count}, or
// null where that is not most of it.
function repeatedPart(state, ordered) {
  const ops = ordered.map((k) => state.nodes.get(k).o), n = ops.length;
  let best = null;
  for (let size = 3; size <= Math.min(400, n >> 1); ++size) {
    let length = 0;
    for (let at = 0; at <= n - size; ++at) {
      if (at < n - size && ops[at] === ops[at + size]) {
        ++length;
        continue;
      }
      const count = Math.floor(length / size) + 1;
      // A shorter part that covers nearly as much is the one that repeats.
      if (count > 1 && new Set(ops.slice(at - length, at - length + size)).size > 1 && (!best || count * size > 1.1 * best.count * best.size))
        best = { first: at - length, size, count };
      length = 0;
    }
  }
  return best && best.count * best.size * 2 > n && best.count <= 50 ? best : null;
}

function partsOf(state, ordered, scope, most) {
  const parts = [], add = (title, from, to) => {
    if (to > from) parts.push({ title, scope, keys: ordered.slice(from, to) });
  };
  const part = repeatedPart(state, ordered);
  if (part) {
    const end = part.first + part.size * part.count;
    add("before the parts", 0, part.first);
    for (let i = 0; i < part.count; ++i)
      add(`part ${i + 1} of ${part.count}`, part.first + i * part.size, part.first + (i + 1) * part.size);
    add("behind the parts", end, ordered.length);
    return parts;
  }
  const size = Math.ceil(ordered.length / Math.min(most, 30));
  for (let at = 0; at < ordered.length; at += size)
    add(`nodes ${at + 1} to ${Math.min(at + size, ordered.length)}`, at, at + size);
  return parts;
}

// Many nodes as groups: by scopes, by the parts that repeat, or else in runs along the graph. One scope that holds most of
// the graph is shown by what is in it. Gives [{title, keys}], single nodes as groups of one.
function groupsOf(state, keys, scope, most) {
  const ordered = GraphStates.ordered(state, keys), few = 12;
  const byScope = scopesOf(state, ordered, scope);
  for (let largest; byScope.size <= few; byScope.delete(largest)) {
    largest = [...byScope.keys()].filter((s) => !s.startsWith("#"))
      .find((s) => byScope.get(s).length > few && byScope.get(s).length * 2 > ordered.length);
    const inside = largest && scopesOf(state, byScope.get(largest), largest);
    if (!inside || byScope.size + inside.size > most) break;
    for (const [s, list] of inside) byScope.set(s, list);
  }
  const hasScopes = [...byScope.keys()].some((s) => !s.startsWith("#"));
  if (byScope.size <= most && (hasScopes || byScope.size <= 2 * few))
    return [...byScope].map(([scope, list]) => ({ title: scope.startsWith("#") ? "" : scope, scope, keys: list }));
  return partsOf(state, ordered, scope, most);
}

// "12 Add, 5 Relu, …"
function operationsText(state, keys) {
  const count = new Map();
  for (const k of keys) count.set(state.nodes.get(k).o, (count.get(state.nodes.get(k).o) || 0) + 1);
  const list = [...count].sort((a, b) => b[1] - a[1]).slice(0, 3).map(([o, n]) => `${n} ${o}`);
  return list.join(", ") + (count.size > 3 ? ", …" : "");
}

// Nodes that changed and lie side by side are one place. In the order of the graph.
function placesOf(states, s) {
  const step = states.steps[s];
  const keys = [...step.made, ...step.changed, ...step.gone];
  if (keys.length === 0) return step.inferred.length ? [step.inferred] : [];
  // Where most of a large graph differs there are no places.
  if (keys.length > 500 && keys.length * 2 > states.state(s).nodes.size) return [keys];
  const before = states.state(s - 1), after = states.state(s);
  const parent = new Map(keys.map((k) => [k, k]));
  const root = (k) => {
    while (parent.get(k) !== k) {
      parent.set(k, parent.get(parent.get(k)));
      k = parent.get(k);
    }
    return k;
  };
  for (const k of keys)
    for (const state of [before, after])
      for (const from of (state.nodes.get(k) || {}).i || [])
        if (from && parent.has(from[0])) parent.set(root(k), root(from[0]));
  const places = new Map();
  for (const k of keys.sort((a, b) => a - b)) {
    const r = root(k);
    if (!places.has(r)) places.set(r, []);
    places.get(r).push(k);
  }
  return [...places.values()];
}
