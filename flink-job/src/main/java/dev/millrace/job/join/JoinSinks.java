package dev.millrace.job.join;

import dev.millrace.example.RejectedRecord;
import dev.millrace.kafka.KeyedRecord;
import java.util.Objects;
import org.apache.flink.api.connector.sink2.Sink;

/**
 * Where the records of a join go. A side sink is null where its records are only counted.
 *
 * @param joined features with labels
 */
public record JoinSinks(
    Sink<KeyedRecord> joined,
    Sink<RejectedRecord> lateOrNull,
    Sink<RejectedRecord> duplicatesOrNull,
    Sink<RejectedRecord> rejectedOrNull) {

  public JoinSinks {
    Objects.requireNonNull(joined, "joined");
  }
}
