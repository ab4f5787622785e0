package dev.millrace.exchange.flink.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.exchange.round.CoordinatorMessage.Announcement;
import dev.millrace.exchange.round.Phases;
import dev.millrace.exchange.schedule.Schedule;
import dev.millrace.model.Measures;
import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.Partition;
import dev.millrace.model.device.DeviceRequest;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import dev.millrace.model.testing.SummingEngine;
import java.util.HashMap;
import java.util.Map;
import org.apache.flink.metrics.Histogram;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.junit.jupiter.api.Test;

/** How old records are when the model learns them. */
class FreshnessTest {

  private static final Schedule ASYNC = Schedule.every(2, false);

  /** Examples of a contribution: two local steps. */
  private static final int EACH = 2 * ReplicaHarness.BATCH;

  private final Map<String, Histogram> histograms = new HashMap<>();

  @Test
  void aStepsLagIsThatOfItsOldestRecord() {
    ReplicaMetrics metrics =
        new ReplicaMetrics(
            new UnregisteredMetricsGroup() {
              @Override
              public <H extends Histogram> H histogram(String name, H histogram) {
                histograms.put(name, histogram);
                return histogram;
              }
            },
            ModelEngine.named(SummingEngine.NAME).build(SummingEngine.spec(2), DeviceRequest.any()),
            () -> 10_000);
    Minibatch minibatch = new Minibatch(new ExampleShape(1, 1, Target.REGRESSION), 2);
    minibatch.add(new float[1], new float[1], 1, new Partition("t", 0), 0);
    metrics.learned(minibatch, Measures.NONE);
    assertThat(histograms.get("stepLagMillis").getCount()).isZero();

    minibatch.noteTime(9_000);
    minibatch.noteTime(7_000);
    minibatch.noteTime(8_000);
    metrics.learned(minibatch, Measures.NONE);
    assertThat(histograms.get("stepLagMillis").getStatistics().getMax()).isEqualTo(3_000);

    minibatch.clear();
    assertThat(minibatch.oldestTime()).isEqualTo(Minibatch.NO_TIME);
  }

  @Test
  void anAnnouncementTellsOfTheOldestRecordSinceTheOneBefore() throws Exception {
    try (var replica = ReplicaHarness.ready(ASYNC)) {
      replica.example(0, 1, 5_000);
      replica.example(1, 1, 3_000);
      replica.examples(2, EACH - 2);
      assertThat(oldest(replica)).isEqualTo(3_000);

      replica.know(1, 1);
      replica.examples(EACH, EACH - 2);
      replica.example(2 * EACH - 2, 1, 6_000);
      replica.example(2 * EACH - 1, 1, 9_000);
      assertThat(oldest(replica)).isEqualTo(6_000);

      replica.know(2, 2);
      replica.examples(2 * EACH, EACH);
      assertThat(oldest(replica)).isEqualTo(Phases.NO_TIME);
    }
  }

  private static long oldest(ReplicaHarness replica) {
    return replica.toCoordinator().stream()
        .filter(Announcement.class::isInstance)
        .map(Announcement.class::cast)
        .reduce((first, last) -> last)
        .orElseThrow()
        .phases()
        .oldestRecord();
  }
}
