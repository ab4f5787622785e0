package dev.millrace.example;

import java.io.Serializable;
import java.util.Locale;
import java.util.Objects;

/**
 * Says of which records the labels before are.
 *
 * @param by of the same partition, or of the same key in it
 * @param keys of a partition that are known, at the most; the least recently used go
 */
public record LagSettings(By by, int keys) implements Serializable {

  /** The labels of all records of the partition. */
  public static final LagSettings OF_PARTITION = new LagSettings(By.PARTITION, 1);

  /** What records have in common. */
  public enum By {
    PARTITION,
    KEY;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public LagSettings {
    Objects.requireNonNull(by, "by");
    if (keys < 1) {
      throw new IllegalArgumentException("At least one key is known, not " + keys);
    }
  }
}
