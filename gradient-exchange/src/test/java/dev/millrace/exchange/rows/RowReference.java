package dev.millrace.exchange.rows;

import dev.millrace.exchange.minibatch.RecordClock;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongToIntFunction;

/** What a table does, as a plain loop over a map: no cache, no bytes, no sweep, one shard. */
final class RowReference {

  final Map<Long, PlainRow> rows = new HashMap<>();
  long usesWithoutRow;
  long usesExpired;
  long refused;

  private final RowTable table;
  private final int groups;
  private final LongToIntFunction groupOf;
  private final CountingSketch[] sketches;
  private final int[] rowsOfGroup;
  private RecordClock clock;

  static final class PlainRow {
    float[] floats;
    long uses;
    long lastUse;
    int epoch;
  }

  RowReference(RowTable table, int groups, LongToIntFunction groupOf) {
    this.table = table;
    this.groups = groups;
    this.groupOf = groupOf;
    this.sketches = new CountingSketch[groups];
    this.rowsOfGroup = new int[groups];
    for (int i = 0; i < groups; i++) {
      sketches[i] = new CountingSketch(table.admission().cells());
    }
    this.clock = table.expiry().byTime() ? RecordClock.UNKNOWN : RecordClock.at(0);
  }

  boolean expired(long lastUse) {
    return table.expiry().expires()
        && lastUse != RecordClock.EARLIEST
        && clock.now() - lastUse > table.expiry().length();
  }

  float[] values(UniqueIds ids) {
    float[] values = new float[ids.size() * table.dimension()];
    for (int i = 0; i < ids.size(); i++) {
      PlainRow row = rows.get(ids.ids()[i]);
      if (row == null || expired(row.lastUse)) {
        row = initial(ids.ids()[i]);
      }
      System.arraycopy(row.floats, 0, values, i * table.dimension(), table.dimension());
    }
    return values;
  }

  private PlainRow initial(long id) {
    PlainRow row = new PlainRow();
    row.floats = new float[table.floats()];
    table.initial().fill(table.hash(), id, row.floats, 0, table.dimension());
    table.updater().reset(row.floats, 0, table.dimension());
    return row;
  }

  void push(UniqueIds ids, float[] gradients, RowMinibatch minibatch) {
    clock =
        table.expiry().byTime()
            ? clock.told(minibatch.time(), table.expiry().length() / 8)
            : RecordClock.at(clock.now() + minibatch.examples());
    long now = table.expiry().byTime() ? clock.use(minibatch.time()) : clock.now();
    for (int i = 0; i < ids.size(); i++) {
      push(ids.ids()[i], ids.counts()[i], gradients, i * table.dimension(), now, minibatch);
    }
  }

  private void push(
      long id, int uses, float[] gradients, int from, long now, RowMinibatch minibatch) {
    PlainRow row = rows.get(id);
    int group = groupOf.applyAsInt(id);
    if (row != null && expired(row.lastUse)) {
      rows.remove(id);
      rowsOfGroup[group]--;
      usesExpired += row.uses;
      row = null;
    }
    if (row == null) {
      boolean full = rowsOfGroup[group] >= Math.ceil(table.mostRows() / (double) groups);
      if (full
          || uses == 0
          || (table.admission().uses() > 1
              && sketches[group].add(id, uses) < table.admission().uses())) {
        usesWithoutRow += uses;
        refused += full ? 1 : 0;
        return;
      }
      row = initial(id);
      row.epoch = minibatch.epoch();
      row.lastUse = now;
      rows.put(id, row);
      rowsOfGroup[group]++;
    }
    row.uses += uses;
    row.lastUse = uses == 0 ? row.lastUse : Math.max(row.lastUse, now);
    if (minibatch.epoch() > row.epoch) {
      table.updater().reset(row.floats, 0, table.dimension());
      row.epoch = minibatch.epoch();
    }
    float[] updated = row.floats.clone();
    table.updater().update(updated, 0, table.dimension(), gradients, from, minibatch.scale());
    for (float value : updated) {
      if (!Float.isFinite(value)) {
        refused++;
        return;
      }
    }
    row.floats = updated;
  }
}
