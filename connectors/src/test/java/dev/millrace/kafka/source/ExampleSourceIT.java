package dev.millrace.kafka.source;

import static dev.millrace.kafka.testing.Broker.cluster;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.example.Example;
import dev.millrace.example.Received;
import dev.millrace.example.RejectedRecord;
import dev.millrace.kafka.SharedFlink;
import dev.millrace.kafka.record.ExampleDeserializer;
import dev.millrace.kafka.testing.Broker;
import dev.millrace.kafka.topic.SourceSettings;
import dev.millrace.kafka.topic.StartingOffsets;
import dev.millrace.kafka.topic.Topics;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.configuration.MemorySize;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(240)
class ExampleSourceIT {

  private static final ExampleDeserializer DESERIALIZER =
      new ExampleDeserializer(TextFormat.SHAPE, new TextFormat(), MemorySize.parse("100 kb"));

  @Test
  void readsEveryRecordOfEveryPartitionOnceAndEnds() throws Exception {
    // Partition 2 stays empty.
    String topic = Broker.topic("source", 3);
    Broker.write(topic, 0, "1 0 0", "2 0 1");
    Broker.write(topic, 1, "3 0 2", "oops", "");
    try (KafkaProducer<byte[], byte[]> producer =
        Broker.producer(Map.of("max.request.size", "2000000"))) {
      producer.send(new ProducerRecord<>(topic, 1, null, null)).get();
      producer.send(new ProducerRecord<>(topic, 1, null, new byte[1_500_000])).get();
    }
    Broker.write(topic, 1, "4 0 0");

    List<Received> received = read(named(topic, StartingOffsets.earliest()));

    assertThat(received)
        .extracting(Object::toString)
        .doesNotHaveDuplicates()
        .as("of 8 records, 4 are examples")
        .hasSize(8);
    assertThat(features(received)).containsExactlyInAnyOrder(1f, 2f, 3f, 4f);
    assertThat(received.stream().filter(RejectedRecord.class::isInstance).map(Received::offset))
        .containsExactly(1L, 2L, 3L, 4L);
  }

  @Test
  void readsTopicsThatMatch() throws Exception {
    String one = Broker.topic("match-a", 1);
    String two = Broker.topic("match-b", 1);
    String other = Broker.topic("other", 1);
    Broker.write(one, 0, "1 0 0");
    Broker.write(two, 0, "2 0 0");
    Broker.write(other, 0, "3 0 0");

    List<Received> received =
        read(
            settings(
                Topics.matching(Pattern.compile("match-.*")), StartingOffsets.earliest(), true));

    assertThat(features(received)).containsExactlyInAnyOrder(1f, 2f);
  }

  @Test
  void startsWhereItIsTold() throws Exception {
    String topic = Broker.topic("start", 2);
    // So old that the source can tell, and not so old that the broker deletes it.
    long anHourAgo = System.currentTimeMillis() - Duration.ofHours(1).toMillis();
    try (KafkaProducer<byte[], byte[]> producer = Broker.producer(Map.of())) {
      for (int i = 0; i < 3; i++) {
        byte[] value = (i + " 0 0").getBytes(StandardCharsets.UTF_8);
        producer.send(new ProducerRecord<>(topic, 0, anHourAgo + i, null, value)).get();
      }
    }
    Broker.write(topic, 1, "7 0 0");
    try (Admin admin = Broker.admin()) {
      admin
          .alterConsumerGroupOffsets(
              topic, Map.of(new TopicPartition(topic, 0), new OffsetAndMetadata(2)))
          .all()
          .get();
    }

    assertThat(features(read(named(topic, StartingOffsets.committed()))))
        .as("from offset 2, and from the start where nothing is committed")
        .containsExactlyInAnyOrder(2f, 7f);
    assertThat(
            features(read(named(topic, StartingOffsets.at(Instant.ofEpochMilli(anHourAgo + 1))))))
        .containsExactlyInAnyOrder(1f, 2f, 7f);
    assertThat(read(named(topic, StartingOffsets.latest()))).isEmpty();
  }

  @Test
  void leavesOutWhatWasNeverCommitted() throws Exception {
    String topic = Broker.topic("transactions", 1);
    try (KafkaProducer<byte[], byte[]> producer =
        Broker.producer(Map.of("transactional.id", topic))) {
      producer.initTransactions();
      producer.beginTransaction();
      producer.send(new ProducerRecord<>(topic, "1 0 0".getBytes(StandardCharsets.UTF_8))).get();
      producer.commitTransaction();
      producer.beginTransaction();
      producer.send(new ProducerRecord<>(topic, "2 0 0".getBytes(StandardCharsets.UTF_8))).get();
      producer.abortTransaction();
    }

    assertThat(features(read(named(topic, StartingOffsets.earliest())))).containsExactly(1f);
  }

  @Test
  void failsOrGoesOnWhereRecordsWereDeleted() throws Exception {
    String topic = Broker.topic("retention", 1);
    Broker.write(topic, 0, "1 0 0", "2 0 0", "3 0 0");
    TopicPartition partition = new TopicPartition(topic, 0);
    try (Admin admin = Broker.admin()) {
      admin
          .alterConsumerGroupOffsets(topic, Map.of(partition, new OffsetAndMetadata(1)))
          .all()
          .get();
      admin.deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(2))).all().get();
    }

    assertThatThrownBy(
            () ->
                read(
                    settings(
                        Topics.named(List.of(topic)), StartingOffsets.committed(), true, topic)))
        .hasStackTraceContaining("start at the earliest that is left where offsets are missing")
        .hasStackTraceContaining("{%s-0=1}".formatted(topic));
    assertThat(
            features(
                read(
                    settings(
                        Topics.named(List.of(topic)), StartingOffsets.committed(), false, topic))))
        .containsExactly(3f);
  }

  private static SourceSettings named(String topic, StartingOffsets start) {
    return settings(Topics.named(List.of(topic)), start, true, topic);
  }

  private static SourceSettings settings(Topics topics, StartingOffsets start, boolean fail) {
    return settings(topics, start, fail, "it");
  }

  private static SourceSettings settings(
      Topics topics, StartingOffsets start, boolean fail, String group) {
    return SourceSettings.of(cluster(), topics)
        .inGroup(group)
        .startingAt(start)
        .bounded(true)
        .discoveringEvery(Duration.ofSeconds(30))
        .failingOnLostRecords(fail);
  }

  private static List<Received> read(SourceSettings settings) throws Exception {
    return SharedFlink.environment(2)
        .fromSource(
            ExampleSource.of(settings, DESERIALIZER), WatermarkStrategy.noWatermarks(), "in")
        .executeAndCollect(100);
  }

  private static List<Float> features(List<Received> received) {
    return received.stream()
        .filter(Example.class::isInstance)
        .map(example -> ((Example) example).features()[0])
        .toList();
  }
}
