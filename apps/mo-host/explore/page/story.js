"use strict";
// The top: what was converted, what came of it, and what went wrong.
function showStory(page) {
  const { about, numbers } = page.data, root = byId("story");
  const facts = [
    ["model", about.model + (about.modelBytes ? ` (${bytesText(about.modelBytes)})` : "")],
    ["framework", about.framework],
    ["target", about.target],
    ["layers", about.layers && `${about.layers} from ${about.sourceNodes} nodes of the model`],
    ["plugins", (about.plugins || []).map((p) => `${p.id} ${p.version}`).join(", ")],
    ["options", about.options.map(([name, value]) => `${name} ${value}`).join("  ")],
    ["files", (about.files || []).map((f) => `${f.path} (${bytesText(f.bytes)})`).join("\n")],
    ["mo-host", about.program],
  ].filter(([, value]) => value);
  root.append(element("h2", {}, about.failure ? "Not converted" : "Converted"));
  if (about.failure) root.append(failureBox(page, about.failure));
  root.append(element("table", { class: "facts" }, element("tbody", {}, facts.map(([name, value]) =>
    element("tr", {}, element("th", { scope: "row" }, name), element("td", {}, value))))));
  for (const n of about.needed || [])
    root.append(element("p", {}, `The runtime must know ${n.op} (${n.layers} layers), from ${n.plugin}.`));
  if (numbers) root.append(element("p", { class: numbers.equal ? "good" : "bad" }, verdictText(numbers)));
  if (about.messages.length)
    root.append(element("h2", {}, "Warnings"), element("ul", {}, about.messages.map((m) =>
      element("li", { class: m.level === "error" ? "bad" : null }, m.plugin ? `[${m.plugin}] ` : "", m.text))));
  root.append(element("h2", {}, "Phases"), phasesTable(about.phases));
  showWeights(page, root);
  const slowest = page.data.pipeline.filter((t) => t.ms !== undefined).sort((a, b) => b.ms - a.ms).slice(0, 10);
  if (slowest.length)
    root.append(element("h2", {}, "Transformations that took the longest"), table(["transformation", "#ms", "#applied"],
      slowest.map((t) => [page.pipeline.link(t.id), t.ms.toFixed(2), `${t.matches || 0}`])));
}

function showWeights(page, root) {
  const { states } = page, weights = [];
  for (const [k, node] of states.state(states.last).nodes) {
    const { text } = states.tensor(node, 0), bytes = isConstant(node) ? bytesOf(text) : undefined;
    if (bytes) weights.push({ k, text, bytes });
  }
  if (weights.length === 0) return;
  weights.sort((a, b) => b.bytes - a.bytes);
  const all = weights.reduce((n, w) => n + w.bytes, 0);
  root.append(element("h2", {}, "Largest constants"),
    element("p", {}, `${weights.length} constants of ${bytesText(all)}; equal ones are written once.`),
    table(["constant", "type and shape", "#bytes", "#part"], weights.slice(0, 10).map((w) =>
      [page.details.link(w.k), w.text, bytesText(w.bytes), `${(100 * w.bytes / all).toFixed(1)} %`])));
}

function phasesTable(phases) {
  const longest = Math.max(...phases.map((p) => p.ms), 1e-6);
  return table(["phase", "#ms", "", "#peak memory"], phases.map((p) =>
    [p.name, p.ms.toFixed(1), element("span", { class: "bar", style: `width:calc(min(160px, 22vw) * ${(p.ms / longest).toFixed(3)})` }),
      p.peakKib ? bytesText(p.peakKib * 1024) : ""]));
}

function failureBox(page, f) {
  const lines = f.context.map(([label, text]) =>
    element("tr", {}, element("th", { scope: "row" }, label), element("td", {}, ...page.withLinks(text))));
  return element("div", { class: "failure", role: "alert" }, element("b", {}, `${f.code}: ${f.message}`),
    element("div", { class: "dim" }, `in the phase ${f.phase || "last shown"}`), element("table", {}, element("tbody", {}, lines)));
}

function verdictText(n) {
  if (n.equal) return `The result computes what the source computes: ${n.compared} of ${n.outputs.length} outputs compared, tolerance ${n.tolerance}.`;
  return `The result does not compute what the source computes${n.first ? `: outputs differ since ${n.first}` : ""}.`;
}

function showNumbers(page) {
  const { numbers } = page.data, root = byId("numbers");
  if (!numbers) return void root.append(element("p", {}, "Nothing was computed: mo-host explore --verify runs the model and its conversion."));
  root.append(element("p", { class: numbers.equal ? "good" : "bad" }, verdictText(numbers)));
  const bad = numbers.layers.find((l) => l.good === false);
  if (bad) {
    const culprit = page.changedBy(bad.node);
    root.append(element("p", { class: "bad", id: "first-differs" }, "The first layer that differs is ",
      page.nodeLink(bad.node), culprit.length ? ["; it was made or changed by ", culprit] : ""));
  }
  if (numbers.first && page.pipeline.has(numbers.first.split(", ")[0]))
    root.append(element("p", { class: "bad" }, "Outputs differ since ", numbers.first.split(", ").map((id) => [page.pipeline.link(id), " "])));
  for (const line of numbers.withoutValues) root.append(element("p", { class: "dim" }, `No values: ${line}`));
  const row = (d, name) => [name, d.missing || d.problem ? "" : `${formatted(d.largest)}`,
    d.missing || d.problem ? "" : `${formatted(d.relative)}`,
    d.missing || d.problem ? `not compared: ${d.missing || d.problem}` : d.good ? "equal" : element("b", { class: "bad" }, "differs")];
  const columns = ["", "#largest difference", "#relative", ""];
  root.append(element("h2", {}, "Outputs"), table(columns, numbers.outputs.map((o) => row(o, o.name))));
  root.append(element("h2", {}, "Layers, in the order they are computed"),
    numbers.layers.length ? table(columns, numbers.layers.map((l) => row(l, page.nodeLink(l.node))))
      : element("p", {}, "No tensor of the result has a name that the source has, too."));
}

function showConfigured(page) {
  const { configured } = page.data, root = byId("configured");
  if (!configured) return void root.append(element("p", {}, "The conversion had no --transformations_config."));
  for (const c of configured) {
    const hit = Boolean(c.nodes);
    root.append(element("details", { class: `entry ${hit ? "" : "idle"}`, open: !hit },
      element("summary", {}, element("b", {}, c.id), element("span", {}, c.instance || c.kind),
        element("span", { class: hit ? "good" : "bad" }, hit ? `${c.nodes.length} nodes` : "no match"),
        element("small", {}, c.place)),
      c.operation ? element("p", {}, `becomes one ${c.operation}`) : "",
      hit ? element("button", { type: "button", click: () => page.graph.showConfigured(c) }, "Show as a frame")
        : element("p", {}, "The match stopped: ", ...page.withLinks(c.why || ""))));
  }
}
