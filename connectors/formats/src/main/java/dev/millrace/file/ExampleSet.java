package dev.millrace.file;

import dev.millrace.model.shape.ExampleShape;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Examples to learn from and examples to measure with, from one place, and what is known of them
 * before the first is read.
 *
 * <p>Immutable; every sequence is opened anew, starts at the first example, and is closed by its
 * caller.
 */
public interface ExampleSet {

  ExampleShape shape();

  /**
   * The names of the classes, {@code shape().outputs()} of them, in the order of their numbers;
   * none where labels are no classes.
   */
  List<String> classes();

  /** The size of the images if the examples are images. */
  Optional<ImageSize> image();

  /** The examples to learn from, in order. */
  ExampleSequence training() throws IOException;

  /** The examples that are not learned from; none if the set has no hold-out. */
  ExampleSequence holdOut() throws IOException;
}
