"use strict";
// Charts of a report: each figure has in JSON what it shows.

const AT_ONCE = 1e-9;

/** Vertical parts of a curve have one x; uPlot wants different ones. */
function apart(points) {
  let last = -Infinity;
  return points.map(([x, y]) => { last = x > last ? x : last + AT_ONCE; return [last, y]; });
}

const KINDS = {
  bars: {colour: "--line", fill: "--line", stepped: true},
  reference: {colour: "--quiet", dash: [4, 4]},
};

document.documentElement.dataset.theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
for (const figure of document.querySelectorAll("figure.plot")) {
  const told = JSON.parse(figure.firstElementChild.textContent);
  const axis = {name: told.x, tick: format.short, hover: value => told.x + " " + format.number(value)};
  const chart = new Chart(told.label, {axis: () => axis, y: told.y, height: 340, format: format.number,
    range: () => [0, told.mostY], rangeX: () => [0, told.mostX]});
  fill(figure, chart.element);
  // Bars are behind lines.
  const lines = told.series.filter(s => !s.kind);
  const drawn = told.series.map(s => ({name: s.name, points: apart(s.points), dots: !s.kind && s.points.length <= 20,
    colour: COLOURS[lines.indexOf(s)], ...KINDS[s.kind]}));
  chart.draw([...drawn.filter(s => s.fill), ...drawn.filter(s => !s.fill)], []);
}
