package dev.millrace.job.rows;

import dev.millrace.exchange.rows.InitialRow;
import dev.millrace.exchange.rows.PooledRows;
import dev.millrace.exchange.rows.RowTable;
import dev.millrace.job.follow.MissingRowsException;
import dev.millrace.job.follow.ServedRows;
import dev.millrace.model.IdLists;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.IdColumn;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads rows of a copy. Belongs to one thread. */
final class CopyReader implements ServedRows.Reader, PooledRows.Source {

  private final LocalRows copy;
  private final PooledRows pooled;
  private final Map<String, Table> tables = new HashMap<>();

  private record Table(byte[] key, long hash, InitialRow initial) {}

  /**
   * @throws MissingRowsException if the copy hasn't the tables of the shape yet
   * @throws InvalidModelException if their rows have another length
   */
  CopyReader(LocalRows copy, ExampleShape shape) {
    this.copy = copy;
    this.pooled = new PooledRows(shape);
    for (IdColumn column : shape.columns().ids()) {
      tables.computeIfAbsent(column.table(), name -> table(name, column));
    }
  }

  private Table table(String name, IdColumn column) {
    byte[] key = RowRecords.key(name);
    byte[] described = copy.get(key);
    if (described == null) {
      throw new MissingRowsException(
          "there are no rows of the table '%s' yet, which the field '%s' takes"
              .formatted(name, column.name()));
    }
    try {
      RowTable table = RowRecords.table(name, described);
      if (table.dimension() != column.features().length()) {
        throw new InvalidModelException(
            "rows of the table '%s' have %s values, and the field '%s' takes %s"
                .formatted(name, table.dimension(), column.name(), column.features().length()));
      }
      return new Table(key, table.hash(), table.initial());
    } catch (IOException e) {
      throw new InvalidModelException(
          "the table '%s' can't be read: %s".formatted(name, e.getMessage()), e);
    }
  }

  @Override
  public void complete(IdLists ids, float[] features) {
    pooled.fill(ids, this, features);
  }

  @Override
  public void read(String name, int dimension, long[] ids, int n, float[] values) {
    Table table = tables.get(name);
    List<byte[]> rows = copy.get(table.key(), ids, n);
    for (int i = 0; i < n; i++) {
      byte[] row = rows.get(i);
      if (row == null || !RowRecords.read(row, values, i * dimension, dimension)) {
        table.initial().fill(table.hash(), ids[i], values, i * dimension, dimension);
      }
    }
  }
}
