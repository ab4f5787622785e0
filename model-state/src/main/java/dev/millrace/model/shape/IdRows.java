package dev.millrace.model.shape;

import dev.millrace.model.io.InvalidModelException;
import java.util.Optional;

/** Refuses examples with ids where nobody has the rows of tables that make features of them. */
public final class IdRows {

  private IdRows() {}

  /**
   * Says why something can't take a model's examples.
   *
   * @param what has no rows, beginning a sentence: {@code An evaluation}
   * @param remedy what to do, as a command
   * @return a sentence that names the first field of ids and its table; empty if there is none
   */
  public static Optional<String> problem(ExampleShape shape, String what, String remedy) {
    return shape.columns().ids().stream()
        .findFirst()
        .map(
            column ->
                ("%s has no rows of tables, and the field \"%s\" takes those of the table"
                        + " \"%s\"; %s")
                    .formatted(what, column.name(), column.table(), remedy));
  }

  /**
   * Refuses a model of examples with ids.
   *
   * @param what has no rows, beginning a sentence
   * @throws InvalidModelException if there is a field of ids, naming it
   */
  public static void requireNone(ExampleShape shape, String what) {
    problem(shape, what, "take a model that has a category with buckets in its place")
        .ifPresent(
            problem -> {
              throw new InvalidModelException(problem);
            });
  }
}
