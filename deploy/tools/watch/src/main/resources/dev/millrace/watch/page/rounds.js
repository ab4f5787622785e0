"use strict";
// Rounds, and what the time of replicas goes to.

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
  return members.length ? members.reduce((sum, m) => sum + (m[phase] || 0), 0) / members.length / (record.rounds || 1) : undefined;
}

const ROUNDS = [
  {title: "Rounds", draw: curves("Rounds", [
    ofProgress("members of a round", "members"),
    ofProgress("time from round to round", "duration", value => format.millis(value)),
    ofProgress("bytes of a round's contributions", "bytes", value => format.bytes(value)),
    ofProgress("staleness: rounds since a contribution's model", "staleness")], "No round has been made yet.")},
  {title: "Where replicas' time goes", draw(body, run) {
    const all = run.of("timeline");
    if (!all.length) { missing(body, "metrics.timeline: true tells where the time of each round goes."); return; }
    const whole = shares(all), now = shares(all.slice(-30));
    fill(body,
      el("ul", {class: "legend"}, PHASES.map((p, i) => el("li", {}, el("i", {style: "background:var(" + COLOURS[i] + ")"}), p))),
      table("Time of each replica", [{name: "replica"}, {name: "over the run"}, {name: "latest rounds"}],
        whole.map(r => [r.replica, bar(r.of), bar((now.find(n => n.replica === r.replica) || r).of)])));
  }},
  {title: "Time of a round, phase by phase", draw: curve("Milliseconds of a replica's phases in a round, on average", (run, over) =>
    PHASES.slice(0, 5).map(phase => ({name: phase, points: run.points("timeline", record => meanOfPhase(record, phase), over)})),
    "metrics.timeline: true tells where the time of each round goes.", {range: fromZero, format: value => format.millis(value)})},
];
