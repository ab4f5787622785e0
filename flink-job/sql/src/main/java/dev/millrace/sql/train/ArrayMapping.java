package dev.millrace.sql.train;

import dev.millrace.example.ClassNames;
import dev.millrace.example.ExampleAssembly;
import dev.millrace.example.InvalidExampleException;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import dev.millrace.source.RecordMapping;
import dev.millrace.sql.row.ColumnValue;
import dev.millrace.sql.row.FloatColumns;
import dev.millrace.sql.row.Numbers;
import java.util.List;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.types.logical.ArrayType;

/** Makes examples of rows whose features are one array. */
final class ArrayMapping implements RecordMapping<RowData> {

  private final TableColumns columns;
  private final boolean isClass;
  private final ClassNames classes;

  private transient Columns found;

  /**
   * @param classes names in the order of their numbers; none where labels are numbers
   */
  ArrayMapping(TableColumns columns, ExampleShape shape, List<String> classes) {
    this.columns = columns;
    // An array has a label for each class, as those of other targets have.
    this.isClass =
        shape.target() == Target.CLASSIFICATION
            && !(columns.named(columns.labels().get(0)).type() instanceof ArrayType);
    this.classes = new ClassNames(classes, shape);
  }

  @Override
  public void map(RowData row, ExampleAssembly to) {
    if (found == null) {
      found = new Columns(columns);
    }
    try {
      to.features(found.features.in(row));
      if (isClass) {
        setClass(found.label.in(row), to);
      } else {
        to.labels(found.labels.in(row));
      }
      found.setOthers(row, to);
    } catch (InvalidExampleException e) {
      to.reject(e.getMessage());
    }
  }

  private void setClass(Object value, ExampleAssembly to) throws InvalidExampleException {
    if (value instanceof StringData || (value instanceof Boolean && classes.areGiven())) {
      String name = value.toString();
      int number = classes.find(name);
      to.label(number == ClassNames.UNKNOWN ? classes.meant(Double.NaN, name) : number);
      return;
    }
    double number = Numbers.of(value, columns.labels().get(0));
    if (classes.areNumeric()) {
      to.label(classes.meant(number, value.toString()));
    } else if (Math.rint(number) == number) {
      to.label((long) number);
    } else {
      throw new InvalidExampleException("label %s is not a whole number".formatted(number));
    }
  }

  /** Readers of the columns; of one thread. */
  private static final class Columns {

    private final FloatColumns features;
    private final FloatColumns labels;
    private final ColumnValue label;
    private final ColumnValue weight;
    private final ColumnValue id;
    private final ColumnValue timestamp;
    private final TableColumns columns;

    Columns(TableColumns columns) {
      this.columns = columns;
      this.features = new FloatColumns(columns.all(), List.of(TableColumns.FEATURES));
      this.labels = new FloatColumns(columns.all(), columns.labels());
      this.label = value(columns.labels().get(0));
      this.weight = value(columns.weightOrNull());
      this.id = value(columns.idOrNull());
      this.timestamp = value(columns.timestampOrNull());
    }

    private ColumnValue value(String nameOrNull) {
      return nameOrNull == null ? null : columns.named(nameOrNull).at(columns.place(nameOrNull));
    }

    void setOthers(RowData row, ExampleAssembly to) throws InvalidExampleException {
      if (weight != null) {
        to.weight((float) Numbers.of(weight.in(row), columns.weightOrNull()));
      }
      if (id != null) {
        Object name = id.in(row);
        to.id(name == null ? null : name.toString());
      }
      if (timestamp != null) {
        Object time = timestamp.in(row);
        to.timestamp(
            time instanceof TimestampData moment
                ? moment.getMillisecond()
                : (long) Numbers.of(time, columns.timestampOrNull()));
      }
    }
  }
}
