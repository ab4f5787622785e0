"use strict";
// A run, made of metric records: docs/formats.md describes them.

/** As many records of a kind as are kept while more come; then the history is loaded again, which the server thins evenly. */
const MOST_RECORDS = 6000;

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

  add(record) {
    let all = this.kinds.get(record.type);
    if (!all) this.kinds.set(record.type, all = []);
    this.isFull = this.isFull || all.length >= MOST_RECORDS;
    this.noteRestart(record);
    if (record.type === "progress") {
      this.noteRate(record, all[all.length - 1]);
      const restart = this.restarts[this.restarts.length - 1];
      if (restart && restart.examples === undefined) restart.examples = record.examples;
    }
    all.push(record);
    this.last = record;
  }

  /** A generation follows on another when a job goes on from a checkpoint or a savepoint. */
  noteRestart(record) {
    if (this.last && record.generation > this.generation) {
      this.restarts.push({time: this.last.time, from: this.generation, to: record.generation,
        took: record.time - this.last.time});
    }
    if (record.generation !== undefined) this.generation = record.generation;
  }

  noteRate(record, before) {
    if (before && record.time > before.time && record.examples >= before.examples) {
      this.rates.push({time: record.time, examples: record.examples,
        rate: 1000 * (record.examples - before.examples) / (record.time - before.time)});
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
    if (record.type === "drift" || record.examples !== undefined && record.type !== "holdout") return record.examples;
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

  points(type, field, over) {
    return Run.forward(this.of(type).filter(r => r[field] !== undefined).map(r => [this.x(r, over), r[field]]));
  }

  /** The speed, at each progress. */
  speeds(over) {
    return Run.forward(this.rates.map(r => [over === "time" ? (r.time - this.begin) / 1000 : r.examples, r.rate]));
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

  /** What happened, to be marked in curves. */
  marks(over) {
    const marks = this.of("drift").map(r => ({kind: "drift", x: this.x(r, over), text: "drift, found by " + r.detector}));
    this.restarts.forEach(r => marks.push({kind: "restart", x: over === "time" ? (r.time - this.begin) / 1000 : r.examples || 0,
      text: "restart, on after " + format.duration(r.took)}));
    this.of("snapshot").filter(r => r.state === "fresh").forEach(r => marks.push({kind: r.served ? "model" : "held back",
      x: this.x(r, over), text: "model " + format.version(r) + (r.served ? "" : ", held back by the gate")}));
    return marks;
  }

  /** Whether it predicts numbers. */
  get isRegression() { return this.of("progress").some(r => r.window_rmse !== undefined); }
}
