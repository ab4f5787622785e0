"use strict";
// How well the model predicts, and which classes it predicts badly.

/** Measures that are there of the latest examples, and of the hold-out set. */
const MEASURES = [
  {name: "accuracy", latest: "window_accuracy", holdOut: "accuracy"},
  {name: "RMSE", latest: "window_rmse", holdOut: "rmse"},
  {name: "loss", latest: "window_loss", holdOut: "loss"},
  {name: "AUC", latest: "window_auc", holdOut: "auc"},
  {name: "normalized entropy", latest: "window_normalizedEntropy", holdOut: "normalizedEntropy", y: "loss, relative to that of the mean share"},
  {name: "calibration ratio", latest: "window_calibrationRatio", holdOut: "calibrationRatio", y: "positive examples predicted, for each that came"},
];

function latestAndHoldOut(run, over, measure) {
  return [{name: "latest examples", points: run.points("progress", measure.latest, over)},
    {name: "hold-out set", points: run.points("holdout", measure.holdOut, over), dots: true}];
}

/** What a model has to be better than. */
function baselines(run, over) {
  return [{name: "baseline: most frequent class", colour: "--quiet", dash: [6, 4], points: run.points("confusion", "majority", over)},
    {name: "baseline: last label", colour: "--quiet", dash: [2, 3], points: run.points("confusion", "lastLabel", over)}];
}

/** What a newcomer can't know of the demo. */
function aboutDigits(run) {
  const digits = /^digits:(\d+)/.exec(run.options["evaluation.holdout"] || "");
  return digits && "Drawn digits, turned by a quarter from example " + format.count(digits[1] / 2)
    + " on. The hold-out set has turned digits alone: a model that has seen none of them is bad on it.";
}

/** Names of classes, where the job has given as many. */
function classNames(run, count) {
  const names = String(run.options["input.classes"] || "").split(";").map(name => name.trim());
  return names.length === count ? names : Array.from({length: count}, (any, i) => String(i));
}

/** Each class with what became of its examples, the worst first. */
function classes(run, record) {
  const names = classNames(run, record.counts.length);
  return record.counts.map((row, i) => {
    const wrong = row.map((count, k) => k === i ? -1 : count), most = wrong.indexOf(Math.max(...wrong));
    const examples = row.reduce((sum, count) => sum + count, 0);
    return {i, name: names[i], row, examples, recall: examples ? row[i] / examples : undefined, takenFor: names[most], times: row[most]};
  });
}

/** Columns that fit beside another section. */
const MOST_IN_HALF = 10;

/** Of few examples a recall says nothing. */
const FEW = 5;

function worst(all) { return all.filter(c => c.examples >= FEW && c.recall < 1).sort((a, b) => a.recall - b.recall); }

function confusionTable(all) {
  const lowest = worst(all)[0];
  const cell = (c, count, k) => {
    const share = c.examples ? count / c.examples : 0;
    // Rare mistakes are what the matrix is looked at for: a root makes them visible.
    return el("span", {class: c.i === k ? "right" : "wrong", style: "--share:" + (c.i === k ? share : Math.sqrt(share)).toFixed(3)}, count || "");
  };
  return table("Confusion matrix", [{name: "actual"}, ...all.map(c => ({name: c.name, number: true, upright: all.some(one => one.name.length > 3)})), {name: "recall", number: true}],
    all.map(c => ({mark: c === lowest ? "lowest" : undefined,
      cells: [c.name, ...c.row.map((count, k) => cell(c, count, k)), format.share(c.recall)]})));
}

