package dev.millrace.exchange.flink.rows;

import dev.millrace.model.io.BulkArrays;
import dev.millrace.model.io.WireFormat;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.Serializable;

/**
 * A row that others are to know, or a table that there is, or that more comes.
 *
 * @param table number of the table
 * @param valuesOrNull as many as the table's dimension; null where the row was removed; none where
 *     it is the table that is told of
 */
public record RowChange(int table, long id, float[] valuesOrNull) {

  public static final WireFormat<RowChange> WIRE = new ChangeWire();

  /** Tells that there is a table, whether it has rows or not. */
  static RowChange ofTable(int table) {
    return new RowChange(table, 0, new float[0]);
  }

  /** Tells ahead of a checkpoint that it has rows that weren't told of yet. */
  static RowChange moreComes() {
    return new RowChange(-1, 0, new float[0]);
  }

  /** Whether it tells of nothing, and says that the next checkpoint has rows that come later. */
  public boolean saysThatMoreComes() {
    return table < 0;
  }

  /** Whether it tells of a table, and of no row. */
  public boolean isOfTable() {
    return valuesOrNull != null && valuesOrNull.length == 0;
  }

  private static final class ChangeWire implements WireFormat<RowChange>, Serializable {

    @Override
    public void write(RowChange change, DataOutput out) throws IOException {
      out.writeInt(change.table);
      out.writeLong(change.id);
      out.writeBoolean(change.valuesOrNull != null);
      if (change.valuesOrNull != null) {
        BulkArrays.writeFloats(out, change.valuesOrNull);
      }
    }

    @Override
    public RowChange read(DataInput in) throws IOException {
      return new RowChange(
          in.readInt(), in.readLong(), in.readBoolean() ? BulkArrays.readFloats(in) : null);
    }
  }
}
