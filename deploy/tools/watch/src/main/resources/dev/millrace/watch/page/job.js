"use strict";
// The job: its models, what happened to it, records, options.

/** What the gate compared, in words. */
function verdict(record) {
  if (!record.gate) return record.served ? "" : "held back";
  const gate = record.gate;
  return (gate.passed ? "passed: " : "held back: ") + gate.metric + " " + format.number(gate.candidate)
    + (gate.serving === undefined ? "" : ", served " + format.number(gate.serving)) + (gate.margin ? ", margin " + format.number(gate.margin) : "");
}

function measured(record) {
  const quality = record.holdOut;
  if (!quality) return "–";
  return quality.accuracy === undefined ? "RMSE " + format.number(quality.rootMeanSquaredError)
    : "accuracy " + format.share(quality.accuracy) + ", loss " + format.number(quality.loss)
      + (quality.auc === undefined ? "" : ", AUC " + format.share(quality.auc));
}

function events(run) {
  const rows = run.restarts.map(r => [r.time, Run.kind(r), (r.fromStart ? "from the beginning, generation " : "generation ") + r.from + " to " + r.to
    + (Run.kind(r) === "rescale" ? ", " + r.replicasBefore + " replicas to " + r.replicas : "") + (r.submitted ? ", submitted anew" : "") + ", " + Run.took(r)]);
  for (const group of run.drifts) {
    const [first] = group, last = group[group.length - 1];
    rows.push([first.time, "drift", "found by " + [...new Set(group.map(r => r.detector))].join(", ") + " at " + format.count(first.examples)
      + (group.length > 1 ? " to " + format.count(last.examples) : "") + " examples" + (group.length > 1 ? ", " + group.length + " times" : "")
      + (first.before === undefined ? "" : ", error from " + format.share(first.before) + " to " + format.share(last.after))]);
  }
  const progress = run.latest("progress") || {};
  if (progress.refused) rows.push([progress.time, "refused", progress.refused.contributions + " contributions with " + progress.refused.records
    + " records: " + progress.refused.reason]);
  const checkpoint = run.latest("checkpoint");
  if (checkpoint) rows.push([checkpoint.time, "checkpoint", "number " + checkpoint.checkpoint + ", the newest, with " + format.count(checkpoint.learned)
    + " examples, complete after " + format.duration(checkpoint.duration)]);
  return rows.sort((a, b) => b[0] - a[0]);
}

/** Given options first, then defaults, filtered by what is typed. */
function optionRows(record, text) {
  const rows = (all, mark) => Object.entries(all || {}).filter(([key, value]) => (key + " " + value).includes(text))
    .map(([key, value]) => ({mark, cells: [key, value, mark ? "given" : "default"]}));
  return rows(record.options, "changed").concat(rows(record.defaults));
}

const MODELS = [
  {title: "Models", wide: true, draw(body, run) {
    const all = run.of("snapshot");
    if (!all.length) return "snapshot.directory says where models are published.";
    const committed = new Set(all.filter(r => r.state === "committed").map(format.version));
    const rows = all.filter(r => r.state === "fresh").slice(-100).reverse();
    const served = rows.find(r => r.served);
    const parent = rows.length ? rows[0].parent : undefined;
    fill(body, parent ? el("p", {class: "note"}, "The job began with " + parent.source + (parent.version ? ", version " + format.version(parent.version) : "")) : null,
      table("Models, the newest first", [{name: "version"}, {name: "published"}, {name: "examples", number: true}, {name: "state"},
        {name: "on the hold-out set"}, {name: "gate"}, {name: "file"}],
      rows.map(r => [format.version(r), format.time(r.time), format.count(r.learned),
        (!r.served ? "held back by the gate" : r === served ? "served" : "published") + (committed.has(format.version(r)) ? ", committed" : ", fresh")
          + (r.beforeDrift ? ", before a drift" : ""), measured(r), verdict(r),
        el("span", {title: r.model}, String(r.model).split("/").pop())])));
  }},
  {title: "Partitions", wide: true, draw(body, run) {
    const record = run.latest("checkpoint");
    if (!record) return "The first checkpoint tells which records are in the model.";
    fill(body, el("p", {class: "note"}, "In checkpoint " + record.checkpoint + " of " + format.time(record.time)),
      table("Records in the model", [{name: "topic"}, {name: "partition", number: true}, {name: "learned", number: true},
        {name: "rejected", number: true}, {name: "skipped", number: true}, {name: "last offset", number: true}],
      record.ledger.map(p => [p.topic, p.partition, format.count(p.learned), format.count(p.rejected), format.count(p.skipped || 0), format.count(p.last)])));
  }},
  {title: "Rejected records", wide: true, draw(body, run) {
    const record = run.latest("rejections");
    if (!record) return "No record has been rejected.";
    fill(body, table("Reasons", [{name: "records", number: true}, {name: "reason"}, {name: "the first"}, {name: "its place"}],
      record.reasons.map(r => [format.count(r.count), r.reason, r.example, r.topic + "-" + r.partition + " at " + r.offset])));
  }},
];

const OPTIONS = [
  {title: "Options", wide: true, draw(body, run) {
    const record = run.latest("run");
    if (!record) return "The job doesn't tell its options: it is of an older release.";
    const made = kept(body, () => {
      const one = {filter: el("input", {type: "search", placeholder: "batch, codec, …", "aria-label": "Filter options"}), place: el("div"), note: el("p", {class: "note"})};
      one.show = () => fill(one.place, table("Options of the job", [{name: "option"}, {name: "value"}, {name: ""}], optionRows(one.record, one.filter.value)));
      one.filter.addEventListener("input", one.show);
      one.element = el("div", {}, one.note, one.filter, one.place);
      return one;
    });
    if (made.record === record) return;
    made.record = record;
    fill(made.note, "Millrace " + record.millrace + ", engine " + record.engine + ", " + format.count(record.parameters) + " parameters, "
      + record.replicas + " replicas");
    made.show();
  }},
];
