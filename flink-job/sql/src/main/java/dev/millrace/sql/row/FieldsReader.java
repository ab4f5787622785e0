package dev.millrace.sql.row;

import dev.millrace.example.Example;
import dev.millrace.example.InvalidExampleException;
import dev.millrace.fields.FieldPath;
import dev.millrace.fields.FieldPlan;
import dev.millrace.fields.FieldValues;
import dev.millrace.fields.RecordFeatures;
import dev.millrace.model.io.InvalidModelException;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.types.logical.LogicalTypeRoot;

/**
 * Reads the named fields of a model from the columns of the same names. A NULL is a missing field,
 * which the model's description of fields says what to make of.
 */
public final class FieldsReader implements RowReader {

  private static final int ABSENT = -1;

  private final InputColumn[] columns;
  private final ColumnValue[] found;
  private final RecordFeatures features;
  private final FieldValues values;

  /** The place of the column of each field of the plan, or {@link #ABSENT}. */
  private final int[] places;

  /**
   * @throws InvalidModelException if a field has no column, or a column no field
   */
  public FieldsReader(List<InputColumn> columns, RecordFeatures features) {
    this.columns = columns.toArray(InputColumn[]::new);
    this.found = new ColumnValue[this.columns.length];
    for (int i = 0; i < found.length; i++) {
      found[i] = this.columns[i].at(i);
    }
    this.features = features;
    this.values = features.values();
    FieldPlan plan = features.plan();
    List<String> names = columns.stream().map(InputColumn::name).toList();
    this.places = plan.fields().stream().mapToInt(path -> names.indexOf(nameOf(path))).toArray();
    requireColumns(plan, names);
    requireFields(plan, names);
  }

  /** A path of one step is a column's name; one of several is in quotes, as it is written. */
  private static String nameOf(FieldPath path) {
    return path.steps().size() == 1 && path.steps().get(0) instanceof String name
        ? name
        : path.toString();
  }

  private static void requireColumns(FieldPlan plan, List<String> names) {
    for (List<FieldPath> field : plan.alternatives()) {
      if (field.stream().map(FieldsReader::nameOf).noneMatch(names::contains)) {
        throw new InvalidModelException(
            "The model takes a field '%s', and no column is called so; there are %s. Declare one of that name"
                .formatted(nameOf(field.get(0)), String.join(", ", names)));
      }
    }
  }

  private static void requireFields(FieldPlan plan, List<String> names) {
    Set<String> fields = new HashSet<>();
    plan.fields().forEach(path -> fields.add(nameOf(path)));
    for (String name : names) {
      if (!fields.contains(name)) {
        throw new InvalidModelException(
            "Column '%s' is no field that the model takes; it takes %s. Leave the column out"
                .formatted(
                    name,
                    String.join(", ", plan.fields().stream().map(FieldsReader::nameOf).toList())));
      }
    }
  }

  @Override
  public void read(RowData row, Example into) throws InvalidExampleException {
    values.clear();
    for (int field = 0; field < places.length; field++) {
      if (places[field] != ABSENT) {
        set(field, columns[places[field]], found[places[field]].in(row));
      }
    }
    features.read(values, into);
  }

  private void set(int field, InputColumn column, Object value) {
    if (value == null) {
      return;
    }
    if (value instanceof Double || value instanceof Float) {
      values.setDouble(field, ((Number) value).doubleValue());
    } else if (value instanceof Integer day && column.type().is(LogicalTypeRoot.DATE)) {
      values.setText(field, LocalDate.ofEpochDay(day).toString());
    } else if (value instanceof Number whole) {
      values.setLong(field, whole.longValue());
    } else if (value instanceof Boolean truth) {
      values.setBoolean(field, truth);
    } else if (value instanceof DecimalData decimal) {
      setDecimal(field, decimal.toBigDecimal());
    } else if (value instanceof TimestampData time) {
      // Either kind is the moment in UTC that its milliseconds say.
      values.setText(field, time.toInstant().toString());
    } else {
      values.setText(field, value.toString());
    }
  }

  private void setDecimal(int field, BigDecimal decimal) {
    if (decimal.scale() == 0) {
      values.setWhole(field, decimal.unscaledValue());
    } else {
      values.setDouble(field, decimal.doubleValue());
    }
  }
}
