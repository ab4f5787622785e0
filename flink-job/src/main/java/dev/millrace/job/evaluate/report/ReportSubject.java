package dev.millrace.job.evaluate.report;

import dev.millrace.model.shape.ExampleShape;
import java.io.Serializable;
import java.util.List;
import java.util.Objects;

/**
 * What a report is about.
 *
 * @param model which one
 * @param data which examples
 * @param names of the outputs: of the classes where they have some, else their numbers
 */
public record ReportSubject(Model model, Data data, ExampleShape shape, List<String> names)
    implements Serializable {

  /**
   * A model, as it was named.
   *
   * @param version (generation, round); null where nothing tells
   * @param kind of network, in the engine's words
   * @param parameters number of them
   * @param standardized whether features go through its normalizer
   */
  public record Model(
      String archive,
      String version,
      String engine,
      String kind,
      int parameters,
      boolean standardized)
      implements Serializable {}

  /**
   * Where examples come from.
   *
   * @param source as it was named
   * @param part {@code holdout} or {@code training}, where the source has both; null else
   */
  public record Data(String source, String part) implements Serializable {

    boolean isTopic() {
      return source.startsWith("topic:");
    }
  }

  public ReportSubject {
    Objects.requireNonNull(model, "model");
    Objects.requireNonNull(data, "data");
    names = List.copyOf(names);
    if (names.size() != shape.outputs()) {
      throw new IllegalArgumentException(
          "%s names for %s outputs".formatted(names.size(), shape.outputs()));
    }
  }
}
