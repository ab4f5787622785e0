package dev.millrace.exchange.replica;

import static dev.millrace.exchange.replica.TestReplicas.standardizingReplica;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.exchange.block.BlockUpdate;
import dev.millrace.exchange.round.Coordinator;
import dev.millrace.exchange.round.CoordinatorMessage;
import dev.millrace.exchange.round.CoordinatorMessage.Announcement;
import dev.millrace.exchange.round.CoordinatorMessage.Hello;
import dev.millrace.exchange.round.CoordinatorMessage.Refusal;
import dev.millrace.exchange.round.ModelTotals;
import dev.millrace.exchange.round.WholeRound;
import dev.millrace.model.Minibatch;
import dev.millrace.model.Partition;
import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.model.testing.Seeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Streams in their natural order, as sensors send them, between a replica and a coordinator. Each
 * contribution makes a round.
 */
class ClippedStreamTest {

  private static final int BATCH = 12;

  private long seed;

  @BeforeEach
  void seed(TestInfo test) {
    seed = Seeds.next();
    System.out.printf("%s: seed %d%n", test.getDisplayName(), seed);
  }

  /** A sensor that is still off, and is switched on. */
  @ParameterizedTest
  @ValueSource(ints = {1, 20})
  void afterAlmostNoVariationAJumpLosesNoRecord(int localSteps) {
    for (int before : new int[] {12, 240}) {
      Job clipped = new Job(10, localSteps);
      Job unclipped = new Job(Double.POSITIVE_INFINITY, localSteps);
      Random random = new Random(seed);
      for (Job job : List.of(clipped, unclipped)) {
        job.learn(random, before, 20, 1e-3);
        job.learn(random, 2_400, 500, 50);
        job.learn(random, 240, 20, 1e-3);
        job.end();
      }

      assertThat(clipped.refusals).as("%d records before", before).isEmpty();
      assertThat(clipped.totals().ledger().learnedCount()).isEqualTo(before + 2_640);
      assertThat(unclipped.refusals.isEmpty()).as("no judgement on a few").isEqualTo(before < 100);
    }
  }

  @Test
  void aJumpIsClippedAndFollowed() {
    Job job = new Job(10);
    Random random = new Random(seed);
    job.learn(random, 240, 20, 1e-3);

    float[] first = job.learn(random, BATCH, 500, 50);
    float[] last = job.learn(random, 1_200, 500, 50);

    assertThat(first).containsOnly(10);
    for (float value : last) {
      assertThat(value).isBetween(-9f, 9f);
    }
    assertThat(spread(last)).as("of a few values").isGreaterThan(0.1f);
  }

  /** At any time: early, when little is known, and later. */
  @Test
  void aValueAMillionTimesTooLargeSpoilsNothing() {
    for (int at : new int[] {30, 2_000}) {
      Job spoilt = new Job(10);
      Job whole = new Job(10);
      for (Job job : List.of(spoilt, whole)) {
        Random random = new Random(seed);
        job.learn(random, at / BATCH * BATCH, 50, 5);
        float[] values = gaussian(random, BATCH, 50, 5);
        if (job == spoilt) {
          values[at % BATCH] *= 1e6f;
        }
        assertThat(job.learn(values)[at % BATCH]).isBetween(-10f, 10f);
        job.learn(random, 3_000, 50, 5);
      }

      assertThat(spoilt.refusals).isEmpty();
      FeatureStatistics with = spoilt.totals().statistics();
      FeatureStatistics without = whole.totals().statistics();
      assertThat(with.count()).isEqualTo(without.count());
      assertThat(with.mean(0) - without.mean(0)).as("value %d", at).isBetween(-0.2, 0.2);
      assertThat(with.deviation(0) / without.deviation(0)).as("value %d", at).isBetween(0.9, 1.1);
    }
  }

  @Test
  void anotherUnitIsFollowed() {
    Job job = new Job(10);
    Random random = new Random(seed);
    job.learn(random, 3_000, 50, 5);

    float[] last = job.learn(random, 3_000, 50e3, 5e3);

    assertThat(job.refusals).isEmpty();
    for (float value : last) {
      assertThat(value).isBetween(-9f, 9f);
    }
    assertThat(spread(last)).isGreaterThan(0.1f);
  }

  /** So what is published predicts for the features that were learned from. */
  @Test
  void theModelOfARoundStandardizesAsTheTrainingDidBitByBit() {
    Job job = new Job(10);
    Random random = new Random(seed);
    for (int round = 0; round < 50; round++) {
      float[] values = gaussian(random, BATCH, 50, 5);
      values[random.nextInt(BATCH)] *= 1e6f;

      float[] learned = job.learn(values);

      job.totals().statistics().standardization().apply(values, BATCH);
      assertThat(values).as("round %d", round).containsExactly(learned);
    }
    assertThat(job.refusals).isEmpty();
  }

  private static float[] gaussian(Random random, int count, double mean, double deviation) {
    float[] values = new float[count];
    for (int i = 0; i < count; i++) {
      values[i] = (float) (mean + deviation * random.nextGaussian());
    }
    return values;
  }

  private static float spread(float[] values) {
    float[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length - 1] - sorted[0];
  }

  /** One replica and its coordinator; blocks stay as they are. */
  private static final class Job {

    private final Replica replica = standardizingReplica();
    private final Coordinator coordinator;
    private final List<Refusal> refusals = new ArrayList<>();
    private final int localSteps;
    private long offset;
    private int steps;

    Job(double clip) {
      this(clip, 1);
    }

    Job(double clip, int localSteps) {
      this.localSteps = localSteps;
      FeatureStatistics statistics = new FeatureStatistics(1);
      statistics.setClip(clip);
      coordinator = new Coordinator(ModelTotals.open(statistics, 0, 100, 1));
      coordinator.hello(new Hello(0, 1, "here"));
      hear();
    }

    ModelTotals totals() {
      return coordinator.totals();
    }

    /** Learns so many values in minibatches, and gives the last one as it was learned. */
    float[] learn(Random random, int count, double mean, double deviation) {
      float[] last = {};
      for (int done = 0; done < count; done += BATCH) {
        last = learn(gaussian(random, Math.min(BATCH, count - done), mean, deviation));
      }
      return last;
    }

    /** Learns a minibatch, and gives it as it was learned. */
    float[] learn(float[] values) {
      Minibatch minibatch = new Minibatch(TestReplicas.INITIAL.spec().shape(), values.length);
      for (float value : values) {
        minibatch.add(new float[] {value}, new float[1], 1, new Partition("t", 0), offset++);
      }
      replica.learn(
          minibatch,
          (partition, at, reason) -> {
            throw new AssertionError(reason);
          });
      steps++;
      if (steps % localSteps == 0) {
        contribute();
      }
      return minibatch.features();
    }

    /** Contributes what is left. */
    void end() {
      if (replica.hasLearned()) {
        contribute();
      }
    }

    private void contribute() {
      CoordinatorMessage message = replica.contribute(contribution -> {});
      if (message instanceof Announcement announcement) {
        coordinator.announce(announcement);
        coordinator.close(WholeRound.OF_ALL);
      } else if (message instanceof Refusal refusal) {
        coordinator.refuse(refusal);
        refusals.add(refusal);
      }
      hear();
    }

    private void hear() {
      replica.accept(coordinator.head(1, false), coordinator.standing(0));
      long round = coordinator.version().round();
      // So large that no change of them is an explosion.
      replica.accept(new BlockUpdate(0, round, new float[] {1e6f, 1e6f, 1e6f}));
      replica.accept(new BlockUpdate(1, round, new float[] {1e6f}));
    }
  }
}
