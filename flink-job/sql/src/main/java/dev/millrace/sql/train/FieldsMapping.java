package dev.millrace.sql.train;

import dev.millrace.example.Example;
import dev.millrace.example.ExampleAssembly;
import dev.millrace.example.ExampleReader;
import dev.millrace.example.InvalidExampleException;
import dev.millrace.fields.RecordFeatures;
import dev.millrace.source.RecordMapping;
import dev.millrace.sql.row.FieldsReader;
import dev.millrace.sql.row.InputColumn;
import dev.millrace.sql.row.RowReader;
import java.util.List;
import org.apache.flink.table.data.RowData;

/** Makes examples of rows whose columns are named fields. */
final class FieldsMapping implements RecordMapping<RowData>, ExampleReader {

  private final List<InputColumn> columns;
  private final RecordFeatures features;

  private transient RowReader reader;
  private transient RowData row;

  /**
   * @throws dev.millrace.model.io.InvalidModelException if a field has no column, or a column no
   *     field
   */
  FieldsMapping(List<InputColumn> columns, RecordFeatures features) {
    this.columns = List.copyOf(columns);
    this.features = features;
    this.reader = new FieldsReader(columns, features);
  }

  @Override
  public void map(RowData record, ExampleAssembly into) {
    if (reader == null) {
      reader = new FieldsReader(columns, features);
    }
    row = record;
    into.whole(this);
  }

  @Override
  public void read(Example into) throws InvalidExampleException {
    reader.read(row, into);
  }
}
