package dev.millrace.job.join;

import dev.millrace.example.RejectedRecord;
import dev.millrace.kafka.sink.KeyedRecord;
import java.util.Objects;
import org.apache.flink.api.connector.sink2.Sink;

/**
 * Where the records of a join go.
 *
 * @param joined features with labels
 * @param deadLettersOrNull what isn't joined; null where it is only counted
 */
public record JoinSinks(Sink<KeyedRecord> joined, Sink<RejectedRecord> deadLettersOrNull) {

  public JoinSinks {
    Objects.requireNonNull(joined, "joined");
  }
}
