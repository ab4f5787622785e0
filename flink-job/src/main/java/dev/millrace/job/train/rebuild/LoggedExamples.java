package dev.millrace.job.train.rebuild;

import dev.millrace.example.Received;
import dev.millrace.exchange.log.RecordRun;
import dev.millrace.model.Partition;
import java.util.function.Consumer;

/** The records that a log names, as the job's source gave them. */
public interface LoggedExamples extends AutoCloseable {

  /** Returns a partition, as ledgers name it. */
  Partition partition(String topic, int number);

  /**
   * Reads records, in order. Each is valid until the next.
   *
   * @throws dev.millrace.kafka.KafkaAccessException if one isn't there any more
   */
  void read(RecordRun records, Consumer<Received> reader);

  @Override
  void close();
}
