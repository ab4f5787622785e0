"use strict";
// Loads what there is, listens for what is new, and draws at most once a second.

const page = {
  runs: new Map(),
  over: "examples",
  smoothing: 0,
  live: false,
  /** What a section draws that few jobs have: it isn't named among those that have nothing to show yet. */
  silent: "nothing",
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

/** Sections of each tab. */
const TABS = {learning: LEARNING, system: SYSTEM, layers: [...LAYERS, ...ROWS], models: MODELS, options: OPTIONS, compare: COMPARE};

page.layout = function () {
  const name = location.hash.slice(1), main = document.getElementById("main");
  this.tab = Object.hasOwn(TABS, name) ? name : "learning";
  this.tiles = el("div");
  this.tabs = el("nav", {"aria-label": "Parts of the page"}, Object.keys(TABS).map(tab =>
    el("a", {href: "#" + tab, "aria-current": tab === this.tab ? "page" : undefined}, tab)));
  this.sections = TABS[this.tab].map(section => {
    const title = el("h2", {}, section.title), body = el("div");
    return {...section, heading: title, body, element: el("section", {class: section.wide ? "wide" : undefined, "aria-label": section.title, hidden: ""}, title, body)};
  });
  this.absent = el("p", {class: "note absent"});
  fill(main, el("section", {"aria-label": "Now"}, this.tiles), this.tabs,
    el("div", {class: "grid"}, this.sections.map(section => section.element)), this.absent);
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
  fill(this.tiles, tiles(run, this.live));
  this.tabs.lastElementChild.hidden = this.runs.size < 2;
  const absent = [];
  for (const section of this.sections) {
    if (section.titleOf) fill(section.heading, section.titleOf(run));
    // A chart needs its place before it is drawn.
    section.element.hidden = false;
    const none = section.draw(section.body, run, this.over);
    section.element.hidden = Boolean(none);
    if (none) {
      section.body.kept = null;
      if (none !== page.silent) absent.push(el("span", {}, el("b", {}, section.title), ": " + none + " "));
    }
  }
  this.align();
  fill(this.absent, absent.length ? "Nothing to show yet of " : null, absent);
};

/** Has a section without a neighbour take the whole width. */
page.align = function () {
  let alone = null;
  const widen = section => section && section.classList.add("alone");
  for (const {element} of this.sections.filter(section => !section.element.hidden)) {
    element.classList.remove("alone");
    if (element.classList.contains("wide")) { widen(alone); alone = null; } else alone = alone ? null : element;
  }
  widen(alone);
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
  document.getElementById("smoothing").addEventListener("input", event => { this.smoothing = Number(event.target.value); this.redraw(); });
  addEventListener("hashchange", () => this.layoutAnew());
  document.getElementById("run").addEventListener("change", () => { this.hasChosen = true; this.layoutAnew(); });
  this.layout();
  const told = document.getElementById("history");
  if (told) this.take(JSON.parse(told.textContent)); else this.listen();
};

page.layoutAnew = function () { this.layout(); this.drawn = false; this.redraw(); };

page.begin();
