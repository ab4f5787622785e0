package dev.millrace.exchange.flink.rows;

import dev.millrace.model.io.BulkArrays;
import dev.millrace.model.io.WireFormat;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.Serializable;

/**
 * A row that others are to know.
 *
 * @param table number of the table
 * @param valuesOrNull as many as the table's dimension; null where the row was removed
 */
public record RowChange(int table, long id, float[] valuesOrNull) {

  public static final WireFormat<RowChange> WIRE = new ChangeWire();

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
