"use strict";
// An element with its attributes and what is in it; functions are listeners.
function element(name, attributes, ...children) {
  const e = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (typeof value === "function") e.addEventListener(key, value);
    else if (key === "style") e.style.cssText = value;  // as an attribute the page's policy would refuse it
    else e.setAttribute(key, value === true ? "" : value);
  }
  e.append(...children.flat(Infinity).filter((c) => c !== null && c !== undefined && c !== ""));
  return e;
}

const byId = (id) => document.getElementById(id);

function table(columns, rows) {
  const numeric = columns.map((c) => c.startsWith("#"));
  const cells = (row) => row.map((cell, i) => element("td", { class: numeric[i] ? "number" : null }, cell));
  return element("table", {},
    element("thead", {}, element("tr", {}, columns.map((c, i) =>
      c === "" ? element("td") : element("th", { scope: "col", class: numeric[i] ? "number" : null }, c.replace("#", ""))))),
    element("tbody", {}, rows.map((row) => element("tr", {}, cells(row)))));
}

function bytesText(n) {
  if (n < 1e3) return `${n} B`;
  if (n < 1e6) return `${(n / 1e3).toFixed(1)} kB`;
  return n < 1e9 ? `${(n / 1e6).toFixed(1)} MB` : `${(n / 1e9).toFixed(2)} GB`;
}

// Of "f32[2,3]"; undefined where a size is open, or elements have none.
function bytesOf(text) {
  const [, type, dims] = /^([a-z]+\d*\w*) ?\[([\d, ]*)\]$/.exec(text || "") || [];
  if (type === undefined || type === "string") return undefined;
  const bits = type.startsWith("bool") ? 8 : +(/\d+/.exec(type) || [NaN])[0];
  const bytes = dims.split(",").filter((d) => d.trim()).reduce((n, d) => n * +d, 1) * bits / 8;
  return Number.isNaN(bytes) ? undefined : Math.ceil(bytes);
}

// The end of a name tells more than its middle.
function shortName(name, most) {
  if (name.length <= most) return name;
  const tail = Math.ceil(most * 0.65);
  return name.slice(0, most - tail - 1) + "…" + name.slice(-tail);
}
