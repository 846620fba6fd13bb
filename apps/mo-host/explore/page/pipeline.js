"use strict";
// All transformations in their order: those that changed something, and the others folded away with a reason.
class Pipeline {
  constructor(page) {
    this.page = page;
    this.entries = page.data.pipeline;
    this.places = new Map(this.entries.map((t, i) => [t.id, i]));
    this.stepsOf = new Map();
    page.data.steps.forEach((step, s) => step.members.forEach((m) => {
      if (!this.stepsOf.has(m)) this.stepsOf.set(m, []);
      this.stepsOf.get(m).push(s);
    }));
  }

  has(id) { return this.places.has(id); }

  link(id) {
    return element("button", { type: "button", class: "link", "data-transformation": id, click: () => this.open(id) }, id);
  }

  show() {
    const root = byId("pipeline"), run = this.entries.filter((_, i) => this.stepsOf.has(i));
    root.append(element("h2", {}, `${run.length} of ${this.entries.length} transformations changed something`));
    let idle = [];
    const fold = () => {
      if (idle.length === 0) return;
      const list = idle;
      idle = [];
      // Hundreds of entries that few look at are made when somebody does.
      const details = element("details", { class: "entry idle" },
        element("summary", {}, `${list.length} that found nothing to do`));
      details.fill = () => {
        if (details.childElementCount === 1) details.append(...list.map((i) => this.#entry(i)));
      };
      details.ids = new Set(list);
      details.addEventListener("toggle", details.fill);
      root.append(details);
    };
    let phase = "";
    this.entries.forEach((t, i) => {
      if (t.phase !== phase) {
        fold();
        phase = t.phase;
        root.append(element("h2", {}, phase));
      }
      if (!this.stepsOf.has(i)) return void idle.push(i);
      fold();
      root.append(this.#entry(i));
    });
    fold();
  }

  #entry(i) {
    const t = this.entries[i], steps = this.stepsOf.get(i) || [];
    const facts = t.ms === undefined ? t.notRun
      : t.idle || `applied ${t.matches}, declined ${t.declined || 0}`;
    const summary = element("summary", {}, element("b", {}, t.id),
      element("span", { class: "dim" }, facts),
      t.ms === undefined ? "" : element("span", {}, `${t.ms.toFixed(2)} ms`),
      steps.length ? element("span", {}, `${t.nodesBefore} → ${t.nodesAfter} nodes`) : "");
    const details = element("details", { class: `entry ${steps.length ? "" : "idle"}`, id: `entry-${i}` }, summary,
      t.doc ? element("p", {}, t.doc)
        : element("p", { class: "dim" }, "What it does: ", element("code", {}, "mo-host list transformations --format=md")),
      t.before || t.after ? element("div", { class: "sketch" },
        element("div", {}, element("small", {}, "before"), element("pre", {}, t.before)),
        element("div", {}, element("small", {}, "after"), element("pre", {}, t.after))) : "",
      element("p", { class: "dim" }, t.place ? `${t.plugin}; ${t.place}` : t.plugin),
      (t.declines || []).length ? table(["declined", "why"], t.declines.map(([node, why]) =>
        [element("span", {}, ...this.page.withLinks(node)), why || "no reason given"])) : "");
    return element("div", { class: "with-buttons" }, details, steps.map((s) => element("button", { type: "button",
      "data-step": s, "aria-label": `Show ${t.id} in the graph`, click: () => this.page.goTo(s) }, "Show")));
  }

  open(id) {
    this.page.showTab("pipeline");
    const i = this.places.get(id);
    for (const folded of byId("pipeline").querySelectorAll("details.idle"))
      if (folded.ids && folded.ids.has(i)) {
        folded.fill();
        folded.open = true;
      }
    for (const e of document.querySelectorAll(".entry.chosen")) e.classList.remove("chosen");
    const entry = byId(`entry-${i}`);
    entry.open = true;
    entry.classList.add("chosen");
    entry.scrollIntoView({ block: "center" });
    entry.querySelector("summary").focus();
  }
}
