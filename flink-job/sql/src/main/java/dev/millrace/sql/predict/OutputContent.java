package dev.millrace.sql.predict;

import dev.millrace.model.shape.Target;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.apache.flink.table.types.logical.ArrayType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeRoot;
import org.apache.flink.table.types.logical.VarCharType;

/** What a column of OUTPUT may hold: the fields of a prediction in JSON, and one value alone. */
enum OutputContent {
  /** The most probable class: its name, or its number. */
  CLASS(Target.CLASSIFICATION, "STRING, INT or BIGINT"),
  PROBABILITIES(Target.CLASSIFICATION, "ARRAY<FLOAT> or ARRAY<DOUBLE>"),
  SCORES(Target.MULTI_LABEL, "ARRAY<FLOAT> or ARRAY<DOUBLE>"),
  /** The one output of a model that has no other. */
  VALUE(Target.REGRESSION, "FLOAT or DOUBLE"),
  VALUES(Target.REGRESSION, "ARRAY<FLOAT> or ARRAY<DOUBLE>"),
  /** The version of the model that has made the prediction. */
  VERSION(null, "STRING");

  private final Target targetOrNull;
  private final String types;

  OutputContent(Target targetOrNull, String types) {
    this.targetOrNull = targetOrNull;
    this.types = types;
  }

  /** Null for none. */
  static OutputContent named(String name) {
    return Arrays.stream(values())
        .filter(content -> content.toString().equals(name))
        .findFirst()
        .orElse(null);
  }

  static List<String> names() {
    return Arrays.stream(values()).map(OutputContent::toString).toList();
  }

  /** Returns which models have it; null where all have. */
  Target targetOrNull() {
    return targetOrNull;
  }

  /** The types that it may be declared with, in words. */
  String types() {
    return types;
  }

  boolean mayBe(LogicalType type) {
    return switch (this) {
      case CLASS ->
          isString(type) || isOneOf(type, LogicalTypeRoot.INTEGER, LogicalTypeRoot.BIGINT);
      case PROBABILITIES, SCORES, VALUES ->
          type instanceof ArrayType array && isFloating(array.getElementType());
      case VALUE -> isFloating(type);
      case VERSION -> isString(type);
    };
  }

  /** One of a bounded length would hold part of a name. */
  private static boolean isString(LogicalType type) {
    return type instanceof VarCharType text && text.getLength() == VarCharType.MAX_LENGTH;
  }

  private static boolean isFloating(LogicalType type) {
    return isOneOf(type, LogicalTypeRoot.FLOAT, LogicalTypeRoot.DOUBLE);
  }

  private static boolean isOneOf(LogicalType type, LogicalTypeRoot one, LogicalTypeRoot other) {
    return type.is(one) || type.is(other);
  }

  /** Returns the name as SQL has it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
