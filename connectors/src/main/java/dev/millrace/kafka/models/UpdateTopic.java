package dev.millrace.kafka.models;

import dev.millrace.kafka.KafkaAccessException;
import dev.millrace.kafka.KafkaCluster;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Writes updates of models to a compacted topic of one partition. The first update of each whole
 * model takes the place of the first one of the model before, and so on, so the topic holds those
 * of the newest.
 *
 * <p>Not thread-safe.
 */
public final class UpdateTopic implements AutoCloseable {

  private final String topic;
  private final TopicProducer producer;

  private UpdateTopic(String topic, TopicProducer producer) {
    this.topic = topic;
    this.producer = producer;
  }

  /**
   * Opens a writer; brokers are asked when it writes.
   *
   * @throws KafkaAccessException if the options of Kafka's client are no good
   */
  public static UpdateTopic open(KafkaCluster cluster, String topic) {
    return new UpdateTopic(
        topic, TopicProducer.open(cluster, topic, "millrace-updates", "an update"));
  }

  /**
   * Writes the pieces of an update, and returns when brokers have them.
   *
   * @param number of the update, since the last whole model
   * @throws KafkaAccessException if that fails; some may have got through
   */
  public void write(int number, List<byte[]> pieces) {
    List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>(pieces.size());
    for (int piece = 0; piece < pieces.size(); piece++) {
      byte[] key = (number + "/" + piece).getBytes(StandardCharsets.US_ASCII);
      records.add(new ProducerRecord<>(topic, 0, key, pieces.get(piece)));
    }
    producer.send(records);
  }

  @Override
  public void close() {
    producer.close();
  }
}
