"use strict";
// How fast it goes, and what takes the time, processors and memory.

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

/** Milliseconds of a phase in a round, of its members on average; thinned records stand for several rounds. */
function meanOfPhase(record, phase) {
  const members = record.members || [];
  const sum = members.reduce((all, m) => all + (phase === "rest"
    ? Math.max(0, (m.elapsed || 0) - PHASES.slice(0, 5).reduce((known, p) => known + (m[p] || 0), 0)) : m[phase] || 0), 0);
  return members.length ? sum / members.length / (record.rounds || 1) : undefined;
}

/** A curve for each process: its replicas tell the same of it. */
function ofProcesses(run, over, value) {
  const processes = new Map(run.replicas.flatMap(kind => run.of(kind).map(r => [r.process, kind])));
  return [...processes].map(([process, kind]) => ({name: "process " + process,
    points: run.points(kind, r => r.process === process ? value(r) : undefined, over)}));
}

/** One line of a field of progress. */
function ofProgress(name, y, field, format) {
  return {name, y, format, points: (run, over) => run.points("progress", field, over)};
}

const UNTOLD = "metrics.interval is 0, or the job is of an older release.";

const SYSTEM = [
  {title: "Throughput", draw: curve("Throughput", "examples a second", (run, over) => {
    const each = run.replicas.map(kind => ({name: kind, points: run.speedsOf(kind, over)}));
    return [{name: "all replicas", points: run.speeds(over)}, ...(each.length > 1 ? each : [])];
  }, "It takes two records of progress.", {range: fromZero})},
  {title: "Lag", draw: curves("Lag", [
    ofProgress("age of the oldest record of a round", "age", "lag", value => format.millis(value)),
    ofProgress("records yet to be read", "records", "pending")], "The job tells none.")},
  {title: "Round phases", wide: true, draw(body, run, over) {
    const all = run.of("timeline");
    if (!all.length) return "metrics.timeline: true tells where the time of each round goes.";
    const made = kept(body, () => {
      const one = {chart: runChart("Round phases", {y: "time of a round, of its replicas on average", stacked: true, range: fromZero, format: value => format.millis(value)}), bars: el("div", {class: "shares"})};
      one.element = el("div", {}, one.chart.element, one.bars);
      return one;
    });
    made.chart.draw(PHASES.map(phase => ({name: phase, points: run.points("timeline", record => meanOfPhase(record, phase), over)})), run.marks(over));
    const now = shares(all.slice(-30));
    fill(made.bars, table("Time of each replica", [{name: "replica"}, {name: "over the run"}, {name: "latest rounds"}],
      shares(all).map(r => [r.replica, bar(r.of), bar((now.find(n => n.replica === r.replica) || r).of)])));
  }},
  {title: "Rounds", draw: curves("Rounds", [
    ofProgress("time from round to round", "time", "duration", value => format.millis(value)),
    ofProgress("bytes of contributions", "bytes of a round", "bytes", value => format.bytes(value)),
    ofProgress("staleness", "rounds since a contribution's model", "staleness"),
    ofProgress("members", "contributions of a round", "members")], "No round has been made yet.")},
  {title: "Checkpoints", draw: curve("Checkpoints", "duration", (run, over) => [{name: "duration", dots: true, points: run.points("checkpoint", "duration", over)}],
    "No checkpoint has completed yet.", {range: fromZero, format: value => format.millis(value)})},
  {title: "CPU", draw: curve("CPU", "share of the machine's processors", (run, over) => ofProcesses(run, over, r => r.cpu === undefined ? undefined : 100 * r.cpu),
    UNTOLD, {range: () => [0, 100], format: value => format.number(value) + " %"})},
  {title: "Heap", draw: curve("Heap", "used bytes of Java's heap", (run, over) => ofProcesses(run, over, r => r.heap), UNTOLD, {range: fromZero, format: value => format.bytes(value)})},
];
