package dev.millrace.fields;

import dev.millrace.example.Example;
import dev.millrace.example.ExampleReader;
import dev.millrace.example.InvalidExampleException;
import dev.millrace.model.shape.ExampleShape;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Takes ids of a record that a program gives by the names of their fields, in any order. A field
 * that is given twice has what came last, and one that isn't given has no ids.
 *
 * <p>Not thread-safe.
 */
public final class GivenIds implements ExampleReader {

  private final List<IdFeature> fields;
  private final IdStep[] steps;
  private final FieldValues values;

  /**
   * Takes ids for examples.
   *
   * @param shape of the examples; it may have no fields of ids
   */
  public GivenIds(ExampleShape shape) {
    String description = shape.columns().ids().isEmpty() ? "" : shape.columns().description();
    Optional<FieldsDescription> described =
        description.isEmpty()
            ? Optional.empty()
            : Optional.of(FieldsDescription.ofCanonical(description));
    this.fields =
        described.stream()
            .flatMap(all -> all.features().stream())
            .filter(IdFeature.class::isInstance)
            .map(IdFeature.class::cast)
            .toList();
    this.steps = fields.stream().map(IdFeature::ids).toArray(IdStep[]::new);
    List<FieldPath> paths = fields.stream().map(field -> field.source().path()).toList();
    this.values =
        new FieldValues(
            new FieldPlan(
                paths,
                Optional.empty(),
                List.of(),
                paths.stream().map(List::of).toList(),
                IntStream.range(0, paths.size()).boxed().collect(Collectors.toSet())),
            described.map(FieldsDescription::texts).orElse(FieldTexts.DEFAULT));
    values.limitLists(
        fields.stream()
            .filter(IdsField.class::isInstance)
            .mapToInt(field -> ((IdsField) field).most())
            .max()
            .orElse(0));
  }

  /** Forgets what was given. */
  public void clear() {
    values.clear();
  }

  /**
   * Gives the value of a field of one id.
   *
   * @param wordOrNull null for none
   * @throws InvalidExampleException if there is no such field
   */
  public void setWord(String field, String wordOrNull) throws InvalidExampleException {
    set(values, one(field), wordOrNull, field);
  }

  /**
   * Gives the number of a field of one id: its word is the decimal text.
   *
   * @throws InvalidExampleException if there is no such field
   */
  public void setNumber(String field, long number) throws InvalidExampleException {
    values.setLong(one(field), number);
  }

  /**
   * Gives the values of a field of a list: texts, numbers, true or false; null ones are left out.
   *
   * @throws InvalidExampleException if there is no such field, or something else among the values
   */
  public void setList(String field, Iterable<?> elements) throws InvalidExampleException {
    FieldValues list = values.setList(list(field));
    for (Object element : elements) {
      set(list.addStep(), 0, element, field);
    }
  }

  /**
   * Gives the numbers of a field of a list.
   *
   * @throws InvalidExampleException if there is no such field
   */
  public void setList(String field, long[] numbers) throws InvalidExampleException {
    FieldValues list = values.setList(list(field));
    for (long number : numbers) {
      list.addStep().setLong(0, number);
    }
  }

  /** Fills the ids of an example, and nothing else. */
  @Override
  public void read(Example into) throws InvalidExampleException {
    into.ids().clear();
    for (int i = 0; i < steps.length; i++) {
      steps[i].read(values, i, into.ids());
      into.ids().end();
    }
  }

  private static void set(FieldValues values, int at, Object valueOrNull, String field)
      throws InvalidExampleException {
    if (valueOrNull == null) {
      values.setMissing(at);
    } else if (valueOrNull instanceof String text) {
      values.setText(at, text);
    } else if (valueOrNull instanceof Long
        || valueOrNull instanceof Integer
        || valueOrNull instanceof Short
        || valueOrNull instanceof Byte) {
      values.setLong(at, ((Number) valueOrNull).longValue());
    } else if (valueOrNull instanceof BigInteger whole) {
      values.setWhole(at, whole);
    } else if (valueOrNull instanceof Double || valueOrNull instanceof Float) {
      values.setDouble(at, ((Number) valueOrNull).doubleValue());
    } else if (valueOrNull instanceof Boolean truth) {
      values.setBoolean(at, truth);
    } else {
      throw new InvalidExampleException(
          "field \"%s\": a text, a number or a boolean expected, an object of %s found; give its text"
              .formatted(field, valueOrNull.getClass().getName()));
    }
  }

  private int one(String field) throws InvalidExampleException {
    int at = find(field);
    if (fields.get(at) instanceof IdsField) {
      throw new InvalidExampleException(
          "field \"%s\": a list of ids expected, one id found".formatted(field));
    }
    return at;
  }

  private int list(String field) throws InvalidExampleException {
    int at = find(field);
    if (fields.get(at) instanceof IdField) {
      throw new InvalidExampleException(
          "field \"%s\": one id expected, a list found".formatted(field));
    }
    return at;
  }

  private int find(String field) throws InvalidExampleException {
    for (int i = 0; i < fields.size(); i++) {
      if (fields.get(i).source().name().equals(field)) {
        return i;
      }
    }
    throw new InvalidExampleException(
        fields.isEmpty()
            ? "ids of \"%s\" given, and the model has no fields of ids".formatted(field)
            : "ids of \"%s\" given, and the model has fields of ids called %s"
                .formatted(
                    field,
                    String.join(
                        ", ", fields.stream().map(known -> known.source().name()).toList())));
  }
}
