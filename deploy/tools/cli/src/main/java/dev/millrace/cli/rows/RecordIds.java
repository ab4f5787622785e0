package dev.millrace.cli.rows;

import dev.millrace.example.Example;
import dev.millrace.example.Received;
import dev.millrace.example.RejectedRecord;
import dev.millrace.job.options.InputOptions;
import dev.millrace.kafka.record.ExampleDeserializer;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.IdColumn;
import java.util.List;
import java.util.Optional;
import org.apache.flink.configuration.Configuration;

/** Ids that records have, as a job with the same options would read them. */
public final class RecordIds {

  private final List<IdColumn> columns;
  private final ExampleDeserializer deserializer;
  private final long[] counts;
  private long examples;
  private long rejected;

  private RecordIds(ExampleShape shape, Configuration options) {
    this.columns = shape.columns().ids();
    this.counts = new long[columns.size()];
    this.deserializer =
        new ExampleDeserializer(
            shape.ofRecords(),
            InputOptions.exampleFormat(options, shape),
            options.get(InputOptions.MAX_RECORD_SIZE));
    deserializer.open();
  }

  /**
   * Reads by the options of a job.
   *
   * @param outputs of its model, where the options don't say how many there are
   * @return empty where they don't say what records hold
   * @throws dev.millrace.job.options.InvalidOptionsException if they are wrong
   */
  public static Optional<RecordIds> of(Configuration options, int outputs) {
    if (!options.contains(InputOptions.FIELDS)) {
      return Optional.empty();
    }
    Configuration complete = new Configuration(options);
    if (!complete.contains(InputOptions.OUTPUTS)) {
      complete.set(InputOptions.OUTPUTS, outputs);
    }
    return InputOptions.shapeIfGiven(complete).map(shape -> new RecordIds(shape, complete));
  }

  /**
   * Counts the ids of a record, if it is an example.
   *
   * @param valueOrNull null if the record has none
   */
  public void add(byte[] valueOrNull) {
    // Where it lies makes no difference to what it holds.
    Received received = deserializer.read("", 0, valueOrNull);
    if (received instanceof Example example) {
      examples++;
      IdCounts.add(example.ids(), counts);
    } else if (received instanceof RejectedRecord) {
      rejected++;
    }
  }

  /** Returns the fields of ids. */
  List<IdColumn> columns() {
    return columns;
  }

  /** Returns how many ids each field had. */
  long[] counts() {
    return counts.clone();
  }

  /** Returns how many records were examples. */
  long examples() {
    return examples;
  }

  /** Returns how many records were none. */
  long rejected() {
    return rejected;
  }
}
