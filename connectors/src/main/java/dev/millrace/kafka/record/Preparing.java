package dev.millrace.kafka.record;

import dev.millrace.example.Prerequisites;
import dev.millrace.kafka.KafkaAccessException;
import java.time.Duration;

/** A deserializer that may have to wait until it can read a record. */
public interface Preparing {

  /** Always the same object, which shares with the deserializer what it has fetched. */
  Prerequisites prerequisites();

  /**
   * Finds out whether what is needed can be had.
   *
   * @throws KafkaAccessException if not, saying what to do
   */
  default void requirePrerequisites(Duration limit) {
    prerequisites()
        .problem(limit)
        .ifPresent(
            problem -> {
              throw new KafkaAccessException(problem);
            });
  }
}
