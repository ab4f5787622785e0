"use strict";
// What the page shows of a run, a section each: {title, wide, draw(body, run, over)}. A body keeps what draw leaves in it.

/** Says what would be here. */
function missing(body, text) {
  body.kept = null;
  fill(body, el("p", {class: "note"}, text));
}

/** Made once for a body, which shows it until something is missing. */
function kept(body, make) {
  if (!body.kept) {
    body.kept = make();
    fill(body, body.kept.element);
  }
  return body.kept;
}

/** A curve, or several; choose gives series, none says what it takes to have some. */
function curve(label, choose, none, more) {
  return (body, run, over) => {
    const series = choose(run, over).filter(s => s.points.length);
    if (!series.length) { missing(body, none); return; }
    const chart = kept(body, () => new Chart(label, {axis: () => AXES[page.over], hiddenMarks: ["model", "checkpoint"], ...more}));
    chart.draw(series, more && more.noMarks ? [] : run.marks(over));
  };
}

/** One of several curves, which a list chooses; each {name, series(run, over), format}. */
function curves(label, all, none) {
  return (body, run, over) => {
    const there = all.filter(one => one.series(run, over).some(s => s.points.length));
    if (!there.length) { missing(body, none); return; }
    const made = kept(body, () => {
      const select = el("select", {"aria-label": label});
      const place = el("div");
      select.addEventListener("change", () => page.redraw());
      return {element: el("div", {}, select, place), select, place};
    });
    const names = there.map(one => one.name);
    if (made.names !== names.join()) {
      const chosen = made.select.value;
      made.names = names.join();
      fill(made.select, names.map(name => el("option", {value: name}, name)));
      if (names.includes(chosen)) made.select.value = chosen;
    }
    const one = there.find(o => o.name === made.select.value);
    if (made.shown !== one.name) { made.shown = one.name; made.place.kept = null; }
    const chart = kept(made.place, () => new Chart(one.name, {axis: () => AXES[page.over], hiddenMarks: ["model", "checkpoint"],
      range: fromZero, format: one.format}));
    chart.draw(one.series(run, over), run.marks(over));
  };
}

function fromZero(u, low, high) { return [0, high * 1.05 || 1]; }

/** One line of a field of progress. */
function ofProgress(name, field, format) {
  return {name, format, series: (run, over) => [{name, points: run.points("progress", field, over)}]};
}

const QUALITY = [
  {title: "How well it predicts", wide: true, draw: curve("Accuracy before an example is learned, and on the hold-out set",
    (run, over) => run.isRegression
      ? [{name: "RMSE of the latest examples", points: run.points("progress", "window_rmse", over)},
         {name: "RMSE on the hold-out set", points: run.points("holdout", "rmse", over), dots: true}]
      : [{name: "accuracy on the latest examples", points: run.points("progress", "window_accuracy", over)},
         {name: "accuracy on the hold-out set", points: run.points("holdout", "accuracy", over), dots: true}],
    "There is no measure yet.", {height: 280})},
  {title: "Loss", draw: curve("Mean loss", (run, over) => [
    {name: "of the latest examples", points: run.points("progress", "window_loss", over)},
    {name: "on the hold-out set", points: run.points("holdout", "loss", over), dots: true}], "There is no measure yet.")},
  {title: "Throughput and lag", draw: curves("Throughput and lag", [
    {name: "examples a second", series: (run, over) => [{name: "examples a second", points: run.speeds(over)}]},
    ofProgress("lag: age of the oldest record of a round", "lag", value => format.millis(value)),
    ofProgress("lag: records yet to be read", "pending")], "It takes two records of progress.")},
];

/** The figures on top. */
function tiles(run) {
  const progress = run.latest("progress") || {}, holdout = run.latest("holdout"), begun = run.latest("run");
  const rate = run.rates.length ? run.rates.slice(-5).reduce((sum, r) => sum + r.rate, 0) / Math.min(5, run.rates.length) : undefined;
  const facts = [["examples learned", format.count(progress.examples)], ["examples a second", format.count(rate)],
    run.isRegression ? ["RMSE of the latest", format.number(progress.window_rmse)] : ["accuracy on the latest", format.share(progress.window_accuracy)],
    holdout ? [run.isRegression ? "RMSE on the hold-out set" : "accuracy on the hold-out set", run.isRegression ? format.number(holdout.rmse) : format.share(holdout.accuracy)] : null,
    progress.lag === undefined ? null : ["lag", format.millis(progress.lag)],
    progress.pending === undefined ? null : ["records yet to be read", format.count(progress.pending)],
    ["records rejected", format.count(progress.rejected)],
    begun ? ["replicas", format.count(begun.replicas)] : null, ["model", format.version(progress)],
    ["time", run.last ? format.duration(run.last.time - run.begin) : "–"]];
  return el("dl", {class: "tiles"}, facts.filter(f => f).map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value))));
}
