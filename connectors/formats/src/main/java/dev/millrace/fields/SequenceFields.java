package dev.millrace.fields;

import java.io.Serializable;
import java.util.Objects;

/**
 * Says that an example is a sequence.
 *
 * @param path of the array whose elements are the steps
 * @param steps the most that a sequence has
 * @param labelPerStep whether each step has a label of its own
 */
public record SequenceFields(FieldPath path, int steps, boolean labelPerStep)
    implements Serializable {

  public SequenceFields {
    Objects.requireNonNull(path, "path");
    if (steps < 1) {
      throw new IllegalArgumentException("A sequence of at most %s steps".formatted(steps));
    }
  }
}
