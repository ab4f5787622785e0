package dev.millrace.example;

import dev.millrace.model.ExampleShape;
import java.io.Serializable;
import java.util.List;

/**
 * How an example is written in a record's value.
 *
 * <p>A format may keep scratch space: one instance belongs to one thread.
 */
public interface ExampleFormat extends Serializable {

  /**
   * Fills features, labels, and what else the value has, into a {@linkplain Example#reset reset}
   * example.
   *
   * @param value not empty
   * @throws InvalidExampleException if the value is not a valid example of the shape; the example's
   *     content is undefined then
   */
  void read(byte[] value, Example into) throws InvalidExampleException;

  /** The example as a record's value, such that {@link #read} gives it back. */
  byte[] write(Example example);

  /** What {@link #named} knows. */
  static List<String> names() {
    return List.of("json", "csv", "float32", "uint8");
  }

  /**
   * A format by its name.
   *
   * @throws IllegalArgumentException if there is no such format, or the settings name more or fewer
   *     classes than the shape has
   */
  static ExampleFormat named(String name, ExampleShape shape, FormatSettings settings) {
    return switch (name) {
      case "json" -> new JsonFormat(shape, settings);
      case "csv" -> new CsvFormat(shape, settings);
      case "float32" -> new BinaryFormat(FeatureType.FLOAT32, shape);
      case "uint8" -> new BinaryFormat(FeatureType.UINT8, shape);
      default ->
          throw new IllegalArgumentException(
              "There is no example format \"%s\"; known are %s"
                  .formatted(name, String.join(", ", names())));
    };
  }
}
