package dev.millrace.job.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.job.testing.Blobs;
import dev.millrace.job.testing.Job;
import dev.millrace.kafka.testing.Broker;
import dev.millrace.snapshot.SnapshotDescription;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Models measured by the examples of a topic that the job doesn't learn from. */
class HoldOutTopicIT {

  @TempDir Path directory;

  @Test
  void examplesOfTheTopicMeasureTheModelAndOthersAreLeftOut() throws Exception {
    String topic = Broker.topic(2);
    Broker.produce(topic, 0, Blobs.encode(new Blobs(1).next(2000)));
    Broker.produce(topic, 1, Blobs.encode(new Blobs(2).next(2000)));
    String heldOut = Broker.topic(2);
    Broker.produce(heldOut, 0, Blobs.encode(new Blobs(3).next(700)));
    Broker.produce(heldOut, 1, List.of("no example".getBytes(UTF_8)));
    Broker.produce(heldOut, 1, Blobs.encode(new Blobs(4).next(300)));

    Job job =
        new Job(topic, directory)
            .set("evaluation.holdout", "topic:" + heldOut)
            .set("evaluation.every", "10")
            .run();

    SnapshotDescription description = job.description();
    assertThat(description.holdOut().examples()).isEqualTo(1000);
    assertThat(description.holdOut().accuracy()).isGreaterThan(0.8);
    assertThat(job.metrics("holdout"))
        .hasSizeGreaterThan(1)
        .extracting(record -> record.get("round").asLong())
        .last()
        .isEqualTo(description.version().round());
    assertThat(description.ledger()).noneMatch(entry -> entry.topic().equals(heldOut));
  }

  @Test
  void anEmptyTopicMeasuresNothingAndStopsNothing() throws Exception {
    String topic = Broker.topic(1);
    Broker.produce(topic, 0, Blobs.encode(new Blobs(1).next(500)));

    Job job = new Job(topic, directory).set("evaluation.holdout", "topic:" + Broker.topic(1)).run();

    job.assertTookAll(topic, 500);
    assertThat(job.metrics("holdout"))
        .allSatisfy(record -> assertThat(record.get("examples").asLong()).isZero());
  }
}
