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
import org.apache.flink.table.data.ArrayData;
import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.types.logical.ArrayType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeRoot;

/**
 * Reads the named fields of a model from the columns of the same names. A NULL is a missing field,
 * which the model's description of fields says what to make of. An array is a list of ids, without
 * its NULLs.
 */
public final class FieldsReader implements RowReader {

  private static final int ABSENT = -1;

  private final InputColumn[] columns;
  private final ColumnValue[] found;
  private final RecordFeatures features;
  private final FieldValues values;

  /** The place of the column of each field of the plan, or {@link #ABSENT}. */
  private final int[] places;

  /** Finds the elements of the column of each field that is an array; null for the others. */
  private final ArrayData.ElementGetter[] elements;

  /**
   * @throws InvalidModelException if a field has no column, or a column no field, or a column's
   *     type can't be the field's value
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
    this.elements = new ArrayData.ElementGetter[places.length];
    for (int field = 0; field < places.length; field++) {
      if (places[field] != ABSENT) {
        elements[field] = elements(this.columns[places[field]], plan.lists().contains(field));
      }
    }
  }

  private static ArrayData.ElementGetter elements(InputColumn column, boolean isList) {
    if (!(column.type() instanceof ArrayType array)) {
      if (!InputColumns.isValue(column.type())) {
        throw new InvalidModelException(
            "Column '%s' has type %s, which no field takes; %s"
                .formatted(
                    column.name(),
                    column.typeText(),
                    "declare a number, STRING, BOOLEAN or a time"));
      }
      return null;
    }
    LogicalType element = array.getElementType();
    if (!isList) {
      throw new InvalidModelException(
          "Column '%s' has type %s, and its field takes one value; make the field a list, of the kind ids, or declare the column %s"
              .formatted(column.name(), column.typeText(), element.copy(true).asSummaryString()));
    }
    if (!InputColumns.isValue(element)) {
      throw new InvalidModelException(
          "Column '%s' has type %s, whose elements are no ids; declare it ARRAY<STRING> or ARRAY<BIGINT>"
              .formatted(column.name(), column.typeText()));
    }
    return ArrayData.createElementGetter(element);
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
        LogicalType type = columns[places[field]].type();
        Object value = found[places[field]].in(row);
        if (value instanceof ArrayData array) {
          setList(field, ((ArrayType) type).getElementType(), array);
        } else {
          set(values, field, type, value);
        }
      }
    }
    features.read(values, into);
  }

  private void setList(int field, LogicalType type, ArrayData array) {
    FieldValues list = values.setList(field);
    for (int i = 0; i < array.size(); i++) {
      set(list.addStep(), 0, type, elements[field].getElementOrNull(array, i));
    }
  }

  private static void set(FieldValues values, int field, LogicalType type, Object value) {
    if (value == null) {
      return;
    }
    if (value instanceof Double || value instanceof Float) {
      values.setDouble(field, ((Number) value).doubleValue());
    } else if (value instanceof Integer day && type.is(LogicalTypeRoot.DATE)) {
      values.setText(field, LocalDate.ofEpochDay(day).toString());
    } else if (value instanceof Number whole) {
      values.setLong(field, whole.longValue());
    } else if (value instanceof Boolean truth) {
      values.setBoolean(field, truth);
    } else if (value instanceof DecimalData decimal) {
      setDecimal(values, field, decimal.toBigDecimal());
    } else if (value instanceof TimestampData time) {
      // Either kind is the moment in UTC that its milliseconds say.
      values.setText(field, time.toInstant().toString());
    } else {
      values.setText(field, value.toString());
    }
  }

  private static void setDecimal(FieldValues values, int field, BigDecimal decimal) {
    if (decimal.scale() == 0) {
      values.setWhole(field, decimal.unscaledValue());
    } else {
      values.setDouble(field, decimal.doubleValue());
    }
  }
}
