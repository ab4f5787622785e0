"use strict";
// What the page shows of a run, a section each: {title, wide, draw(body, run, over)}. A body keeps what draw leaves in it.

function chartIn(body, label, options) {
  if (!body.chart) {
    body.chart = new Chart(label, options);
    fill(body, body.chart.element);
  }
  return body.chart;
}

/** Says what would be here. */
function missing(body, text) {
  body.chart = null;
  fill(body, el("p", {class: "note"}, text));
}

function curve(label, choose, none, more) {
  return (body, run, over) => {
    const series = choose(run, over).filter(s => s.points.length);
    if (!series.length) { missing(body, none); return; }
    const chart = chartIn(body, label, {x: () => page.over, hiddenMarks: ["model"], ...more});
    chart.draw(series, more && more.noMarks ? [] : run.marks(over));
  };
}

const PHASES = ["fit", "encode", "wait", "exchange", "apply", "rest"];

/** What the time of each replica went to, of some timelines: shares of 1. */
function shares(timelines) {
  const replicas = new Map();
  for (const record of timelines) {
    for (const member of record.members || []) {
      let sums = replicas.get(member.replica);
      if (!sums) replicas.set(member.replica, sums = {elapsed: 0, fit: 0, encode: 0, wait: 0, exchange: 0, apply: 0});
      for (const phase of Object.keys(sums)) sums[phase] += member[phase] || 0;
    }
  }
  return [...replicas.entries()].sort((a, b) => a[0] - b[0]).map(([replica, sums]) => {
    const known = sums.fit + sums.encode + sums.wait + sums.exchange + sums.apply;
    const whole = Math.max(sums.elapsed, known) || 1;
    return {replica, of: PHASES.map(p => (p === "rest" ? Math.max(0, sums.elapsed - known) : sums[p]) / whole)};
  });
}

function bar(of) {
  return el("div", {class: "bar", role: "img", "aria-label": PHASES.map((p, i) => p + " " + Math.round(100 * of[i]) + " %").join(", ")},
    of.map((share, i) => el("i", {style: "width:" + (100 * share).toFixed(1) + "%;background:var(" + COLOURS[i] + ")"})));
}

