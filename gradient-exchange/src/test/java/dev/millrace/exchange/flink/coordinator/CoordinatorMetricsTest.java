package dev.millrace.exchange.flink.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.exchange.round.Participation;
import dev.millrace.exchange.round.RefusedContributions;
import dev.millrace.exchange.round.RoundReport;
import dev.millrace.model.Measures;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.Target;
import java.util.HashMap;
import java.util.Map;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.junit.jupiter.api.Test;

class CoordinatorMetricsTest {

  private static final long SECOND = 1_000_000_000;

  private final Map<String, Gauge<?>> gauges = new HashMap<>();
  private final UnregisteredMetricsGroup group =
      new UnregisteredMetricsGroup() {
        @Override
        public <T, G extends Gauge<T>> G gauge(String name, G gauge) {
          gauges.put(name, gauge);
          return gauge;
        }
      };
  private long now = Long.MAX_VALUE - SECOND;

  @Test
  void theAgeOfTheCheckpointCountsFromTheStartWhereThereIsNone() {
    CoordinatorMetrics metrics = metrics(Target.CLASSIFICATION);

    now += 3 * SECOND;
    assertThat(value("checkpointAgeMillis")).isEqualTo(3000L);

    metrics.checkpointed();
    now += 2 * SECOND;
    assertThat(value("checkpointAgeMillis")).isEqualTo(2000L);
  }

  @Test
  void showsWhatARestoredCoordinatorStartsFrom() {
    metrics(Target.CLASSIFICATION);

    assertThat(value("generation")).isEqualTo(2L);
    assertThat(value("round")).isEqualTo(7L);
    assertThat(value("learnedRecords")).isEqualTo(100L);
    assertThat(value("rejectedRecords")).isEqualTo(3L);
    assertThat(value("prequentialAccuracy")).isEqualTo(0.75);
    assertThat(value("prequentialLoss")).isEqualTo(0.5);
  }

  @Test
  void showsTheNewestRound() {
    CoordinatorMetrics metrics = metrics(Target.CLASSIFICATION);

    metrics.closed(report(8), new Participation(0.75, 0.5));

    assertThat(value("round")).isEqualTo(8L);
    assertThat(value("members")).isEqualTo(4);
    assertThat(value("participation")).isEqualTo(0.75);
  }

  @Test
  void regressionHasNoAccuracy() {
    metrics(Target.REGRESSION);

    assertThat(value("prequentialAccuracy")).isEqualTo(Double.NaN);
  }

  private CoordinatorMetrics metrics(Target target) {
    return new CoordinatorMetrics(group, report(7), target, () -> now);
  }

  private static RoundReport report(long round) {
    return new RoundReport(
        new ModelVersion(2, round),
        0,
        100,
        3,
        RefusedContributions.NONE,
        4,
        Measures.NONE,
        new Measures(8, 6, 4, 0, 0));
  }

  private Object value(String name) {
    return gauges.get(name).getValue();
  }
}
