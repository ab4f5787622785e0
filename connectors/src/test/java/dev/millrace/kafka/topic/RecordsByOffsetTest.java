package dev.millrace.kafka.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.kafka.KafkaAccessException;
import dev.millrace.kafka.KafkaCluster;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class RecordsByOffsetTest {

  private static final KafkaCluster NOWHERE = KafkaCluster.at("localhost:9");
  private static final TopicPartition PLACE = new TopicPartition("clicks", 0);
  private static final long RECORDS = 100_000;
  private static final int OF_A_POLL = 500;

  private final Counting consumer = new Counting();

  /** A partition whose records all have their offset as key. */
  private static final class Counting extends MockConsumer<byte[], byte[]> {

    private int polls;
    private long takes;

    Counting() {
      super("none");
      setMaxPollRecords(OF_A_POLL);
    }

    @Override
    public synchronized ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
      polls++;
      long until = System.nanoTime() + takes;
      while (System.nanoTime() < until) {
        Thread.onSpinWait();
      }
      return super.poll(timeout);
    }
  }

  private RecordsByOffset records(Duration limit) {
    return new RecordsByOffset(
        NOWHERE,
        limit,
        place -> {
          consumer.assign(List.of(place));
          consumer.updateBeginningOffsets(Map.of(place, 0L));
          consumer.updateEndOffsets(Map.of(place, RECORDS));
          for (long offset = 0; offset < RECORDS; offset++) {
            consumer.addRecord(
                new ConsumerRecord<>(place.topic(), place.partition(), offset, null, null));
          }
          return consumer;
        });
  }

  @Test
  void whatIsFarAheadIsFoundWithoutReadingAllBeforeIt() {
    try (RecordsByOffset records = records(Duration.ofSeconds(30))) {
      assertThat(read(records, 0)).isZero();
      assertThat(read(records, RECORDS - 1)).isEqualTo(RECORDS - 1);
      assertThat(consumer.polls).isEqualTo(2);
    }
  }

  @Test
  void whatIsNearIsReadOn() {
    try (RecordsByOffset records = records(Duration.ofSeconds(30))) {
      for (long offset = 0; offset < 10 * OF_A_POLL; offset += 3) {
        assertThat(read(records, offset)).isEqualTo(offset);
      }
      assertThat(consumer.polls).isEqualTo(10);
    }
  }

  /** A cluster that is slow has lost nothing. */
  @Test
  void aRecordIsThereHoweverLongThoseBeforeItTake() {
    consumer.setMaxPollRecords(100);
    try (RecordsByOffset records = records(Duration.ofMillis(200))) {
      assertThat(read(records, 0)).isZero();
      consumer.takes = Duration.ofMillis(20).toNanos();

      assertThat(read(records, 4_000)).isEqualTo(4_000);
    }
  }

  @Test
  void aRecordThatWasRemovedIsNamed() {
    try (RecordsByOffset records = records(Duration.ofSeconds(30))) {
      assertThat(read(records, 0)).isZero();
      consumer.setPollException(new OffsetOutOfRangeException(Map.of(PLACE, 70_000L)));

      assertThatThrownBy(() -> read(records, 70_000))
          .isInstanceOf(KafkaAccessException.class)
          .hasMessageContaining("Record 70000 of partition 0 of 'clicks'")
          .hasMessageContaining("isn't there any more");
    }
  }

  @Test
  void aRecordIsThereWhereThoseBeforeItWereRemoved() {
    try (RecordsByOffset records = records(Duration.ofSeconds(30))) {
      assertThat(read(records, 0)).isZero();
      consumer.setPollException(new OffsetOutOfRangeException(Map.of(PLACE, 1L)));

      assertThat(read(records, OF_A_POLL + 5)).isEqualTo(OF_A_POLL + 5);
    }
  }

  private static long read(RecordsByOffset records, long offset) {
    return records.read(PLACE.topic(), PLACE.partition(), offset).offset();
  }
}
