"use strict";
// What happened, in curves: grey lines with a shape above each, so that no mark looks like a series.

const MARKS = {drift: "▼", restart: "✕", rescale: "◆", checkpoint: "●", model: "■", "held back": "□"};

/** Draws marks {kind, x} into a plot. */
function drawMarks(u, marks) {
  const seen = new Set(), ratio = devicePixelRatio;
  u.ctx.save();
  u.ctx.strokeStyle = u.ctx.fillStyle = colour("--quiet");
  u.ctx.lineWidth = ratio;
  u.ctx.setLineDash([3 * ratio, 3 * ratio]);
  u.ctx.font = 10 * ratio + "px system-ui, sans-serif";
  u.ctx.textAlign = "center";
  u.ctx.textBaseline = "bottom";
  for (const mark of marks) {
    const x = Math.round(u.valToPos(mark.x, "x", true));
    // Thousands of models are one line a pixel.
    if (x < u.bbox.left || x > u.bbox.left + u.bbox.width || seen.has(mark.kind + x)) continue;
    seen.add(mark.kind + x);
    u.ctx.beginPath();
    u.ctx.moveTo(x, u.bbox.top);
    u.ctx.lineTo(x, u.bbox.top + u.bbox.height);
    u.ctx.stroke();
    u.ctx.fillText(MARKS[mark.kind], x, u.bbox.top - ratio);
  }
  u.ctx.restore();
}
