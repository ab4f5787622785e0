package dev.millrace.kafka.sink;

import static dev.millrace.kafka.testing.Broker.cluster;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.example.RejectedRecord;
import dev.millrace.kafka.KafkaCluster;
import dev.millrace.kafka.SharedFlink;
import dev.millrace.kafka.testing.Broker;
import dev.millrace.model.Partition;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.java.typeutils.PojoTypeInfo;
import org.apache.flink.metrics.SimpleCounter;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(240)
class SinksIT {

  private static final Partition ORIGIN = new Partition("t", 4);

  @Test
  void deadLettersOfAnySizeReachTheirTopic() throws Exception {
    String topic = Broker.topic("dead", 1);

    run(
        DeadLetterSink.atLeastOnce(cluster(), topic),
        RejectedRecord.class,
        List.of(
            new RejectedRecord(ORIGIN, 5, 6, new byte[] {1}, new byte[] {2, 3}, "bad"),
            new RejectedRecord(ORIGIN, 6, 6, null, null, "a tombstone"),
            new RejectedRecord(
                ORIGIN, 7, 6, new byte[500_000], new byte[5_000_000], "long ".repeat(50_000))));

    List<ConsumerRecord<byte[], byte[]>> letters = Broker.read(topic, 1, 3);
    assertThat(letters).hasSize(3);
    assertThat(letters.get(0).key()).containsExactly(1);
    assertThat(letters.get(0).value()).containsExactly(2, 3);
    assertThat(header(letters.get(0), "millrace.topic")).isEqualTo("t");
    assertThat(header(letters.get(0), "millrace.partition")).isEqualTo("4");
    assertThat(header(letters.get(0), "millrace.offset")).isEqualTo("5");
    assertThat(header(letters.get(0), "millrace.reason")).isEqualTo("bad");
    assertThat(header(letters.get(1), "millrace.tombstone")).isEqualTo("true");
    assertThat(header(letters.get(2), "millrace.truncated-from")).isEqualTo("5000000");
  }

  @Test
  void deadLettersCanBeCommittedWithTheJob() throws Exception {
    String topic = Broker.topic("dead-once", 1);

    run(
        DeadLetterSink.exactlyOnce(cluster(), topic, topic),
        RejectedRecord.class,
        List.of(new RejectedRecord(ORIGIN, 5, 6, null, new byte[] {2, 3}, "bad")));

    assertThat(Broker.read(topic, 1, 1)).hasSize(1);
  }

  @Test
  void recordsWithKeysAndWithoutReachTheirTopic() throws Exception {
    String topic = Broker.topic("keyed", 1);
    KeyedRecord keyed = new KeyedRecord(new byte[] {1}, new byte[] {2, 3});
    KeyedRecord bare = new KeyedRecord(null, new byte[0]);

    run(new KeyedTopic(cluster(), topic).unguaranteed(), KeyedRecord.class, List.of(keyed));
    run(new KeyedTopic(cluster(), topic).atLeastOnce(), KeyedRecord.class, List.of(bare));
    run(new KeyedTopic(cluster(), topic).exactlyOnce(topic), KeyedRecord.class, List.of(keyed));

    List<ConsumerRecord<byte[], byte[]>> records = Broker.read(topic, 1, 3);
    assertThat(records)
        .extracting(ConsumerRecord::key)
        .containsExactly(keyed.key(), null, keyed.key());
    assertThat(records)
        .extracting(ConsumerRecord::value)
        .containsExactly(keyed.value(), bare.value(), keyed.value());
  }

  /** Never by Kryo. */
  @Test
  void flinkKnowsHowToCarryRecordsWithKeys() {
    assertThat(TypeInformation.of(KeyedRecord.class)).isInstanceOf(PojoTypeInfo.class);
  }

  @Test
  void linesReachTheirTopic() throws Exception {
    String topic = Broker.topic("metrics", 1);

    run(LineTopic.sink(cluster(), topic), String.class, List.of("{\"loss\":1}", "Grüße"));

    assertThat(Broker.read(topic, 1, 2))
        .extracting(line -> new String(line.value(), StandardCharsets.UTF_8))
        .containsExactly("{\"loss\":1}", "Grüße");
  }

  /** One that is too long, and one for a topic that takes only short ones. */
  @Test
  void aLineThatKafkaDoesNotTakeIsCountedAndTheNextIsSent() throws Exception {
    String topic = Broker.topic("metrics", 1);
    SimpleCounter lost = new SimpleCounter();
    SinkWriter<String> writer = ((LineTopic) LineTopic.sink(cluster(), topic)).open(lost);
    writer.write("x".repeat(LineTopic.MAX_LINE_BYTES + 1), null);
    writer.write("next", null);
    writer.flush(true);
    writer.close();

    assertThat(lost.getCount()).isEqualTo(1);
    assertThat(Broker.read(topic, 1, 1))
        .extracting(line -> new String(line.value(), StandardCharsets.UTF_8))
        .containsExactly("next");
  }

  @Test
  void whereNoBrokerAnswersLinesAreLostAndNothingElse() throws Exception {
    KafkaCluster nobody = new KafkaCluster("localhost:1", Map.of());
    SimpleCounter lost = new SimpleCounter();
    SinkWriter<String> writer = ((LineTopic) LineTopic.sink(nobody, "metrics")).open(lost);
    for (int i = 0; i < 100; i++) {
      writer.write("line", null);
    }
    writer.flush(true);
    writer.close();

    assertThat(lost.getCount()).isEqualTo(100);
  }

  private static <T> void run(Sink<T> sink, Class<T> type, List<T> values) throws Exception {
    StreamExecutionEnvironment env = SharedFlink.environment(1);
    env.enableCheckpointing(200);
    env.fromData(values, TypeInformation.of(type)).sinkTo(sink);
    env.execute();
  }

  private static String header(ConsumerRecord<byte[], byte[]> record, String name) {
    Header header = record.headers().lastHeader(name);
    return header == null ? null : new String(header.value(), StandardCharsets.UTF_8);
  }
}
