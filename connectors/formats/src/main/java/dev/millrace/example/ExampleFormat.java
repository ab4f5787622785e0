package dev.millrace.example;

import dev.millrace.model.shape.ExampleShape;
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
   * @throws SkippedRecordException if it is valid, and there is no example in it
   * @throws UnavailableException if its {@link #prerequisites} can't be had
   */
  void read(byte[] value, Example into) throws InvalidExampleException;

  /** The example as a record's value, such that {@link #read} gives it back. */
  byte[] write(Example example);

  /** Whether a record without a value, a tombstone, is skipped; otherwise it is rejected. */
  default boolean skipsTombstones() {
    return false;
  }

  /**
   * Returns what it needs before it can read a value. Of one instance it is always the same object,
   * which shares what it has fetched with {@link #read}.
   */
  default Prerequisites prerequisites() {
    return Prerequisites.NONE;
  }

  /** All names that {@link #named} takes. */
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
    return named(name, new ExampleRules(shape, true), settings);
  }

  /**
   * A format by its name, for examples whose labels nobody needs: it writes none, and passes over
   * those that a record has, whatever they hold. Labels that it has read are all 0.
   *
   * @throws IllegalArgumentException as {@link #named}
   */
  static ExampleFormat unlabelled(String name, ExampleShape shape, FormatSettings settings) {
    return named(name, new ExampleRules(shape, false), settings);
  }

  private static ExampleFormat named(String name, ExampleRules rules, FormatSettings settings) {
    return switch (name) {
      case "json" -> new JsonFormat(rules, settings);
      case "csv" -> new CsvFormat(rules, settings);
      case "float32" -> new BinaryFormat(FeatureType.FLOAT32, rules);
      case "uint8" -> new BinaryFormat(FeatureType.UINT8, rules);
      default ->
          throw new IllegalArgumentException(
              "There is no example format \"%s\"; known are %s"
                  .formatted(name, String.join(", ", names())));
    };
  }
}
