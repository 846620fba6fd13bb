"use strict";
// Transformations by id, nodes by name, operation or tensor name: as the graph is shown, and as it became.
class Search {
  constructor(page) {
    this.page = page;
    this.input = byId("search");
    this.list = byId("found");
    this.at = -1;
    this.input.addEventListener("input", () => this.update());
    this.input.addEventListener("keydown", (e) => this.#key(e));
    this.input.addEventListener("blur", () => setTimeout(() => this.close(), 150));
  }

  // First what is called exactly so, then what begins so, then what has it inside.
  find(text) {
    const wanted = text.toLowerCase(), most = 60;
    if (wanted === "") return [];
    const ranks = [[], [], []], { states } = this.page, seen = new Set();
    const shown = states.state(this.page.step);
    for (const [state, when] of [[shown, ""], [states.state(states.last), "in the result"], [states.state(0), "in the model"]])
      for (const [k, n] of state.nodes) {
        const rank = seen.has(k) ? -1 : this.#rank(n, wanted);
        if (rank < 0 || ranks[rank].length >= most) continue;
        seen.add(k);
        ranks[rank].push({ kind: n.o, text: n.n, when, go: () => this.page.choose(k, true, when === "in the result" ? states.last : when ? 0 : undefined) });
      }
    const transformations = [[], [], []];
    for (const t of this.page.data.pipeline) {
      const id = t.id.toLowerCase(), last = id.slice(id.lastIndexOf(".") + 1);
      const rank = id === wanted || last === wanted ? 0 : id.startsWith(wanted) || last.startsWith(wanted) ? 1 : id.includes(wanted) ? 2 : -1;
      if (rank >= 0 && transformations[rank].length < 20)
        transformations[rank].push({ kind: "transformation", text: t.id, go: () => this.page.pipeline.open(t.id) });
    }
    return [...ranks[0], ...transformations[0], ...ranks[1], ...transformations[1], ...transformations[2], ...ranks[2]].slice(0, most);
  }

  #rank(n, wanted) {
    const names = [n.n, ...(n.t || []).flatMap((out) => out[1] || [])].map((name) => name.toLowerCase()), op = n.o.toLowerCase();
    if (names.includes(wanted)) return 0;
    if (op === wanted || names.some((name) => name.startsWith(wanted))) return 1;
    return op.includes(wanted) || names.some((name) => name.includes(wanted)) ? 2 : -1;
  }

  update() {
    this.found = this.find(this.input.value.trim());
    this.at = this.found.length ? 0 : -1;
    this.list.replaceChildren(...this.found.map((f, i) => element("li", { role: "option", id: `found-${i}`,
      "aria-selected": `${i === this.at}`, mousedown: () => this.#take(i) }, f.text, " ", element("small", {}, f.kind, " ", f.when))));
    if (this.input.value.trim() && this.found.length === 0)
      this.list.append(element("li", { class: "dim" }, "Nothing is called so"));
    this.list.hidden = this.input.value.trim() === "";
    this.input.setAttribute("aria-expanded", `${!this.list.hidden}`);
  }

  #key(e) {
    if (e.key === "Escape") this.close();
    else if (e.key === "Enter" && this.at >= 0) this.#take(this.at);
    else if (e.key === "ArrowDown" || e.key === "ArrowUp") {
      if (!this.found || this.found.length === 0) return;
      this.at = (this.at + (e.key === "ArrowDown" ? 1 : -1) + this.found.length) % this.found.length;
      [...this.list.children].forEach((li, i) => li.setAttribute("aria-selected", `${i === this.at}`));
      this.list.children[this.at].scrollIntoView({ block: "nearest" });
      this.input.setAttribute("aria-activedescendant", `found-${this.at}`);
    } else return;
    e.preventDefault();
  }

  #take(i) {
    const one = this.found[i];
    this.close();
    this.input.blur();
    one.go();
  }

  close() {
    this.list.hidden = true;
    this.input.setAttribute("aria-expanded", "false");
  }
}
