"use strict";
// Curves, by uPlot. Colours and sizes follow the page.

const COLOURS = ["--c0", "--c1", "--c2", "--c3", "--c4", "--c5"];
const MARK_COLOURS = {drift: "--c3", restart: "--c1", rescale: "--c0", checkpoint: "--c2", model: "--c5", "held back": "--c4"};

function colour(name) { return getComputedStyle(document.documentElement).getPropertyValue(name).trim(); }

/** How values of the horizontal axis read. */
const AXES = {
  examples: {name: "examples", tick: value => format.short(value), hover: value => format.count(value) + " examples"},
  time: {name: "time", tick: value => format.duration(value * 1000), hover: value => "after " + format.duration(value * 1000)},
};

class Chart {
  /**
   * What it shows in words; options are axis(), which gives one of AXES or its like, height, range
   * of the vertical axis, format of its values, and hiddenMarks.
   */
  constructor(label, options) {
    this.label = label;
    this.options = options;
    this.hidden = new Set(options.hiddenMarks || []);
    this.legend = el("ul", {class: "legend"});
    this.plotPlace = el("div", {class: "chart", role: "img"});
    this.summary = el("p", {class: "hidden"});
    this.element = el("figure", {style: "margin:0"}, this.legend, this.plotPlace, this.summary);
    this.hover = el("div", {class: "hover", hidden: ""});
    this.marks = [];
    this.shape = "";
    new ResizeObserver(() => this.resize()).observe(this.plotPlace);
  }

  resize() {
    const width = this.plotPlace.clientWidth;
    if (this.plot && width > 0 && width !== this.plot.width) this.plot.setSize({width, height: this.height()});
  }

  height() { return this.options.height || 220; }

  /** Series are {name, points}, each point [x, y], in order of x; marks {kind, x, text}. */
  draw(series, marks) {
    series = series.filter(s => s.points.length);
    this.series = series;
    this.marks = marks || [];
    const data = Chart.join(series);
    this.axis = this.options.axis();
    const shape = series.map(s => s.name).join("|") + document.documentElement.dataset.theme + this.axis.name;
    if (!this.plot || shape !== this.shape) this.build(shape, data); else this.plot.setData(data);
    this.drawLegend();
    this.describe();
  }

  static join(series) {
    if (!series.length) return [[]];
    if (series.length === 1) return [series[0].points.map(p => p[0]), series[0].points.map(p => p[1])];
    return uPlot.join(series.map(s => [s.points.map(p => p[0]), s.points.map(p => p[1])]));
  }

  build(shape, data) {
    if (this.plot) this.plot.destroy();
    this.shape = shape;
    const quiet = colour("--quiet"), line = colour("--line");
    const axis = {stroke: quiet, grid: {stroke: line, width: 1}, ticks: {show: false}, font: "12px system-ui, sans-serif"};
    this.plot = new uPlot({
      width: this.plotPlace.clientWidth || 600, height: this.height(), padding: [8, 12, 0, 0],
      legend: {show: false}, cursor: {points: {size: 6}, drag: {x: true, y: false}},
      scales: {x: {time: false, range: this.options.rangeX}, y: {range: this.options.range, distr: this.options.logarithmic ? 3 : 1}},
      axes: [
        {...axis, size: 28, values: (u, all) => all.map(v => v === null ? "" : this.axis.tick(v)), space: 70},
        {...axis, size: 56, values: (u, all) => all.map(v => v === null ? "" : (this.options.format || format.short)(v))}],
      series: [{}, ...this.series.map((s, i) => ({label: s.name, stroke: colour(s.colour || COLOURS[i % COLOURS.length]), width: 1.6,
        dash: s.dash, fill: s.fill && colour(s.fill), paths: s.stepped ? uPlot.paths.stepped({align: 1}) : undefined, spanGaps: true, points: {show: s.dots || s.points.length === 1, size: 5}}))],
      hooks: {draw: [u => this.drawMarks(u)], setCursor: [u => this.showHover(u)]},
    }, data, this.plotPlace);
    this.plotPlace.append(this.hover);
  }

  drawMarks(u) {
    const seen = new Set();
    u.ctx.save();
    u.ctx.lineWidth = devicePixelRatio;
    u.ctx.setLineDash([4 * devicePixelRatio, 3 * devicePixelRatio]);
    for (const mark of this.marks) {
      if (this.hidden.has(mark.kind)) continue;
      const x = Math.round(u.valToPos(mark.x, "x", true));
      // Thousands of models are one line a pixel.
      if (x < u.bbox.left || x > u.bbox.left + u.bbox.width || seen.has(mark.kind + x)) continue;
      seen.add(mark.kind + x);
      u.ctx.strokeStyle = colour(MARK_COLOURS[mark.kind]);
      u.ctx.beginPath();
      u.ctx.moveTo(x, u.bbox.top);
      u.ctx.lineTo(x, u.bbox.top + u.bbox.height);
      u.ctx.stroke();
    }
    u.ctx.restore();
  }

  showHover(u) {
    const i = u.cursor.idx;
    if (i === null || i === undefined || u.cursor.left < 0) { this.hover.hidden = true; return; }
    const x = u.data[0][i];
    const near = this.marks.filter(m => !this.hidden.has(m.kind) && Math.abs(u.valToPos(m.x, "x") - u.cursor.left) < 5).slice(0, 3);
    fill(this.hover,
      el("div", {}, this.axis.hover(x)),
      this.series.map((s, k) => u.data[k + 1][i] === undefined || u.data[k + 1][i] === null ? null
        : el("div", {}, s.name + ": " + (this.options.format || format.number)(u.data[k + 1][i]))),
      near.map(m => el("div", {}, m.text)));
    this.hover.hidden = false;
    const half = u.cursor.left > u.over.clientWidth / 2;
    this.hover.style.top = "8px";
    this.hover.style.left = half ? "64px" : "auto";
    this.hover.style.right = half ? "auto" : "16px";
  }

  drawLegend() {
    const kinds = [...new Set(this.marks.map(m => m.kind))];
    const key = this.shape + kinds.join();
    if (key === this.legendKey) return;
    this.legendKey = key;
    fill(this.legend,
      this.series.map((s, i) => el("li", {}, el("i", {style: "background:" + colour(s.colour || COLOURS[i % COLOURS.length])}), s.name)),
      kinds.map(kind => {
        const box = el("input", {type: "checkbox"});
        box.checked = !this.hidden.has(kind);
        box.addEventListener("change", () => {
          if (box.checked) this.hidden.delete(kind); else this.hidden.add(kind);
          this.plot.redraw();
        });
        return el("li", {}, el("label", {}, box, el("i", {class: "dashed", style: "border-color:" + colour(MARK_COLOURS[kind])}), kind));
      }));
  }

  /** For those who don't see it. */
  describe() {
    const text = this.label + ". " + this.series.map(s => s.name + ": from " + format.number(s.points[0][1]) + " to "
      + format.number(s.points[s.points.length - 1][1]) + " in " + s.points.length + " points").join("; ");
    this.plotPlace.setAttribute("aria-label", text);
    this.summary.textContent = text;
  }
}
