"use strict";
// A chart as a file: its numbers, or its picture.

function save(name, blob) {
  const link = el("a", {download: name.replace(/[^A-Za-z0-9]+/g, "-").toLowerCase(), href: URL.createObjectURL(blob)});
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

/** A column for each series, as they are without smoothing. */
function toCsv(axis, series) {
  const cell = value => {
    const text = value === undefined || value === null ? "" : String(value);
    return /[",\n]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text;
  };
  const columns = joinSeries(series);
  const rows = columns[0].map((x, i) => columns.map(column => cell(column[i])).join(","));
  return [[axis, ...series.map(s => s.name)].map(cell).join(","), ...rows].join("\n") + "\n";
}

/** The plot with its title and the names of its series. */
function toPng(title, series, plot, done) {
  const ratio = devicePixelRatio, line = 18 * ratio;
  const canvas = el("canvas", {width: plot.width, height: plot.height + 2 * line + 8 * ratio});
  const ctx = canvas.getContext("2d");
  ctx.fillStyle = colour("--card");
  ctx.fillRect(0, 0, canvas.width, canvas.height);
  ctx.font = "600 " + 13 * ratio + "px system-ui, sans-serif";
  ctx.fillStyle = colour("--ink");
  ctx.fillText(title, 8 * ratio, line);
  ctx.font = 12 * ratio + "px system-ui, sans-serif";
  let x = 8 * ratio;
  for (const one of series) {
    ctx.fillStyle = one.stroke;
    ctx.fillText("■ " + one.name, x, 2 * line);
    x += ctx.measureText("■ " + one.name + "   ").width;
  }
  ctx.drawImage(plot, 0, 2 * line + 8 * ratio);
  canvas.toBlob(done);
}
