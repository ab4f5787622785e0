package dev.millrace.kafka.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.example.Example;
import dev.millrace.example.Received;
import dev.millrace.example.RejectedRecord;
import dev.millrace.kafka.source.TextFormat;
import dev.millrace.model.Partition;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.util.InstantiationUtil;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExampleDeserializerTest {

  private static final int MAX_BYTES = 20;

  private ExampleDeserializer deserializer;

  @BeforeEach
  void open() throws Exception {
    deserializer =
        InstantiationUtil.clone(
            new ExampleDeserializer(TextFormat.SHAPE, new TextFormat(), new MemorySize(MAX_BYTES)));
    deserializer.open(null);
  }

  @Test
  void makesAnExampleOfARecord() {
    Example example = (Example) read("1.5 2 1", 7);

    assertThat(example.features()).containsExactly(1.5f, 2f);
    assertThat(example.labels()).containsExactly(0f, 1f, 0f);
    assertThat(example.partition()).isEqualTo(new Partition("t", 3));
    assertThat(example.offset()).isEqualTo(7);
    assertThat(example.timestamp()).isEqualTo(1000);
    assertThat(example.key()).asString().isEqualTo("key");
  }

  @Test
  void prefersTheTimeInTheExample() {
    assertThat(((Example) read("1 2 1 555", 0)).timestamp()).isEqualTo(555);
  }

  @Test
  void forgetsWhatTheRecordBeforeHad() {
    read("1 2 1 555", 0);

    assertThat(((Example) read("1 2 1", 1)).timestamp()).isEqualTo(1000);
  }

  @Test
  void makesNeitherExamplesNorPartitionsPerRecord() {
    Received first = read("1 2 1", 0);
    Partition partition = first.partition();
    Received second = read("3 4 2", 1);

    assertThat(second).isSameAs(first);
    assertThat(second.partition()).isSameAs(partition);
    assertThat(read("", 2).partition()).isSameAs(partition);
  }

  @ParameterizedTest
  @CsvSource({
    "'1 2', '2 parts, where 3 belong'",
    "'', 'an empty value'",
    "'1 2 1 0000000000000000', 'a value of 22 bytes, where at most 20 are allowed'",
    "'1 x 1', 'not readable: the reader of the format failed; the log of the task says how'",
    "'1 2 9', 'not readable: the reader of the format failed; the log of the task says how'",
    "'deep', 'nested too deep'"
  })
  void rejectsWhatIsNoExample(String value, String reason) {
    RejectedRecord rejected = (RejectedRecord) read(value, 5);

    assertThat(rejected.reason()).isEqualTo(reason);
    assertThat(rejected.partition()).isEqualTo(new Partition("t", 3));
    assertThat(rejected.offset()).isEqualTo(5);
    assertThat(rejected.timestamp()).isEqualTo(1000);
    assertThat(rejected.key()).asString().isEqualTo("key");
    assertThat(rejected.value()).asString().isEqualTo(value);
    assertThat(read("1 2 1", 6)).isInstanceOf(Example.class);
  }

  @Test
  void rejectsATombstone() {
    RejectedRecord rejected = (RejectedRecord) read(null, 5);

    assertThat(rejected.reason()).isEqualTo("no value (a tombstone)");
    assertThat(rejected.value()).isNull();
  }

  private Received read(String value, long offset) {
    return deserializer.read(
        new ConsumerRecord<>(
            "t",
            3,
            offset,
            1000L,
            TimestampType.CREATE_TIME,
            3,
            0,
            bytes("key"),
            value == null ? null : bytes(value),
            new RecordHeaders(),
            Optional.empty()));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
