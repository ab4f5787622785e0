"use strict";
// Numbers, times and durations as people read them.

/** In thousands, millions and so on, with three digits. */
function scaled(value, units, unit) {
  const size = Math.abs(value);
  const found = units.find(([least]) => size >= least);
  return found ? +(value / found[0]).toPrecision(3) + " " + found[1] : +value.toPrecision(3) + unit;
}

const format = {
  count: value => value === undefined ? "–" : Math.round(value).toLocaleString("en"),
  // What isn't all and isn't nothing doesn't read as if it were.
  share: value => value === undefined || value === null ? "–" : value < 1 && value >= 0.9995 ? "> 0.999"
    : value > 0 && value < 0.0005 ? "< 0.001" : value.toFixed(3),
  percent: value => value === undefined || value === null ? "–" : format.number(100 * value) + " %",
  number(value) {
    if (value === undefined || value === null || !isFinite(value)) return "–";
    const size = Math.abs(value);
    if (size !== 0 && (size < 0.001 || size >= 1e6)) return value.toExponential(2);
    return size >= 100 ? Math.round(value).toLocaleString("en") : String(+value.toPrecision(3));
  },
  short: value => scaled(value, [[1e9, "G"], [1e6, "M"], [1e3, "k"]], ""),
  bytes: value => scaled(value, [[1e9, "GB"], [1e6, "MB"], [1e3, "kB"]], " B"),
  millis: value => !value ? "0" : Math.abs(value) >= 1000 ? format.duration(value) : +value.toPrecision(3) + " ms",
  duration(millis) {
    const seconds = millis / 1000;
    if (seconds < 10) return +seconds.toFixed(1) + " s";
    if (seconds < 120) return Math.round(seconds) + " s";
    if (seconds < 7200) return Math.round(seconds / 60) + " min";
    if (seconds < 172800) return Math.round(seconds / 3600) + " h";
    return Math.round(seconds / 86400) + " days";
  },
  time(millis) {
    const local = new Date(millis - 60000 * new Date(millis).getTimezoneOffset());
    return local.toISOString().slice(0, 19).replace("T", " ");
  },
  version: record => record.generation === undefined ? "–" : record.generation + "." + record.round,
};
