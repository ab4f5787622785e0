"use strict";
// Loads what there is, listens for what is new, and draws at most once a second.

const page = {
  runs: new Map(),
  over: "examples",
  live: false,
  redraw() { this.stale = true; if (!this.timer) this.timer = setTimeout(() => this.draw(), this.drawn ? 1000 : 0); },
};

page.run = function (id, title) {
  let run = this.runs.get(id);
  if (!run) {
    this.runs.set(id, run = new Run(id, title || id));
    const select = document.getElementById("run");
    select.append(el("option", {value: id}, run.title));
    // The newest is what people look for, unless they have chosen.
    if (!this.hasChosen) select.value = id;
  }
  return run;
};

page.take = function (history) {
  const select = document.getElementById("run"), chosen = select.value;
  this.live = history.live;
  this.runs.clear();
  fill(select);
  for (const told of history.runs) {
    const run = this.run(told.id, told.title);
    for (const record of told.records) run.add(record);
    run.count = told.count;
  }
  if (this.hasChosen && this.runs.has(chosen)) select.value = chosen;
  this.redraw();
};

page.layout = function () {
  const main = document.getElementById("main");
  this.tiles = el("div");
  this.bodies = SECTIONS.map(() => el("div"));
  fill(main, el("section", {"aria-label": "Now"}, this.tiles),
    this.grid = el("div", {class: "grid"}, SECTIONS.map((section, i) =>
      el("section", {class: section.wide ? "wide" : undefined, "aria-label": section.title}, el("h2", {}, section.title), this.bodies[i]))));
};

page.draw = function () {
  this.timer = null;
  this.drawn = true;
  const run = this.runs.get(document.getElementById("run").value);
  const state = document.getElementById("state");
  state.className = this.live ? "live" : "";
  if (!run || !run.last) {
    fill(state, this.live ? "waiting for the first record" : "no records");
    return;
  }
  document.title = run.title + " – Millrace";
  fill(state, (this.live ? "live" : document.getElementById("history") ? "as it ended" : "the server of this page has ended") + ", last record " + format.time(run.last.time));
  fill(this.tiles, tiles(run));
  SECTIONS.forEach((section, i) => section.draw(this.bodies[i], run, this.over));
  if (this.runs.size > 1) {
    if (!this.compare) this.grid.append((this.compare = compareSection([...this.runs.values()])).element);
    this.compare.draw([...this.runs.values()], this.over);
  }
};

page.listen = function () {
  const events = new EventSource("/events");
  let loading = false, again = false, waiting = [];
  // What comes while the history is loaded waits for it: the history may be older.
  const load = () => {
    if (loading) { again = true; return; }
    loading = true;
    again = false;
    fetch("/history").then(answer => answer.json()).then(history => this.take(history)).catch(() => {
      // Where the server has gone, the events connect again when it is back.
      this.live = false;
      waiting = [];
      this.redraw();
    }).finally(() => {
      loading = false;
      waiting.splice(0).forEach(hear);
      if (again) load();
    });
  };
  const hear = told => {
    const run = this.run(told.run);
    if (loading || told.before > run.count) {
      waiting.push(told);
      if (!loading) load();
      return;
    }
    // The history may have told the first of them already.
    told.records.slice(run.count - told.before).forEach(record => run.add(record));
    run.count = Math.max(run.count, told.before + told.records.length);
    if (run.isFull) load();
    this.redraw();
  };
  events.addEventListener("open", load);
  events.addEventListener("run", event => { const told = JSON.parse(event.data); this.run(told.id, told.title); });
  events.addEventListener("records", event => hear(JSON.parse(event.data)));
  events.addEventListener("error", () => {
    // It connects again by itself.
    this.live = false;
    this.redraw();
  });
};

page.begin = function () {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const theme = name => { document.documentElement.dataset.theme = name; this.layoutAnew(); };
  document.documentElement.dataset.theme = dark.matches ? "dark" : "light";
  document.getElementById("theme").addEventListener("click", () =>
    theme(document.documentElement.dataset.theme === "dark" ? "light" : "dark"));
  document.getElementById("over").addEventListener("change", event => { this.over = event.target.value; this.redraw(); });
  document.getElementById("run").addEventListener("change", () => { this.hasChosen = true; this.layoutAnew(); });
  this.layout();
  const told = document.getElementById("history");
  if (told) this.take(JSON.parse(told.textContent)); else this.listen();
};

page.layoutAnew = function () { this.compare = null; this.layout(); this.drawn = false; this.redraw(); };

page.begin();
