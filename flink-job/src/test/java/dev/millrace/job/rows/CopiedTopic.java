package dev.millrace.job.rows;

import dev.millrace.exchange.flink.rows.RowChange;
import dev.millrace.exchange.rows.RowTable;
import dev.millrace.kafka.KafkaCluster;
import dev.millrace.kafka.sink.OutputRecord;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Writes rows to a topic, as training does. */
final class CopiedTopic implements AutoCloseable {

  private final RowWriter writer;
  private final KafkaProducer<byte[], byte[]> producer;

  CopiedTopic(KafkaCluster cluster, String topic, List<RowTable> tables) {
    this.writer = new RowWriter(topic, tables);
    this.producer =
        new KafkaProducer<>(
            cluster.clientProperties(Map.of("linger.ms", "5")),
            new ByteArraySerializer(),
            new ByteArraySerializer());
    for (int table = 0; table < tables.size(); table++) {
      send(new RowChange(table, 0, new float[0]));
    }
  }

  /** Writes a row. */
  void write(int table, long id, float... values) {
    send(new RowChange(table, id, values));
  }

  /** Says that there is no such row. */
  void remove(int table, long id) {
    send(new RowChange(table, id, null));
  }

  @SuppressWarnings("FutureReturnValueIgnored") // flush() waits for all.
  private void send(RowChange change) {
    OutputRecord record = writer.record(change);
    producer.send(new ProducerRecord<>(record.topic(), record.keyOrNull(), record.valueOrNull()));
  }

  /** Waits until the broker has all. */
  void flush() {
    producer.flush();
  }

  @Override
  public void close() {
    producer.close();
  }
}
