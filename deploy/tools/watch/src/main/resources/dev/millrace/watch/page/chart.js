"use strict";
// Curves, by uPlot. Colours and sizes follow the page.

const COLOURS = ["--c0", "--c1", "--c2", "--c3", "--c4", "--c5"];

function colour(name) { return getComputedStyle(document.documentElement).getPropertyValue(name).trim(); }

/** How values of the horizontal axis read. */
const AXES = {
  examples: {name: "examples learned", tick: value => format.short(value), hover: value => format.count(value) + " examples"},
  time: {name: "time since the start", tick: value => format.duration(value * 1000), hover: value => "after " + format.duration(value * 1000)},
};

/** Series as uPlot has them: a column of x, and one for each series. */
function joinSeries(series) {
  if (!series.length) return [[]];
  const columns = series.map(s => [s.points.map(p => p[0]), s.points.map(p => p[1])]);
  return columns.length === 1 ? columns[0] : uPlot.join(columns);
}

/** An exponential moving average of weight 0 to 1, without the pull of its start. */
function smooth(points, weight) {
  let sum = 0, weights = 0;
  return weight ? points.map(([x, y]) => {
    sum = weight * sum + (1 - weight) * y;
    weights = weight * weights + 1 - weight;
    return [x, sum / weights];
  }) : points;
}

/** Each series on top of those before it. All have the same x. */
function stack(series) {
  const sums = new Map();
  return series.map(s => ({...s, points: s.points.map(([x, y]) => {
    sums.set(x, (sums.get(x) || 0) + y);
    return [x, sums.get(x)];
  })}));
}

class Chart {
  /**
   * What it shows in words; options are axis(), which gives one of AXES or its like, y, the title of
   * the vertical axis, height, range and rangeX, format of its values, smoothing(), hiddenMarks,
   * logarithmic, stacked, and sync, whose charts share a cursor.
   */
  constructor(label, options) {
    this.label = label;
    this.options = options;
    this.logarithmic = Boolean(options.logarithmic);
    this.hidden = new Set(options.hiddenMarks);
    this.legend = el("ul", {class: "legend"});
    this.plotPlace = el("div", {class: "chart", role: "img"});
    this.summary = el("p", {class: "hidden"});
    this.element = el("figure", {class: "plotted"},
      el("div", {class: "head"}, el("span", {}, options.y), el("span", {class: "tools"}, this.tools())),
      this.legend, this.plotPlace, this.summary);
    this.hover = el("div", {class: "hover", hidden: ""});
    new ResizeObserver(() => this.resize()).observe(this.plotPlace);
  }

  tools() {
    const tool = (name, title, act) => {
      const button = el("button", {type: "button", title}, name);
      button.addEventListener("click", () => act(button));
      return button;
    };
    const log = tool("log", "Logarithmic scale", () => {
      this.logarithmic = !this.logarithmic;
      log.setAttribute("aria-pressed", this.logarithmic);
      this.draw(this.told, this.marks);
    });
    log.setAttribute("aria-pressed", this.logarithmic);
    return [this.options.stacked ? null : log,
      tool("CSV", "Save the numbers", () => save(this.label + ".csv", new Blob([toCsv(this.axis.name, this.told)], {type: "text/csv"}))),
      tool("PNG", "Save the picture", () => toPng(this.label, this.shown().map(s => ({name: s.name, stroke: colour(s.colour)})),
        this.plot.ctx.canvas, blob => save(this.label + ".png", blob)))].filter(Boolean);
  }

  resize() {
    const width = this.plotPlace.clientWidth;
    if (this.plot && width > 0 && width !== this.plot.width) this.plot.setSize({width, height: this.height()});
  }

  height() { return this.options.height || 220; }

  /** Series are {name, points}, each point [x, y], in order of x; marks {kind, x, text}. */
  draw(series, marks) {
    this.told = series.filter(s => s.points.length)
      .map((s, i) => ({...s, colour: s.colour || COLOURS[i % COLOURS.length]}));
    this.marks = marks || [];
    this.axis = this.options.axis();
    this.series = this.drawn();
    const data = joinSeries(this.series);
    const shape = [...this.series.map(s => s.name), document.documentElement.dataset.theme, this.axis.name, this.logarithmic].join("|");
    if (!this.plot || shape !== this.shape) this.build(shape, data);
    else {
      // What somebody has zoomed into stays while more comes.
      this.plot.setData(data, !this.zoomed);
      if (this.zoomed) this.plot.redraw();
    }
    this.drawLegend();
    this.describe();
  }

  shown() { return this.told.filter(s => !this.hidden.has(s.name)); }

  /** The curves that are shown: smoothed, stacked, and without what a logarithm has no place for. */
  drawn() {
    const weight = this.options.smoothing ? this.options.smoothing() : 0;
    const series = this.shown().map(s => ({...s, points: smooth(s.points, weight)}));
    // Of a stack the highest is behind the others.
    if (this.options.stacked) return stack(series).reverse();
    return this.logarithmic ? series.map(s => ({...s, points: s.points.map(([x, y]) => [x, y > 0 ? y : null])})) : series;
  }

