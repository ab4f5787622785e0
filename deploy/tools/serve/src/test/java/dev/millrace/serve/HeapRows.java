package dev.millrace.serve;

import dev.millrace.exchange.rows.InitialRow;
import dev.millrace.exchange.rows.PooledRows;
import dev.millrace.exchange.rows.RowTable;
import dev.millrace.job.follow.MissingRowsException;
import dev.millrace.job.follow.RowPlace;
import dev.millrace.job.follow.ServedRows;
import dev.millrace.model.IdLists;
import dev.millrace.model.shape.ExampleShape;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Rows in the place of a copy of a topic: those of a map, by a table's name and an id. */
final class HeapRows implements RowPlace, ServedRows {

  private static final long serialVersionUID = 1;

  final transient Map<String, float[]> rows = new ConcurrentHashMap<>();
  final transient AtomicInteger asked = new AtomicInteger();
  transient volatile boolean there = true;
  transient volatile boolean closed;

  void put(String table, long id, float... values) {
    rows.put(table + id, values);
  }

  @Override
  public ServedRows open() {
    return this;
  }

  @Override
  public Reader reader(ExampleShape shape) {
    asked.incrementAndGet();
    if (!there) {
      throw new MissingRowsException("there are no rows yet");
    }
    PooledRows pooled = new PooledRows(shape);
    return (IdLists ids, float[] features) -> pooled.fill(ids, this::read, features);
  }

  private void read(String table, int dimension, long[] ids, int n, float[] values) {
    for (int i = 0; i < n; i++) {
      float[] row = rows.get(table + ids[i]);
      if (row == null) {
        InitialRow.DEFAULT.fill(
            RowTable.of(table, dimension).hash(), ids[i], values, i * dimension, dimension);
      } else {
        System.arraycopy(row, 0, values, i * dimension, dimension);
      }
    }
  }

  @Override
  public void close() {
    closed = true;
  }

  @Override
  public String toString() {
    return "the heap";
  }
}
