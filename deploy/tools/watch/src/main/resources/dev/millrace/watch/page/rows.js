"use strict";
// The embedding tables, where fields are ids.

function tablesTable(record) {
  const share = (part, whole) => whole ? format.percent(part / whole) : "–";
  return table("Embedding tables", [{name: "table"}, {name: "rows", number: true}, {name: "made", number: true},
    {name: "expired", number: true}, {name: "uses", number: true}, {name: "waiting", number: true}, {name: "refused", number: true},
    {name: "found in the cache", number: true}, {name: "not saved yet", number: true}, {name: "norm", number: true}],
    record.tables.map(t => [t.table, format.count(t.rows), format.count(t.created), format.count(t.expired), format.count(t.uses),
      format.count(t.waiting), format.count(t.refused), share(t.hits, t.hits + t.misses), format.count(t.dirty), format.number(t.norm)]));
}

function hottestTable(record) {
  return table("Ids with the most uses", [{name: "table"}, {name: "id"}, {name: "uses", number: true}],
    record.tables.flatMap(t => (t.hottest || []).slice(0, 5).map(one => [t.table, one.id, format.count(one.uses)])));
}

/** A curve of a field for each table. */
function ofTables(run, over, field) {
  return run.latest("rows").tables.slice(0, 8).map(one => ({name: one.table, points: run.points("rows", record => {
    const found = (record.tables || []).find(t => t.table === one.table);
    return found && found[field];
  }, over)}));
}

const ROWS = [
  {title: "Embedding tables", wide: true, draw(body, run, over) {
    const record = run.latest("rows");
    if (!record) return page.silent;
    const made = kept(body, () => {
      const one = {tables: el("div"), hottest: el("div"), chart: runChart("Rows of each table", {y: "rows", range: fromZero})};
      one.element = el("div", {}, one.tables, el("h3", {}, "Rows"), one.chart.element, el("h3", {}, "Most uses"), one.hottest);
      return one;
    });
    made.chart.draw(ofTables(run, over, "rows"), []);
    if (made.record !== record) {
      fill(made.tables, tablesTable(record));
      fill(made.hottest, hottestTable(record));
    }
    made.record = record;
  }},
];
