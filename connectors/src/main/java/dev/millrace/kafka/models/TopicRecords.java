package dev.millrace.kafka.models;

import dev.millrace.kafka.KafkaAccessException;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Gives a writer the records of a {@link ModelTopic}: of brokers, or of a simulated run. */
interface TopicRecords extends AutoCloseable {

  /**
   * Tells what is known of the topic when it has been read.
   *
   * @param slot of the model that is there; empty where there is none
   * @param end the offset behind all that was read
   */
  record Contents(String slot, long end) {}

  /**
   * Sends all, and returns when brokers have them.
   *
   * @return the offset of the last one
   * @throws KafkaAccessException if that fails; some may have got through
   */
  long send(List<ProducerRecord<byte[], byte[]>> records);

  /** Returns the offset behind the last record. */
  long end();

  /** Reads it from its beginning to its end. */
  Contents read();

  @Override
  void close();
}
