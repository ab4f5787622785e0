package dev.millrace.exchange.slow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.millrace.exchange.replica.ContributionGuard;
import dev.millrace.exchange.replica.LearningRateScaling;
import dev.millrace.model.InitialModel;
import dev.millrace.model.Minibatch;
import dev.millrace.model.Partition;
import dev.millrace.model.testing.Seeds;
import dev.millrace.model.testing.SummingEngine;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Under each preset, a replica that stood still is soon in step with the others again. */
class SlowReplicaTest {

  private static final InitialModel MODEL = SummingEngine.initial(4);

  /** Of each replica: two minutes, undisturbed. */
  private static final int STEPS = 1_430;

  private static final int MOST_PERIODS = 2;

  private static List<Preset> presets() {
    return Preset.all();
  }

  @ParameterizedTest
  @MethodSource("presets")
  void roundsAreWholeTwoPeriodsAfterEachPause(Preset preset) {
    long seed = Seeds.next();
    Duration first = Duration.ofMillis(5_000 + new Random(seed).nextInt(15_000));
    Disturbance pauses = Disturbance.pauses(first, Duration.ofSeconds(20), Duration.ofSeconds(8));

    List<Double> periods = run(preset, pauses, seed).periodsUntilWhole(MOST_PERIODS);

    assertThat(periods).as("pauses, seed %d", seed).hasSizeGreaterThan(4);
    assertAllAtMostTwo(periods, seed);
  }

  @ParameterizedTest
  @MethodSource("presets")
  void roundsAreWholeTwoPeriodsAfterAReplicaWasGoneForAMinute(Preset preset) {
    long seed = Seeds.next();
    Duration from = Duration.ofMillis(10_000 + new Random(seed).nextInt(15_000));
    Disturbance gone = Disturbance.gone(from, Duration.ofMinutes(1));

    RoundLog log = run(preset, gone, seed);

    List<Double> periods = log.periodsUntilWhole(MOST_PERIODS);
    assertThat(log.partial()).as("rounds without it, seed %d", seed).isPositive();
    assertThat(periods).as("pauses, seed %d", seed).hasSize(1);
    assertAllAtMostTwo(periods, seed);
  }

  @ParameterizedTest
  @MethodSource("presets")
  void aReplicaThatStaysSlowMakesRoundsNoRarerForThoseThatTrainMeanwhile(Preset preset) {
    assumeFalse(preset.waits());
    long seed = Seeds.next();

    RoundLog log = run(preset, Disturbance.slow(10), seed);

    // In which the slow one has made a tenth of its contributions, and does the rest alone.
    int undisturbed = STEPS / Math.max(2, preset.localSteps());
    assertThat(log.partial()).as("seed %d", seed).isGreaterThan(undisturbed / 2);
  }

  private static void assertAllAtMostTwo(List<Double> periods, long seed) {
    System.out.printf("Periods until rounds are whole, seed %d: %s%n", seed, periods);
    assertThat(periods)
        .as("periods until rounds are whole, seed %d", seed)
        .allSatisfy(each -> assertThat(each).isLessThanOrEqualTo(MOST_PERIODS));
  }

  private static RoundLog run(Preset preset, Disturbance disturbance, long seed) {
    Training training =
        new Training(
            MODEL,
            LearningRateScaling.NONE,
            new ContributionGuard(Double.POSITIVE_INFINITY),
            SlowReplicaTest::minibatches);
    DisturbedJob job = new DisturbedJob(preset, training, disturbance, seed);
    job.run();
    assertThat(job.totals().ledger().learnedCount())
        .as("learned records, seed %d", seed)
        .isEqualTo((long) DisturbedJob.REPLICAS * STEPS * batch());
    return job.log();
  }

  private static int batch() {
    return DisturbedJob.BATCH.local(DisturbedJob.REPLICAS);
  }

  private static Iterator<Minibatch> minibatches(int partition) {
    Partition records = new Partition("records", partition);
    Stream<Minibatch> minibatches =
        IntStream.range(0, STEPS)
            .mapToObj(
                step -> {
                  Minibatch minibatch = new Minibatch(MODEL.spec().shape(), batch());
                  for (int row = 0; row < batch(); row++) {
                    minibatch.add(
                        new float[] {1}, new float[1], 1, records, (long) step * batch() + row);
                  }
                  return minibatch;
                });
    return minibatches.iterator();
  }
}
