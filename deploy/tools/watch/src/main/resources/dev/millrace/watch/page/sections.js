"use strict";
// What sections are made of. One is {tab, title, wide, draw(body, run, over)}: draw fills the body, which keeps what draw
// leaves in it, or returns what it takes to have something to show.

/** Made once for a body. */
function kept(body, make) {
  if (!body.kept) {
    body.kept = make();
    fill(body, body.kept.element);
  }
  return body.kept;
}

/** A chart of the run, over what the page is over. */
function runChart(label, more) {
  return new Chart(label, {axis: () => AXES[page.over], smoothing: () => page.smoothing, sync: "run", hiddenMarks: ["model", "checkpoint"], ...more});
}

/** A curve, or several; choose gives series, none says what it takes to have some; more are options of the chart, and note(run). */
function curve(label, y, choose, none, more) {
  return (body, run, over) => {
    const series = choose(run, over).filter(s => s.points.length);
    if (!series.length) return none;
    const made = kept(body, () => {
      const one = {chart: runChart(label, {y: typeof y === "function" ? y(run) : y, ...more}), note: el("p", {class: "note"})};
      one.element = el("div", {}, one.note, one.chart.element);
      return one;
    });
    fill(made.note, more && more.note ? more.note(run) : null);
    made.chart.draw(series, run.marks(over));
  };
}

/** One of several curves, which a list chooses; each {name, y, points(run, over), format}. Those that never change are told in words. */
function curves(label, all, none) {
  return (body, run, over) => {
    const there = all.map(one => ({...one, points: one.points(run, over)})).filter(one => one.points.length);
    if (!there.length) return none;
    const isFlat = one => one.points.every(p => p[1] === one.points[0][1]);
    const flat = there.filter(isFlat), moving = there.filter(one => !isFlat(one));
    const made = kept(body, () => {
      const one = {select: el("select", {"aria-label": label}), place: el("div"), note: el("p", {class: "note"})};
      one.select.addEventListener("change", () => page.redraw());
      one.element = el("div", {}, one.select, one.place, one.note);
      return one;
    });
    fill(made.note, flat.length ? "All the time: " + flat.map(one => one.name + " " + (one.format || format.short)(one.points[0][1])).join(", ") : null);
    made.select.hidden = moving.length < 2;
    const names = moving.map(one => one.name);
    if (made.names !== names.join()) {
      const chosen = made.select.value;
      made.names = names.join();
      fill(made.select, names.map(name => el("option", {value: name}, name)));
      if (names.includes(chosen)) made.select.value = chosen;
    }
    const one = moving.find(o => o.name === made.select.value);
    if (made.shown !== (one && one.name)) { made.shown = one && one.name; made.place.kept = null; fill(made.place); }
    if (one) kept(made.place, () => runChart(one.name, {y: one.y, range: fromZero, format: one.format})).draw([{name: one.name, points: one.points}], run.marks(over));
  };
}

function fromZero(u, low, high) { return [0, high * 1.05 || 1]; }
