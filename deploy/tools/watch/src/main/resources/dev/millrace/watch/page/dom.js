"use strict";
// uPlot 1.6.30 copies what it is given into every object there is, if a key is __proto__ (CVE-2024-21489).
Object.freeze(Object.prototype);
// Elements made of text alone: nothing that a record holds can become markup.

/** An element with attributes; children are elements, or anything else, which becomes text. */
function el(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value !== undefined && value !== null) element.setAttribute(name, value);
  }
  for (const child of children.flat()) {
    if (child === undefined || child === null) continue;
    element.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
  return element;
}

/** Replaces all that an element has. */
function fill(element, ...children) {
  element.replaceChildren(...children.flat().filter(child => child !== undefined && child !== null)
    .map(child => child instanceof Node ? child : document.createTextNode(String(child))));
}

/** A table; columns are {name, number} and rows arrays of cells. */
function table(caption, columns, rows) {
  return el("div", {class: "scroll", tabindex: "0", role: "region", "aria-label": caption},
    el("table", {},
      el("caption", {class: "hidden"}, caption),
      el("thead", {}, el("tr", {}, columns.map(c => el("th", {scope: "col", class: c.upright ? "n upright" : c.number ? "n" : undefined}, el("span", {}, c.name))))),
      el("tbody", {}, rows.map(row => el("tr", {class: row.mark},
        (row.cells || row).map((cell, i) => el("td", {class: columns[i].number ? "n" : "text"}, cell)))))));
}
