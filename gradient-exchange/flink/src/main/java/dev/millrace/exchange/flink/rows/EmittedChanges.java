package dev.millrace.exchange.flink.rows;

import dev.millrace.exchange.rows.RowChanges;
import dev.millrace.exchange.rows.RowTable;
import java.util.Arrays;
import java.util.List;
import org.apache.flink.streaming.api.operators.Output;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/** Emits each change of a row. */
record EmittedChanges(long listener, List<RowTable> tables, Output<?> output)
    implements RowChanges {

  @Override
  public void changed(int table, long id, float[] floats, int at) {
    emit(
        new RowChange(
            table, id, Arrays.copyOfRange(floats, at, at + tables.get(table).dimension())));
  }

  @Override
  public void removed(int table, long id) {
    emit(new RowChange(table, id, null));
  }

  private void emit(RowChange change) {
    output.collect(RowOutputs.CHANGES, new StreamRecord<>(change));
  }
}