const SECTIONS = [
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
  {title: "Throughput", draw: curve("Examples a second", (run, over) => [
    {name: "examples a second", points: run.speeds(over)}],
    "It takes two records of progress.", {range: (u, low, high) => [0, high * 1.05 || 1]})},
  {title: "Rounds", draw: curve("Members of rounds", (run, over) => [
    {name: "members", points: run.points("progress", "members", over)}], "No round has been made yet.",
    {range: (u, low, high) => [0, high + 1], noMarks: true})},
  {title: "Where replicas' time goes", draw(body, run) {
    const all = run.of("timeline");
    if (!all.length) { missing(body, "metrics.timeline: true tells where the time of each round goes."); return; }
    const whole = shares(all), now = shares(all.slice(-30));
    fill(body,
      el("ul", {class: "legend"}, PHASES.map((p, i) => el("li", {}, el("i", {style: "background:var(" + COLOURS[i] + ")"}), p))),
      table("Time of each replica", [{name: "replica"}, {name: "over the run"}, {name: "latest rounds"}],
        whole.map(r => [r.replica, bar(r.of), bar((now.find(n => n.replica === r.replica) || r).of)])));
  }},
  {title: "Layers", draw(body, run) {
    const record = run.latest("plasticity");
    if (!record) { missing(body, "plasticity.every: 100 measures dead units, ranks and updates of each layer."); return; }
    fill(body, table("Layers", [{name: "layer"}, {name: "units", number: true}, {name: "dead", number: true},
      {name: "effective rank", number: true}, {name: "norm", number: true}, {name: "update ratio", number: true}],
      (record.layers || []).map(l => [l.layer, format.count(l.units), l.deadShare === undefined ? "–" : format.number(100 * l.deadShare) + " %",
        format.number(l.effectiveRank), format.number(l.weightNorm), format.number(l.updateRatio)])));
  }},
  {title: "Models", draw(body, run) {
    const all = run.of("snapshot");
    if (!all.length) { missing(body, "snapshot.directory says where models are published."); return; }
    const committed = new Set(all.filter(r => r.state === "committed").map(format.version));
    const rows = all.filter(r => r.state === "fresh").slice(-100).reverse();
    const served = rows.find(r => r.served);
    fill(body, table("Models, the newest first", [{name: "version"}, {name: "published"}, {name: "state"}, {name: "file"}],
      rows.map(r => [format.version(r), format.time(r.time),
        (!r.served ? "held back by the gate" : r === served ? "served" : "published") + (committed.has(format.version(r)) ? ", committed" : ""),
        el("span", {title: r.model}, String(r.model).split("/").pop())])));
  }},
  {title: "What happened", draw(body, run) {
    const rows = run.restarts.map(r => [r.time, "restart", "generation " + r.from + " to " + r.to + ", on after " + format.duration(r.took)]);
    run.of("drift").forEach(r => rows.push([r.time, "drift", "found by " + r.detector + " at " + format.count(r.examples) + " examples"
      + (r.before === undefined ? "" : ", error from " + format.share(r.before) + " to " + format.share(r.after)) + (r.reacted ? ", training reacts" : "")]));
    const refused = (run.latest("progress") || {}).refused;
    if (refused) rows.push([run.latest("progress").time, "refused", refused.contributions + " contributions with " + refused.records + " records: " + refused.reason]);
    if (!rows.length) { missing(body, "No restart, no drift, no refused contribution."); return; }
    rows.sort((a, b) => b[0] - a[0]);
    fill(body, table("Events, the newest first", [{name: "when"}, {name: "what"}, {name: ""}], rows.slice(0, 200).map(r => [format.time(r[0]), r[1], r[2]])));
  }},
  {title: "Records that weren't learned", wide: true, draw(body, run) {
    const record = run.latest("rejections");
    if (!record) { missing(body, "All records have been learned, or the job doesn't tell why not."); return; }
    fill(body, table("Reasons", [{name: "records", number: true}, {name: "reason"}, {name: "the first"}, {name: "its place"}],
      record.reasons.map(r => [format.count(r.count), r.reason, r.example, r.topic + "-" + r.partition + " at " + r.offset])));
  }},
  {title: "Records by partition", draw(body, run) {
    const record = run.latest("ledger");
    if (!record) { missing(body, "The newest model's description tells which records are in it."); return; }
    fill(body, table("Records in the model", [{name: "topic"}, {name: "partition", number: true}, {name: "learned", number: true},
      {name: "rejected", number: true}, {name: "last", number: true}],
      record.partitions.map(p => [p.topic, p.partition, format.count(p.learned), format.count(p.rejected), format.count(p.last)])));
  }},
  {title: "Options", wide: true, draw(body, run) {
    const record = run.latest("options");
    if (!record) { missing(body, "The newest model's description tells the options of its job."); return; }
    if (body.drawn === record) return;
    body.drawn = record;
    const filter = el("input", {type: "search", placeholder: "batch, codec, …", "aria-label": "Filter options"});
    const place = el("div");
    const show = () => fill(place, table("Options of the job", [{name: "option"}, {name: "value"}],
      Object.entries(record.options).filter(([key, value]) => (key + value).includes(filter.value)).map(([key, value]) => [key, value])));
    filter.addEventListener("input", show);
    show();
    fill(body, el("p", {class: "note"}, "As its owner set them; others have their defaults."), filter, place);
  }},
];

/** The figures on top. */
function tiles(run) {
  const progress = run.latest("progress") || {}, holdout = run.latest("holdout");
  const rate = run.rates.length ? run.rates.slice(-5).reduce((sum, r) => sum + r.rate, 0) / Math.min(5, run.rates.length) : undefined;
  const facts = [["examples learned", format.count(progress.examples)], ["examples a second", format.count(rate)],
    run.isRegression ? ["RMSE of the latest", format.number(progress.window_rmse)] : ["accuracy on the latest", format.share(progress.window_accuracy)],
    holdout ? [run.isRegression ? "RMSE on the hold-out set" : "accuracy on the hold-out set", run.isRegression ? format.number(holdout.rmse) : format.share(holdout.accuracy)] : null,
    ["records rejected", format.count(progress.rejected)], ["model", format.version(progress)],
    ["time", run.last ? format.duration(run.last.time - run.begin) : "–"]];
  return el("dl", {class: "tiles"}, facts.filter(f => f).map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value))));
}
