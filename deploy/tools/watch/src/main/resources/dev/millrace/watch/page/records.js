"use strict";
// A run, made of metric records: docs/internals/formats.md describes them.

/** As many records of a kind as are kept while more come; then the history is loaded again, which the server thins evenly. */
const MOST_RECORDS = 6000;

/** What is shown of the newest record alone, and takes much memory. */
const OF_THE_NEWEST = {
  checkpoint: record => { delete record.ledger; },
  confusion: record => { delete record.counts; delete record.calibration; },
  layers: record => (record.layers || []).forEach(layer => { delete layer.activations; delete layer.tensors; }),
  rows: record => (record.tables || []).forEach(table => { delete table.hottest; }),
  run: record => { delete record.defaults; },
};

class Run {
  constructor(id, title) {
    this.id = id;
    this.title = title;
    this.kinds = new Map();
    this.restarts = [];
    this.last = null;
    this.rates = [];
    this.count = 0;
  }

  of(type) { return this.kinds.get(type) || []; }

  latest(type) { const all = this.of(type); return all[all.length - 1]; }

  /** Those that were given, and the defaults of the others. */
  get options() { const run = this.latest("run") || {}; return {...run.defaults, ...run.options}; }

  add(record) {
    // Each replica's are thinned by themselves.
    const kind = record.type === "replica" ? "replica " + record.replica : record.type;
    let all = this.kinds.get(kind);
    if (!all) this.kinds.set(kind, all = []);
    this.isFull = this.isFull || all.length >= MOST_RECORDS;
    this.noteRestart(record, all[all.length - 1]);
    if (record.type === "progress") this.noteProgress(record, all[all.length - 1]);
    if (all.length && OF_THE_NEWEST[record.type]) OF_THE_NEWEST[record.type](all[all.length - 1]);
    all.push(record);
    if (!this.last || record.time >= this.last.time) this.last = record;
  }

  /**
   * A job that goes on says so; one of an older release shows it by its generation. Models have that
   * of the attempt that made them, which may be an earlier one.
   */
  noteRestart(record, before) {
    if (record.type === "snapshot") return;
    const tells = record.type === "run", raised = record.generation > this.generation;
    if (this.last && (tells ? record.restored || record.attempt > 0 : raised)) {
      this.restarts.push({time: this.last.time, back: record.time, from: this.generation, to: record.generation,
        replicas: tells ? record.replicas : undefined, replicasBefore: tells && before ? before.replicas : undefined,
        fromStart: tells && !record.restored, submitted: tells && record.attempt === 0});
    }
    if (record.generation !== undefined) this.generation = record.generation;
  }

  noteProgress(record, before) {
    const restart = this.restarts[this.restarts.length - 1];
    if (restart && restart.examples === undefined) {
      restart.examples = record.examples;
      restart.took = record.time - restart.time;
    }
    // The last record of a job follows on another at once.
    if (before && record.time - before.time >= 50 && record.examples >= before.examples) {
      this.rates.push({record, rate: 1000 * (record.examples - before.examples) / (record.time - before.time)});
    }
  }

  get begin() {
    let first = Infinity;
    for (const all of this.kinds.values()) first = Math.min(first, all[0].time);
    return first;
  }

  /** Where on the horizontal axis a record is. */
  x(record, over) {
    if (over === "time") return (record.time - this.begin) / 1000;
    if (record.learned !== undefined) return record.learned;
    if (record.type === "drift" || record.type === "progress") return record.examples;
    return this.examplesAt(record.time);
  }

  /** Examples learned by then, by the nearest progress. */
  examplesAt(time) {
    const all = this.of("progress");
    let low = 0, high = all.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (all[middle].time < time) low = middle + 1; else high = middle;
    }
    return all.length ? all[low].examples : 0;
  }

  /** Of a field, or of what a function makes of a record. */
  points(type, field, over) {
    const value = typeof field === "function" ? field : record => record[field];
    return Run.forward(this.of(type).filter(r => (value(r) ?? undefined) !== undefined).map(r => [this.x(r, over), value(r)]));
  }

  /** What the replicas tell of themselves, an array for each. */
  get replicas() { return [...this.kinds.keys()].filter(kind => kind.startsWith("replica ")).sort((a, b) => a.localeCompare(b, "en", {numeric: true})); }

  /** The speed of one replica, from report to report. */
  speedsOf(replica, over) {
    const all = this.of(replica);
    return Run.forward(all.slice(1).map((r, i) => ({r, examples: r.examples - all[i].examples, millis: r.time - all[i].time}))
      .filter(step => step.examples >= 0 && step.millis > 0)
      .map(step => [this.x(step.r, over), 1000 * step.examples / step.millis]));
  }

  /** The speed, at each progress. */
  speeds(over) {
    return Run.forward(this.rates.map(r => [this.x(r.record, over), r.rate]));
  }

  /** Points from left to right. What a restart has undone was learned again, and isn't shown over examples. */
  static forward(points) {
    const kept = [];
    for (const point of points) {
      while (kept.length && kept[kept.length - 1][0] >= point[0]) kept.pop();
      kept.push(point);
    }
    return kept;
  }

  /** What detectors have found, one after another of the same drift together. */
  get drifts() {
    const groups = [];
    for (const record of this.of("drift")) {
      const group = groups[groups.length - 1];
      // After a failure the same drift is found again.
      const later = group && record.examples > group[group.length - 1].examples;
      if (!group || record.reacted && later) groups.push([record]); else group.push(record);
    }
    return groups;
  }

  /** What happened, to be marked in curves. */
  marks(over) {
    const marks = this.drifts.map(([first]) => ({kind: "drift", x: this.x(first, over), text: "drift, found by " + first.detector}));
    this.restarts.forEach(r => marks.push({kind: Run.kind(r), x: over === "time" ? (r.time - this.begin) / 1000 : r.examples || 0,
      text: Run.kind(r) + ", " + Run.took(r)}));
    this.of("checkpoint").forEach(r => marks.push({kind: "checkpoint", x: this.x(r, over), text: "checkpoint " + r.checkpoint}));
    this.of("snapshot").filter(r => r.state === "fresh").forEach(r => marks.push({kind: r.served ? "model" : "held back",
      x: this.x(r, over), text: "model " + format.version(r) + (r.served ? "" : ", held back by the gate")}));
    return marks;
  }

  static kind(restart) {
    return restart.replicasBefore !== undefined && restart.replicasBefore !== restart.replicas ? "rescale" : "restart";
  }

  static took(restart) {
    return restart.took === undefined ? "training has yet to go on" : "on after " + format.duration(restart.took);
  }

  /** Whether all that there was to learn is learned, or none is told any more. */
  get isDrained() {
    return this.options["input.bounded"] === "true" && (this.latest("progress") || {}).pending === 0;
  }

  /** Whether it predicts numbers. */
  get isRegression() { return this.of("progress").some(r => r.window_rmse !== undefined); }
}
