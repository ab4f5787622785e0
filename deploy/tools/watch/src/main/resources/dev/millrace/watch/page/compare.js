"use strict";
// Several runs beside each other: a measure of each, and the options that differ.

/** What runs are compared by: series of one run, the first a solid line, the second a dashed one. */
const COMPARED = [
  ...MEASURES.map(measure => ({name: measure.name, series: (run, over) => latestAndHoldOut(run, over, measure).map(s => s.points)})),
  {name: "examples a second", series: (run, over) => [run.speeds(over)]},
  {name: "lag", format: value => format.millis(value), series: (run, over) => [run.points("progress", "lag", over)]},
  {name: "time from round to round", format: value => format.millis(value), series: (run, over) => [run.points("progress", "duration", over)]},
];

/** How many are compared unless somebody chooses. */
const AT_FIRST = 4;

const COMPARE = [
  {title: "Compare runs", wide: true, draw(body, run, over) {
    const all = [...page.runs.values()];
    if (all.length < 2) return "It takes two runs.";
    const made = kept(body, () => {
      const one = {chosen: new Set(all.slice(-AT_FIRST).map(r => r.id)), choice: el("ul", {class: "legend"}),
        select: el("select", {"aria-label": "Measure"}), place: el("div"), differences: el("div")};
      one.select.addEventListener("change", () => page.redraw());
      one.element = el("div", {}, one.select, one.choice, one.place, one.differences);
      return one;
    });
    if (made.known !== all.map(r => r.id).join()) {
      made.known = all.map(r => r.id).join();
      fill(made.choice, all.map(r => choose(r, made.chosen)));
    }
    const shown = all.filter(r => made.chosen.has(r.id));
    const there = COMPARED.filter(one => shown.some(r => one.series(r, over).some(points => points.length)));
    const names = there.map(one => one.name);
    if (made.names !== names.join()) {
      const before = made.select.value;
      made.names = names.join();
      fill(made.select, names.map(name => el("option", {value: name}, name)));
      if (names.includes(before)) made.select.value = before;
    }
    const by = there.find(one => one.name === made.select.value);
    if (made.shown !== by) { made.shown = by; made.place.kept = null; fill(made.place); }
    if (by) {
      kept(made.place, () => runChart("Runs compared by " + by.name, {y: by.name, height: 260, format: by.format})).draw(shown.flatMap((r, i) =>
        by.series(r, over).map((points, k) => ({name: r.title + (k ? ", hold-out set" : ""), points, colour: COLOURS[i % COLOURS.length], dash: k ? [6, 4] : undefined, dots: k > 0}))));
    }
    drawDifferences(made.differences, shown);
  }},
];

function choose(run, chosen) {
  const box = el("input", {type: "checkbox"});
  box.checked = chosen.has(run.id);
  box.addEventListener("change", () => {
    if (box.checked) chosen.add(run.id); else chosen.delete(run.id);
    page.redraw();
  });
  return el("li", {}, el("label", {}, box, " ", run.title));
}

function drawDifferences(place, runs) {
  const options = runs.map(run => run.options);
  const keys = [...new Set(options.flatMap(o => Object.keys(o)))].sort();
  const differing = keys.filter(key => new Set(options.map(o => o[key])).size > 1);
  fill(place, runs.length < 2 ? null : differing.length
    ? table("Options that differ", [{name: "option"}, ...runs.map(run => ({name: run.title}))],
      differing.map(key => [key, ...options.map(o => o[key] === undefined ? "–" : o[key])]))
    : el("p", {class: "note"}, "No option differs."));
}
