package dev.millrace.job.join;

import dev.millrace.fields.FieldPath;
import java.io.Serializable;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * What is taken from the records of one side.
 *
 * @param keyOrNull where the key stands in a record's value; null for the record's own key
 * @param timeOrNull where the time stands in a record's value; null for the record's timestamp
 * @param ahead how much later than the record's timestamp, and than the clock, a time may be
 * @param labelOrNull where the label stands; null of features
 * @param free names that no features may have, since the output has something else there
 */
public record ReadingRule(
    FieldPath keyOrNull,
    FieldPath timeOrNull,
    Duration ahead,
    FieldPath labelOrNull,
    List<String> free)
    implements Serializable {

  public ReadingRule {
    Objects.requireNonNull(ahead, "ahead");
    free = List.copyOf(free);
  }

  Side side() {
    return labelOrNull == null ? Side.FEATURES : Side.LABEL;
  }
}
