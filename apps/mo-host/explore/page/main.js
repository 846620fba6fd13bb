"use strict";
// The page: what is chosen, and how one moves.
class Page {
  constructor(data) {
    this.data = data;
    // Those that did nothing are told in short: id, plugin, phase, why, and the time of those that ran.
    data.pipeline = data.pipeline.map((t) => !Array.isArray(t) ? t
      : { id: t[0], plugin: data.texts[t[1]], phase: data.texts[t[2]], [t.length > 4 ? "idle" : "notRun"]: data.texts[t[3]], ms: t[4] });
    this.states = new GraphStates(data);
    this.provenance = new Provenance(this.states);
    this.step = Math.max(0, this.states.last);
    this.node = null;
    this.differences = new Map(((data.numbers || {}).layers || []).map((l) => [l.node, l]));
    this.final = this.states.state(this.states.last).names;
    this.mainGraph = data.steps.length && data.steps[0].nodes.length ? data.steps[0].nodes[0].g : 0;
    // What is called "model", as many are, is told by its folder.
    const [folder, file] = data.about.model.split("/").slice(-2), { name } = data.about;
    const title = file && file.startsWith(`${name}.`) && folder && /^(model|saved_model|frozen.*|net|graph)$/.test(name) ? `${folder}/${file}` : name;
    document.title = `${title}: mo-host explore`;
    byId("title").textContent = title;
    this.pipeline = new Pipeline(this);
    this.details = new Details(this);
    this.graph = data.steps.length ? new GraphTab(this) : null;
    this.search = new Search(this);
    this.#tabs();
    showStory(this);
    this.pipeline.show();
    showNumbers(this);
    showConfigured(this);
    this.#help();
    this.#scheme();
    document.addEventListener("keydown", (e) => this.#key(e));
    window.addEventListener("beforeprint", () => this.#print(true));
    window.addEventListener("afterprint", () => this.#print(false));
    window.addEventListener("hashchange", () => this.#followHash());
    this.#followHash();
  }

  // What is printed has all parts, and a graph that is hidden has no size to be drawn in.
  #print(begins) {
    if (!this.graph) return;
    byId("graph").hidden = !begins && this.tab !== "graph";
    this.graph.show();
  }

  #tabs() {
    const names = [["story", "Story"], ["pipeline", "Pipeline"], ["graph", "Graph"]];
    if (this.data.numbers) names.push(["numbers", "Numbers"]);
    if (this.data.configured) names.push(["configured", "Configured"]);
    this.tabs = names.filter(([id]) => id !== "graph" || this.graph).map(([id]) => id);
    for (const [id, title] of names) {
      if (!this.tabs.includes(id)) continue;
      byId("tabs").append(element("button", { type: "button", role: "tab", id: `tab-${id}`, "aria-controls": id,
        click: () => this.showTab(id) }, title));
    }
    byId("tabs").addEventListener("keydown", (e) => {
      const by = e.key === "ArrowRight" ? 1 : e.key === "ArrowLeft" ? -1 : 0;
      if (by === 0) return;
      const to = this.tabs[(this.tabs.indexOf(this.tab) + by + this.tabs.length) % this.tabs.length];
      this.showTab(to);
      byId(`tab-${to}`).focus();
    });
  }

  showTab(id) {
    if (this.tab === id || !this.tabs.includes(id)) return;
    this.tab = id;
    for (const t of this.tabs) {
      byId(t).hidden = t !== id;
      byId(`tab-${t}`).setAttribute("aria-selected", `${t === id}`);
      byId(`tab-${t}`).setAttribute("tabindex", t === id ? 0 : -1);
    }
    if (id === "graph") {
      if (!this.graph.placeList) this.graph.stepChanged();
      this.graph.show();
    }
    this.#rememberPlace();
  }

  stepTitle(s) {
    const step = this.data.steps[s];
    if (step.members.length) return step.label;
    return s === 0 ? "the model as it was read" : `mo-host: ${step.label}`;
  }

  setStep(s) {
    this.step = s;
    if (this.graph) this.graph.stepChanged();
  }

  // Step `s` in the graph, with what it changed in the middle.
  goTo(s) {
    this.setStep(s);
    const first = this.graph.places()[0];
    this.node = first && this.graph.mode === "place" ? first.find((k) => this.states.node(k, s)) ?? first[0] : this.node;
    if (this.tab === "graph") this.graph.show();
    else this.showTab("graph");
    this.#rememberPlace();
  }

  // `isCentre`: it is brought to the middle, in a graph in which it is.
  choose(k, isCentre, step) {
    this.node = k;
    if (isCentre) {
      let s = step === undefined ? this.step : step;
      if (!this.states.node(k, s) && !this.states.node(k, s - 1)) {
        const there = this.states.history(k).filter((v) => v.node);
        s = there.length ? there[there.length - 1].step : s;
      }
      if (s !== this.step) this.setStep(s);
      this.graph.places();
      this.graph.around(k);
      if (this.tab === "graph") this.graph.show();
      else this.showTab("graph");
    } else {
      this.details.show(k);
      this.graph.mark();
    }
    this.#rememberPlace();
  }

  nameOf(k) {
    const list = this.states.history(k).filter((v) => v.node);
    return list.length ? list[list.length - 1].node.n : "?";
  }

  // A node of the result by its name.
  nodeLink(name) {
    const k = this.final.get(name);
    return k === undefined ? name : element("button", { type: "button", class: "link", "data-node": k,
      click: () => this.choose(k, true, this.states.last) }, name);
  }

  changedBy(name) {
    const k = this.final.get(name);
    const steps = k === undefined ? [] : this.states.history(k).map((v) => v.step);
    const ids = new Set(steps.flatMap((s) => {
      const by = this.data.steps[s].by[k];
      return by === undefined ? this.data.steps[s].members : [by];
    }));
    return [...ids].map((m) => [this.pipeline.link(this.data.pipeline[m].id), " "]);
  }

  // Names in quotes that are those of nodes, wherever in time, lead there.
  withLinks(text) {
    if (!this.everyName) {
      this.everyName = new Map();
      for (const [k, versions] of this.states.versions)
        for (const v of versions) if (v.node) this.everyName.set(v.node.n, k);
    }
    return text.split(/'([^']*)'/).map((part, i) => {
      if (i % 2 === 0) return part;
      const k = this.everyName.get(part);
      return k === undefined ? `'${part}'` : this.details.link(k, part);
    });
  }

  #rememberPlace() {
    const parts = [`tab=${this.tab}`, `step=${this.step}`];
    if (this.node !== null) parts.push(`node=${this.node}`);
    this.hash = `#${parts.join("&")}`;
    history.replaceState(null, "", this.hash);
  }

  #followHash() {
    if (location.hash === this.hash && this.hash) return;
    const wanted = new URLSearchParams(location.hash.slice(1));
    const step = Number.parseInt(wanted.get("step"), 10), node = Number.parseInt(wanted.get("node"), 10);
    if (this.graph && step >= 0 && step <= this.states.last) this.setStep(step);
    if (this.graph && this.states.versions.has(node)) {
      this.node = node;
      this.graph.around(node);
    }
    this.tab = undefined;
    this.showTab(this.tabs.includes(wanted.get("tab")) ? wanted.get("tab") : "story");
  }

  #key(e) {
    if (e.target.matches("input, select, textarea") || e.ctrlKey || e.metaKey || e.altKey) return;
    const keys = {
      "/": () => byId("search").focus(),
      "?": () => byId("help").showModal(),
      j: () => this.graph && this.goTo(Math.min(this.states.last, this.step + 1)),
      k: () => this.graph && this.goTo(Math.max(0, this.step - 1)),
      "]": () => this.tab === "graph" && this.graph.movePlace(1),
      "[": () => this.tab === "graph" && this.graph.movePlace(-1),
      o: () => this.tab === "graph" && this.graph.overview(),
      c: () => this.tab === "graph" && byId("compare").click(),
      b: () => this.tab === "graph" && this.node !== null && this.graph.toggleBody(this.node),
      "+": () => this.tab === "graph" && this.graph.widen(1.5),
      "-": () => this.tab === "graph" && this.graph.widen(1 / 1.5),
      z: () => this.tab === "graph" && [this.graph.before, this.graph.after].forEach((d) => d.scaleBy(1.25)),
      Z: () => this.tab === "graph" && [this.graph.before, this.graph.after].forEach((d) => d.scaleBy(0.8)),
    };
    const number = "12345".indexOf(e.key);
    if (number >= 0 && e.key !== "" && this.tabs[number]) this.showTab(this.tabs[number]);
    else if (keys[e.key]) keys[e.key]();
    else return;
    e.preventDefault();
  }

  #help() {
    const rows = [["/", "search"], ["1 … 5", "parts of the page"], ["j k", "next change, change before"],
      ["[ ]", "places of a change"], ["o", "the whole graph, folded"], ["c", "before and after, or after alone"],
      ["+ -", "more or less around what is shown"], ["z Z", "larger, smaller"], ["b", "open or close the body of the chosen node"],
      ["arrows", "from node to node, when one has the focus"], ["Enter", "open a group or a body, or go on from a node"]];
    const help = byId("help");
    help.append(element("h2", {}, "Keys"), element("table", {}, element("tbody", {}, rows.map(([key, what]) =>
      element("tr", {}, element("td", {}, element("kbd", {}, key)), element("td", {}, what))))),
    element("form", { method: "dialog" }, element("button", {}, "Close")));
    byId("help-button").addEventListener("click", () => help.showModal());
  }

  #scheme() {
    const system = window.matchMedia("(prefers-color-scheme: dark)"), root = document.documentElement;
    root.classList.toggle("dark", system.matches);
    system.addEventListener("change", () => root.classList.toggle("dark", system.matches));
    byId("scheme").addEventListener("click", () => root.classList.toggle("dark"));
  }
}

const page = new Page(JSON.parse(byId("data").textContent));
