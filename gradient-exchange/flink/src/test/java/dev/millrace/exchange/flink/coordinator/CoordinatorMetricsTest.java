package dev.millrace.exchange.flink.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.exchange.round.ContributionFacts;
import dev.millrace.exchange.round.NewestRound;
import dev.millrace.exchange.round.Participation;
import dev.millrace.exchange.round.Phases;
import dev.millrace.exchange.round.RefusedContributions;
import dev.millrace.exchange.round.RoundReport;
import dev.millrace.exchange.round.RoundTimeline;
import dev.millrace.exchange.steering.NoSteering;
import dev.millrace.model.Measures;
import dev.millrace.model.MeasuresSum;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.LongStream;
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

    metrics.closed(report(8), new Participation(0.75, 0.5), timeline(Phases.NO_TIME));

    assertThat(value("round")).isEqualTo(8L);
    assertThat(value("members")).isEqualTo(4);
    assertThat(value("participation")).isEqualTo(0.75);
  }

  @Test
  void theLagIsThatOfTheOldestRecordOfTheNewestRoundThatLearned() {
    CoordinatorMetrics metrics = metrics(Target.CLASSIFICATION);
    assertThat(value("modelLagMillis")).isEqualTo(Double.NaN);

    metrics.closed(report(8), new Participation(1, 1), timeline(9_000, Phases.NO_TIME, 7_500));
    assertThat(value("modelLagMillis")).isEqualTo(2_500.0);
    metrics.closed(report(9), new Participation(1, 1), timeline(Phases.NO_TIME));
    assertThat(value("modelLagMillis")).isEqualTo(2_500.0);
    metrics.closed(report(10), new Participation(1, 1), timeline(9_900));
    assertThat(value("modelLagMillis")).isEqualTo(100.0);
  }

  @Test
  void regressionHasNoAccuracy() {
    metrics(Target.REGRESSION);

    assertThat(value("prequentialAccuracy")).isEqualTo(Double.NaN);
  }

  @Test
  void measuresOfTwoClassesAreOfTheWindow() {
    CoordinatorMetrics metrics = metrics(Target.MULTI_LABEL);
    assertThat(value("prequentialAuc")).as("without scores").isEqualTo(Double.NaN);
    MeasuresSum recent = new MeasuresSum();
    recent.add(
        new ExampleShape(1, 1, Target.MULTI_LABEL),
        new float[] {0.75f, 0.5f},
        new float[] {1, 0},
        null,
        2);

    metrics.closed(report(8, recent.get()), new Participation(1, 1), timeline(Phases.NO_TIME));

    assertThat(value("prequentialAuc")).isEqualTo(1.0);
    assertThat(value("prequentialCalibrationRatio")).isEqualTo(1.25);
    assertThat(value("prequentialNormalizedEntropy")).isEqualTo(recent.get().normalizedEntropy());
  }

  private CoordinatorMetrics metrics(Target target) {
    return new CoordinatorMetrics(group, report(7), target, NoSteering.NONE, () -> now);
  }

  /** Of a round at 10,000, whose members learned records that are as old as this. */
  private static RoundTimeline timeline(long... oldest) {
    return new RoundTimeline(
        new ModelVersion(2, 8),
        10_000,
        LongStream.of(oldest)
            .mapToObj(
                each ->
                    new RoundTimeline.Part(
                        0, 1, new Phases(1, 1, 1, 1, 1, 1, each), 0, ContributionFacts.NONE))
            .toList());
  }

  private static RoundReport report(long round) {
    return report(round, new Measures(8, 6, 4, 0, 0));
  }

  private static RoundReport report(long round, Measures recent) {
    return new RoundReport(
        new ModelVersion(2, round),
        0,
        100,
        3,
        RefusedContributions.NONE,
        new NewestRound(4, 1, 1, 1, 1, 1),
        Measures.NONE,
        recent);
  }

  private Object value(String name) {
    return gauges.get(name).getValue();
  }
}