const LEARNING = [
  {title: "Accuracy", titleOf: run => run.isRegression ? "Error (RMSE)" : "Accuracy", wide: true, draw: curve("Accuracy", run => run.isRegression ? "root of the mean squared error" : "share predicted rightly", (run, over) =>
    run.isRegression ? latestAndHoldOut(run, over, MEASURES[1]) : [...latestAndHoldOut(run, over, MEASURES[0]), ...baselines(run, over)],
    "There is no measure yet.", {height: 280, note: aboutDigits})},
  {title: "Confusion matrix", draw(body, run) {
    const record = run.latest("confusion");
    if (!record) return "It takes classes, at most 50.";
    const all = classes(run, record), bad = worst(all)[0];
    body.parentNode.classList.toggle("wide", all.length > MOST_IN_HALF);
    fill(body, el("p", {class: "finding"}, bad ? "Predicted worst: class " + bad.name + ", recall " + format.share(bad.recall) + ". It is most often taken for "
      + bad.takenFor + " (" + bad.times + " of " + bad.examples + ")." : "No class is taken for another."),
      el("p", {class: "note"}, format.count(all.reduce((sum, c) => sum + c.examples, 0)) + " latest examples of the first replica, before it learned them. Rows are actual classes, columns predicted ones."),
      el("div", {class: "confusion"}, confusionTable(all)));
  }},
  {title: "Recall by class", draw: curve("Recall of the classes that are worst now", "share of the class found", (run, over) => {
    const record = run.latest("confusion");
    return record && record.recalls ? worst(classes(run, record)).slice(0, 5)
      .map(c => ({name: "class " + c.name, points: run.points("confusion", r => r.recalls && r.recalls[c.i], over)})) : [];
  }, "It takes classes, at most 50, and mistakes.", {height: 300, note: () => "The five that are worst now"})},
  {title: "Loss", draw: curve("Loss", "mean loss of an example", (run, over) => latestAndHoldOut(run, over, MEASURES[2]), "There is no measure yet.")},
  {title: "AUC", draw: curve("AUC", "area under the ROC curve", (run, over) => latestAndHoldOut(run, over, MEASURES[3]), "It takes two classes.")},
  {title: "Two classes", draw: curves("Measure of two classes", MEASURES.slice(4).map(measure => ({name: measure.name, y: measure.y,
    points: (run, over) => run.points("progress", measure.latest, over), format: format.number})), "It takes two classes.")},
  {title: "Calibration", draw(body, run) {
    const record = run.latest("confusion");
    if (!record || !record.calibration) return "It takes classes, at most 50.";
    const made = kept(body, () => {
      const axis = {name: "probability that the model states", tick: format.short, hover: value => "stated " + format.share(value)};
      const one = {chart: new Chart("Calibration", {axis: () => axis, y: "share of these that is right", range: () => [0, 1.02], rangeX: () => [0, 1.02]}), note: el("p", {class: "note"})};
      one.element = el("div", {}, one.note, one.chart.element);
      return one;
    });
    fill(made.note, "Stated probabilities are off by " + format.share(record.calibrationError) + " on average");
    made.chart.draw([{name: "as it is", dots: true, points: record.calibration.filter(bin => bin.examples >= FEW).map(bin => [bin.stated, bin.right])},
      {name: "as it should be", colour: "--quiet", dash: [6, 4], points: [[0, 0], [1, 1]]}]);
  }},
  {title: "Drift by feature", draw(body, run) {
    const found = new Map();
    for (const record of run.of("drift")) {
      for (const feature of record.features || []) {
        const one = found.get(feature) || {feature, times: 0, first: record.examples};
        found.set(feature, {...one, times: one.times + 1, last: record.examples});
      }
    }
    if (!found.size) return "drift.features says what looks for it; none was found.";
    fill(body, table("Features that moved, the most often first", [{name: "feature"}, {name: "times", number: true}, {name: "first, at examples", number: true}, {name: "last", number: true}],
      [...found.values()].sort((a, b) => b.times - a.times).slice(0, 100)
        .map(one => ["number " + one.feature, one.times, format.count(one.first), format.count(one.last)])));
  }},
  {title: "Events", draw(body, run) {
    const rows = events(run);
    if (!rows.length) return "No restart, no drift, no checkpoint, no refused contribution.";
    fill(body, table("Events, the newest first", [{name: "when"}, {name: "what"}, {name: ""}], rows.slice(0, 200).map(r => [format.time(r[0]), r[1], r[2]])));
  }},
];

/** The figures on top. */
function tiles(run, live) {
  const progress = run.latest("progress") || {}, holdout = run.latest("holdout"), begun = run.latest("run");
  const rates = run.rates.slice(-5), waits = live && !run.isDrained;
  const rate = rates.length ? rates.reduce((sum, r) => sum + r.rate, 0) / rates.length : undefined;
  const facts = [["examples learned", format.count(progress.examples)], ["examples a second", format.count(rate)],
    run.isRegression ? ["RMSE, latest", format.number(progress.window_rmse)] : ["accuracy, latest", format.share(progress.window_accuracy)],
    progress.window_auc === undefined ? null : ["AUC, latest", format.share(progress.window_auc)],
    holdout ? run.isRegression ? ["RMSE, hold-out", format.number(holdout.rmse)] : ["accuracy, hold-out", format.share(holdout.accuracy)] : null,
    waits && progress.lag !== undefined ? ["lag", format.millis(progress.lag)] : null,
    waits && progress.pending !== undefined ? ["records yet to be read", format.count(progress.pending)] : null,
    ["records rejected", format.count(progress.rejected)], begun ? ["replicas", format.count(begun.replicas)] : null,
    ["time", run.last ? format.duration(run.last.time - run.begin) : "–"], ["newest model", el("span", {}, el("small", {}, "version "), format.version(progress))]];
  return el("dl", {class: "tiles"}, facts.filter(f => f).map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value))));
}
