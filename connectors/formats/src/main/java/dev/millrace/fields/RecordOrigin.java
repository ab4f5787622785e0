package dev.millrace.fields;

import dev.millrace.example.Example;
import dev.millrace.example.InvalidExampleException;
import java.io.Serializable;

/** Reads what an example is beside features and labels: weight, id and time. */
final class RecordOrigin implements Serializable {

  private final PlannedField weightOrNull;
  private final PlannedField idOrNull;
  private final PlannedField timestampOrNull;
  private final TimeUnit unit;

  RecordOrigin(FieldsDescription description, PlanBuilder builder) {
    this.weightOrNull = planned(description.weightOrNull(), builder);
    this.idOrNull = planned(description.idOrNull(), builder);
    this.timestampOrNull = planned(description.timestampOrNull(), builder);
    this.unit = description.timestampUnit();
  }

  private static PlannedField planned(FieldSource sourceOrNull, PlanBuilder builder) {
    return sourceOrNull == null ? null : builder.add(sourceOrNull);
  }

  /**
   * Reads weight, id and time into an example that was reset, where what is missing stays as it is.
   */
  void read(FieldValues values, Example into) throws InvalidExampleException {
    if (isThere(weightOrNull, values)) {
      into.setWeight(weight(values));
    }
    if (isThere(idOrNull, values)) {
      into.setId(Value.text(values, idOrNull.find(values), idOrNull.source().name()));
    }
    if (isThere(timestampOrNull, values)) {
      into.setTimestamp(
          TimeValue.millis(
              values, timestampOrNull.find(values), unit, timestampOrNull.source().name()));
    }
  }

  private static boolean isThere(PlannedField fieldOrNull, FieldValues values)
      throws InvalidExampleException {
    return fieldOrNull != null && values.kind(fieldOrNull.find(values)) != FieldValues.Kind.MISSING;
  }

  private float weight(FieldValues values) throws InvalidExampleException {
    String name = weightOrNull.source().name();
    int at = weightOrNull.find(values);
    float weight = Value.toFloat(Value.number(values, at, name), name);
    if (!(weight > 0)) {
      throw Value.expected("a weight above 0", values, at, name);
    }
    return weight;
  }
}