  build(shape, data) {
    if (this.plot) this.plot.destroy();
    this.shape = shape;
    this.zoomed = false;
    const axis = {stroke: colour("--quiet"), grid: {stroke: colour("--line"), width: 1}, ticks: {show: false}, font: "12px system-ui, sans-serif"};
    const tick = this.options.format || format.short;
    this.plot = new uPlot({
      width: this.plotPlace.clientWidth || 600, height: this.height(), padding: [16, 14, 0, 0],
      legend: {show: false},
      cursor: {y: false, points: {size: 6}, drag: {x: true, y: true, uni: 24}, sync: this.options.sync && {key: this.options.sync + this.axis.name,
        scales: ["x", null], filters: {pub: type => type === "mousemove" || type === "mouseleave"}}},
      scales: {x: {time: false, range: this.options.rangeX}, y: this.logarithmic ? {distr: 3} : {range: this.options.range}},
      axes: [
        {...axis, size: 26, values: (u, all) => all.map(v => v === null ? "" : this.axis.tick(v)), space: 56,
          label: this.axis.name, labelSize: 18, labelGap: 0, labelFont: "12px system-ui, sans-serif"},
        {...axis, size: 58, values: (u, all) => all.map(v => v === null ? "" : tick(v))}],
      series: [{}, ...this.series.map(s => ({label: s.name, stroke: colour(s.colour), width: this.options.stacked ? 0 : 1.6,
        dash: s.dash, fill: this.options.stacked ? colour(s.colour) : s.fill && colour(s.fill),
        paths: s.stepped ? uPlot.paths.stepped({align: 1}) : undefined, spanGaps: true,
        points: {show: Boolean(s.dots) || s.points.length === 1, size: 5}}))],
      hooks: {draw: [u => drawMarks(u, this.marks.filter(m => !this.hidden.has(m.kind)))], setCursor: [u => this.showHover(u)],
        setSelect: [u => { this.zoomed = this.zoomed || u.select.width > 0 || u.select.height > 0; }]},
    }, data, this.plotPlace);
    this.plot.over.addEventListener("dblclick", () => { this.zoomed = false; });
    this.plotPlace.append(this.hover);
  }

  showHover(u) {
    const i = u.cursor.idx;
    // Charts that only follow show where the cursor is, and no figures.
    if (i === null || i === undefined || u.cursor.left < 0 || !u.over.matches(":hover")) { this.hover.hidden = true; return; }
    const x = u.data[0][i];
    const value = new Map(this.shown().map(s => [s.name, (s.points.findLast(p => p[0] <= x) || [])[1]]));
    const near = this.marks.filter(m => !this.hidden.has(m.kind) && Math.abs(u.valToPos(m.x, "x") - u.cursor.left) < 5).slice(0, 3);
    fill(this.hover,
      el("div", {}, this.axis.hover(x)),
      [...value].map(([name, y]) => y === undefined || y === null ? null : el("div", {}, name + ": " + (this.options.format || format.number)(y))),
      near.map(m => el("div", {}, MARKS[m.kind] + " " + m.text)));
    this.hover.hidden = false;
    const half = u.cursor.left > u.over.clientWidth / 2;
    this.hover.style.left = half ? "64px" : "auto";
    this.hover.style.right = half ? "auto" : "16px";
  }

  /** Each name switches what it names on and off. */
  drawLegend() {
    const kinds = [...new Set(this.marks.map(m => m.kind))];
    const key = this.told.map(s => s.name).join("|") + this.shape + kinds.join();
    if (key === this.legendKey) return;
    this.legendKey = key;
    const entry = (name, sign) => {
      const button = el("button", {type: "button", "aria-pressed": !this.hidden.has(name), title: "Show or hide"}, sign, name);
      button.addEventListener("click", () => {
        if (!this.hidden.delete(name)) this.hidden.add(name);
        this.legendKey = null;
        this.draw(this.told, this.marks);
      });
      return el("li", {}, button);
    };
    fill(this.legend,
      this.told.map(s => entry(s.name, el("i", {class: !s.dash ? "" : s.dash[0] > 3 ? "dashed" : "dotted", style: "color:var(" + s.colour + ")"}))),
      kinds.map(kind => entry(kind, el("span", {class: "mark"}, MARKS[kind]))));
  }

  /** For those who don't see it. */
  describe() {
    const text = this.label + ". " + this.told.map(s => s.name + ": from " + format.number(s.points[0][1]) + " to "
      + format.number(s.points[s.points.length - 1][1]) + " in " + s.points.length + " points").join("; ");
    this.plotPlace.setAttribute("aria-label", text);
    this.summary.textContent = text;
  }
}
