package dev.millrace.job.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.job.testing.Blobs;
import dev.millrace.job.testing.Job;
import dev.millrace.kafka.testing.Broker;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Schedules that go by the clock: whatever they make of it, every record is learned once. */
@Tag("slow")
class SchedulesIT {

  private static final int PER_PARTITION = 1_600;

  private static String topic;

  @TempDir Path directory;

  @BeforeAll
  static void produce() throws Exception {
    topic = Broker.topic(2);
    for (int partition = 0; partition < 2; partition++) {
      Broker.produce(topic, partition, Blobs.encode(new Blobs(partition).next(PER_PARTITION)));
    }
  }

  @ParameterizedTest
  @CsvSource({"exchange.interval, 30 ms, overlap", "exchange.overhead, 0.1, sync"})
  void everyRecordIsLearnedOnce(String key, String value, String schedule) throws Exception {
    learnsEachRecordOnce(key, value, schedule);
  }

  @Tag("nightly")
  @ParameterizedTest
  @CsvSource({
    "exchange.interval, 30 ms, sync",
    "exchange.overhead, 0.1, overlap",
    "exchange.straggler-wait, 0.1, sync"
  })
  void everyRecordIsLearnedOnceByOtherSchedules(String key, String value, String schedule)
      throws Exception {
    learnsEachRecordOnce(key, value, schedule);
  }

  private void learnsEachRecordOnce(String key, String value, String schedule) throws Exception {
    Job job =
        new Job(topic, directory)
            .set("exchange.schedule", schedule)
            .set("metrics.timeline", "true")
            .set(key, value);
    if (!key.equals("exchange.interval")) {
      job.set("exchange.local-steps", "20");
    }
    job.run();

    job.assertTookAll(topic, PER_PARTITION, PER_PARTITION);
    List<JsonNode> rounds = job.metrics("timeline");
    assertThat(rounds).isNotEmpty();
    long steps = 0;
    for (JsonNode round : rounds) {
      for (JsonNode member : round.get("members")) {
        steps += member.get("steps").asLong();
        assertThat(member.get("elapsed").asDouble())
            .isGreaterThanOrEqualTo(member.get("fit").asDouble());
      }
    }
    assertThat(steps).as("local steps of all rounds").isEqualTo(2 * PER_PARTITION / 8);
  }
}
