"use strict";
// Several runs beside each other: their curves, and the options that differ.

function compareSection(runs) {
  const body = el("div");
  const chosen = new Set(runs.slice(0, 4).map(run => run.id));
  const choice = el("ul", {class: "legend"});
  const chart = new Chart("Runs compared", {axis: () => AXES[page.over], height: 260});
  const differences = el("div");
  fill(body, choice, chart.element, differences);
  let known = "";
  return {
    element: el("section", {class: "wide", "aria-label": "Compare"}, el("h2", {}, "Compare"), body),
    draw(all, over) {
      if (known !== all.map(run => run.id).join()) {
        known = all.map(run => run.id).join();
        fill(choice, all.map(run => {
          const box = el("input", {type: "checkbox"});
          box.checked = chosen.has(run.id);
          box.addEventListener("change", () => {
            if (box.checked) chosen.add(run.id); else chosen.delete(run.id);
            page.redraw();
          });
          return el("li", {}, el("label", {}, box, " ", run.title));
        }));
      }
      const shown = all.filter(run => chosen.has(run.id));
      const field = shown.some(run => run.isRegression) ? "window_rmse" : "window_accuracy";
      chart.draw(shown.map(run => ({name: run.title, points: run.points("progress", field, over)})), []);
      drawDifferences(differences, shown);
    },
  };
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
