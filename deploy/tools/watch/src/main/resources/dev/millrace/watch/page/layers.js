"use strict";
// The layers of the network.

/** Counts as bars, from low to high. */
function histogram(name, told) {
  const most = Math.max(...told.bins, 1);
  const text = name + ": from " + format.number(told.low) + " to " + format.number(told.high) + ", mean " + format.number(told.mean)
    + ", deviation " + format.number(told.deviation);
  return el("figure", {class: "histogram"}, el("figcaption", {}, name),
    el("div", {class: "bars", role: "img", "aria-label": text, title: text},
      told.bins.map(count => el("i", {style: "height:" + (count ? Math.max(2, 100 * count / most) : 0).toFixed(1) + "%"}))),
    el("p", {class: "ends"}, el("span", {}, format.number(told.low)), el("span", {}, format.number(told.high))));
}

function histograms(layer) {
  return (layer.tensors || []).flatMap(t => [histogram("weights " + t.tensor, t.weights), histogram("updates " + t.tensor, t.updates)])
    .concat(layer.activations ? [histogram("activations", layer.activations)] : []);
}

function layersTable(record) {
  return table("Layers", [{name: "layer"}, {name: "units", number: true}, {name: "dead", number: true},
    {name: "effective rank", number: true}, {name: "norm", number: true}, {name: "update ratio", number: true}],
    record.layers.map(l => [l.layer, format.count(l.units), format.percent(l.deadShare),
      format.number(l.effectiveRank), format.number(l.weightNorm), format.number(l.updateRatio)]));
}

function updateRatios(run, over) {
  return run.latest("layers").layers.slice(0, 8).map(layer => ({name: layer.layer, points: run.points("layers", record => {
    const found = (record.layers || []).find(l => l.layer === layer.layer);
    return found && found.updateRatio > 0 ? found.updateRatio : undefined;
  }, over)}));
}

const LAYERS = [
  {title: "Layers", wide: true, draw(body, run, over) {
    const record = run.latest("layers");
    if (!record || !record.layers.length) return "Layers are measured each tenth time that metrics.interval has passed.";
    const made = kept(body, () => {
      const select = el("select", {"aria-label": "Layer"});
      select.addEventListener("change", () => page.redraw());
      const one = {select, table: el("div"), histograms: el("div", {class: "histograms"}),
        chart: runChart("Update ratio of each layer", {y: "a step's updates by the weights; about 0.001 is usual", logarithmic: true, format: value => value.toExponential(0)})};
      one.element = el("div", {}, one.table, el("h3", {}, "Update ratio"), one.chart.element,
        el("h3", {}, "Histograms of ", select), one.histograms);
      return one;
    });
    const names = record.layers.map(l => l.layer).join();
    if (made.names !== names) {
      made.names = names;
      fill(made.select, record.layers.map(l => el("option", {value: l.layer}, l.layer)));
    }
    if (made.record !== record) fill(made.table, layersTable(record));
    made.chart.draw(updateRatios(run, over), []);
    if (made.record !== record || made.layer !== made.select.value) {
      fill(made.histograms, histograms(record.layers.find(l => l.layer === made.select.value)));
    }
    made.record = record;
    made.layer = made.select.value;
  }},
];
