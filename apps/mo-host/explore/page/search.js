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

  find(text) {
    const wanted = text.toLowerCase(), most = 60, found = [];
    if (wanted === "") return found;
    for (const t of this.page.data.pipeline)
      if (found.length < 20 && t.id.toLowerCase().includes(wanted))
        found.push({ kind: "transformation", text: t.id, go: () => this.page.pipeline.open(t.id) });
    const { states } = this.page, shown = states.state(this.page.step), seen = new Set();
    for (const [state, when] of [[shown, ""], [states.state(states.last), "in the result"], [states.state(0), "in the model"]])
      for (const [k, n] of state.nodes) {
        if (found.length >= most) return found;
        if (seen.has(k) || !this.#fits(n, wanted)) continue;
        seen.add(k);
        found.push({ kind: n.o, text: n.n, when, go: () => this.page.choose(k, true, when === "in the result" ? states.last : when ? 0 : undefined) });
      }
    return found;
  }

  #fits(n, wanted) {
    return n.n.toLowerCase().includes(wanted) || n.o.toLowerCase().includes(wanted) ||
      (n.t || []).some((out) => (out[1] || []).some((name) => name.toLowerCase().includes(wanted)));
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
