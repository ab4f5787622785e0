package dev.millrace.fields;

import dev.millrace.example.InvalidExampleException;
import dev.millrace.example.SkippedRecordException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The wrapping of a record around its fields. */
public enum Envelope {
  NONE,
  /** Debezium's change event: the row's new state in {@code after}, what was done in {@code op}. */
  DEBEZIUM,
  /** Debezium's change event within {@code payload}, beside its schema, as Kafka Connect writes. */
  DEBEZIUM_PAYLOAD;

  private static final String ROW = "after";
  private static final String OPERATION = "op";

  /** Returns where the fields stand. */
  public FieldPath row() {
    return this == NONE ? FieldPath.ROOT : root().then(ROW);
  }

  /** Returns where it says what was done. */
  public FieldPath operation() {
    return root().then(OPERATION);
  }

  /** Returns where it stands in a record. */
  public FieldPath root() {
    return this == DEBEZIUM_PAYLOAD ? FieldPath.ROOT.then("payload") : FieldPath.ROOT;
  }

  /** Plans the same fields of the row that is in it, and behind them what was done. */
  public FieldPlan around(FieldPlan plan) {
    if (this == NONE) {
      return plan;
    }
    List<FieldPath> fields = new ArrayList<>(inRow(plan.fields()));
    fields.add(operation());
    List<List<FieldPath>> alternatives =
        new ArrayList<>(plan.alternatives().stream().map(this::inRow).toList());
    alternatives.add(List.of(operation()));
    return new FieldPlan(
        fields, plan.sequence().map(row()::append), plan.stepFields(), alternatives, plan.lists());
  }

  private List<FieldPath> inRow(List<FieldPath> paths) {
    return paths.stream().map(row()::append).toList();
  }

  /**
   * Checks that there is a row.
   *
   * @param values of a plan that this is around
   * @throws SkippedRecordException if it is about none that is there
   * @throws InvalidExampleException if it isn't this envelope
   */
  public void requireRow(FieldValues values) throws InvalidExampleException {
    if (this == NONE) {
      return;
    }
    int operation = values.lastField();
    if (values.kind(operation) != FieldValues.Kind.TEXT) {
      throw new InvalidExampleException(
          "the envelope %s expected, and there is no %s: a record that is the row itself has none"
              .formatted(this, operation()));
    }
    require(values.textAt(operation));
  }

  /**
   * Checks that an operation leaves a row.
   *
   * @param operation {@code c}, {@code r} and {@code u} do
   * @throws SkippedRecordException if it leaves none
   * @throws InvalidExampleException if Debezium knows no such operation
   */
  public static void require(String operation) throws InvalidExampleException {
    switch (operation) {
      case "c", "r", "u" -> {}
      case "d", "t", "m" ->
          throw new SkippedRecordException(
              "Debezium's operation %s leaves no row".formatted(operation));
      default ->
          throw new InvalidExampleException(
              "Debezium's op is one of c, r, u, d, t and m, not \"%s\"".formatted(operation));
    }
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
