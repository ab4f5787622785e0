"use strict";
// Numbers, times and durations as people read them.

const format = {
  count: value => value === undefined ? "–" : Math.round(value).toLocaleString("en"),
  share: value => value === undefined ? "–" : value.toFixed(3),
  number(value) {
    if (value === undefined || value === null || !isFinite(value)) return "–";
    const size = Math.abs(value);
    if (size !== 0 && (size < 0.001 || size >= 1e6)) return value.toExponential(2);
    return size >= 100 ? Math.round(value).toLocaleString("en") : value.toPrecision(3).replace(/\.?0+$/, "");
  },
  short(value) {
    const size = Math.abs(value);
    if (size >= 1e9) return +(value / 1e9).toPrecision(3) + " G";
    if (size >= 1e6) return +(value / 1e6).toPrecision(3) + " M";
    if (size >= 1e4) return +(value / 1e3).toPrecision(3) + " k";
    return String(+value.toPrecision(4));
  },
  bytes(value) {
    if (value >= 1e9) return +(value / 1e9).toPrecision(3) + " GB";
    if (value >= 1e6) return +(value / 1e6).toPrecision(3) + " MB";
    return value >= 1e3 ? +(value / 1e3).toPrecision(3) + " kB" : Math.round(value) + " B";
  },
  millis: value => value >= 1000 ? format.duration(value) : format.number(value) + " ms",
  duration(millis) {
    const seconds = millis / 1000;
    if (seconds < 10) return seconds.toFixed(1) + " s";
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
