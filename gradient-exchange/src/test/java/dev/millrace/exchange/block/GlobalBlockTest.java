package dev.millrace.exchange.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.exchange.aggregate.Aggregator;
import dev.millrace.exchange.aggregate.ServerOptimizer;
import dev.millrace.exchange.block.BlockMessage.Contribution;
import dev.millrace.exchange.codec.Codec;
import dev.millrace.exchange.codec.FeedbackCodecs;
import dev.millrace.exchange.codec.TestPayloads;
import dev.millrace.exchange.codec.ThresholdRule;
import dev.millrace.exchange.round.Decision;
import dev.millrace.exchange.round.Participation;
import dev.millrace.exchange.round.TestDecisions;
import dev.millrace.model.BlockLayout;
import dev.millrace.model.ServerOptimizerState;
import dev.millrace.model.shape.IndexRange;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class GlobalBlockTest {

  /** One block of two values. */
  private static final BlockLayout TWO = new BlockLayout(2, 2, 2, List.of());

  private final Combiner combiner =
      new Combiner(
          new BlockLayout(2, 2, 2, List.of(new IndexRange(1, 2))),
          Aggregator.weightedMean(),
          ServerOptimizer.none(1));
  private GlobalBlock block = new GlobalBlock(0);

  @BeforeEach
  void initialize() {
    block.initialize(new float[] {1, 1}, ServerOptimizerState.NONE, combiner);
  }

  @Test
  void addsTheMeanOfTheChangesWeightedByExamples() {
    block.add(decision(1, 0, 1));
    block.add(weighted(3, 0, 1, 4, 8));
    assertThat(block.advance(combiner)).as("a contribution is missing").isNull();
    block.add(contribution(1, 1, 0, 4));

    assertThat(block.advance(combiner)).isNotNull();

    assertThat(block.update().values()).containsExactly(4, 8);
    assertThat(block.round()).isEqualTo(1);
  }

  /** N replicas in N rounds of their own together move the model as one round of all of them. */
  @Test
  void aRoundWithoutSomeReplicasMovesTheModelByTheirShare() {
    block.add(contribution(0, 1, 4, 8));
    block.add(quarter(0));

    block.advance(combiner);

    assertThat(block.update().values()).containsExactly(2, 3);
  }

  @Test
  void sumsAreTheSameWhoeverIsMissingAndMeansOfUpdaterStateAreNot() {
    Combiner summing =
        new Combiner(
            new BlockLayout(4, 2, 2, List.of()), Aggregator.sum(), ServerOptimizer.none(1));
    for (int number = 0; number < 2; number++) {
      GlobalBlock one = new GlobalBlock(number);
      one.initialize(new float[] {1, 1}, ServerOptimizerState.NONE, summing);
      one.add(contribution(0, 1, 4, 8));
      one.add(quarter(0));

      one.advance(summing);

      assertThat(one.update().values())
          .as("block %d", number)
          .containsExactly(number == 0 ? new float[] {5, 9} : new float[] {2, 3});
    }
  }

  @Test
  void keepsSecondMomentsFromFallingBelowZero() {
    block.add(contribution(0, 1, -5, -5));
    block.add(decision(1, 0));

    block.advance(combiner);

    assertThat(block.update().values()).containsExactly(-4, 0.5f);
  }

  @Test
  void theModelNeverExplodesUnnoticed() {
    Combiner thousandfold =
        new Combiner(
            new BlockLayout(2, 2, 2, List.of()),
            Aggregator.weightedMean(),
            ServerOptimizer.none(1_000));
    block.add(contribution(0, 1, 0x1p99f, 1));
    block.add(decision(1, 0));

    assertThatThrownBy(() -> block.advance(thousandfold))
        .isInstanceOf(ArithmeticException.class)
        .hasMessageContainingAll("Block 0", "learning rate");
  }

  /** Batch normalization's mean and variance are no steps of descent. */
  @Test
  void runningStatisticsAreAveragedWhateverBecomesOfTheOtherParameters() {
    Combiner summing =
        new Combiner(
            new BlockLayout(4, 4, 4, List.of(new IndexRange(2, 3)), List.of(new IndexRange(1, 3))),
            Aggregator.sum(),
            ServerOptimizer.nesterov(1, 0.9));
    GlobalBlock normalized = new GlobalBlock(0);
    normalized.initialize(new float[] {1, 1, 1, 1}, ServerOptimizerState.NONE, summing);
    for (int round = 1; round <= 2; round++) {
      normalized.add(contribution(0, round, 1, -0.5f, -0.9f, 1));
      normalized.add(contribution(1, round, 1, -0.25f, -0.5f, 1));
      normalized.add(decision(round, 0, 1));
      normalized.advance(summing);
    }

    float[] values = normalized.update().values();
    // v = 2, then 0.9 * 2 + 2 = 3.8; each round adds 2 + 0.9 v.
    assertThat(values[0]).isCloseTo(1 + 2 + 1.8f + 2 + 0.9f * 3.8f, within(1e-5f));
    assertThat(values[3]).isEqualTo(values[0]);
    assertThat(values[1]).isEqualTo(1 - 2 * 0.375f);
    assertThat(values[2])
        .as("a variance: half of 1 - 0.7, since 1 - 1.4 is none")
        .isCloseTo(0.15f, within(1e-6f));
  }

  @Test
  void refusesAContributionThatCameBefore() {
    block.add(contribution(0, 1, 1, 1));
    assertThatThrownBy(() -> block.add(contribution(0, 1, 1, 1)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("twice");
    block.add(decision(1, 0));
    block.advance(combiner);

    assertThatThrownBy(() -> block.add(contribution(0, 1, 1, 1)))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void makesRoundsInTheirOrderOnly() {
    block.add(contribution(0, 1, 1, 1));
    block.add(decision(2, 0));

    assertThatThrownBy(() -> block.advance(combiner)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void isTheSameAfterARestore() throws IOException {
    block.add(contribution(0, 1, 1, 1));
    block.add(decision(1, 0, 1));

    restore();

    block.add(contribution(1, 1, 3, 3));
    assertThat(block.advance(combiner)).isNotNull();
    assertThat(block.update().values()).containsExactly(3, 3);
  }

  /** A codec may change with a savepoint, and contributions wait in it. */
  @Test
  void whatWaitsIsDecodedByTheCodecThatEncodedItAfterARestore() throws IOException {
    block.add(contribution(0, 1, 1, 1));
    restore();
    // Saved once more before it is used.
    restore();
    Combiner other =
        new Combiner(
            new BlockLayout(2, 2, 2, List.of()),
            Aggregator.weightedMean(),
            ServerOptimizer.none(1));
    float[] change = {3, 3};
    block.add(new Contribution(0, 1, 1, 1, TestPayloads.bfloat16(0, change, 2)));
    block.add(decision(1, 0, 1));

    assertThat(block.advance(other)).isNotNull();
    assertThat(block.update().values()).containsExactly(3, 3);
  }

  @Test
  void toldOfChangesAReceiverHasWhatTheCodecLetThroughAcrossARestoreToo() throws IOException {
    Codec coarse = Codec.threshold(ThresholdRule.fixed(4));
    Combiner lossy =
        new Combiner(
            new BlockLayout(2, 2, 2, List.of()),
            Aggregator.sum(),
            ServerOptimizer.none(1),
            new FeedbackCodecs(coarse, coarse));
    GlobalModelCopy mirror = new GlobalModelCopy(true, TWO);
    mirror.take(copyOfAll(lossy));

    assertThat(told(lossy, mirror, 1, 5, 3)).containsExactly(5, 1);
    restore();
    mirror = new GlobalModelCopy(true, TWO);
    mirror.take(copyOfAll(lossy));

    assertThat(told(lossy, mirror, 2, 1, 1)).as("3 + 1 was left out").containsExactly(5, 5);
    assertThat(block.update().values()).containsExactly(7, 5);
  }

  /** Int8 rounds the change of a second moment from -0.96 to -1.9, since the other is so large. */
  @Test
  void toldOfChangesAReceiverHasNothingBelowZeroWhereNothingMayBe() throws IOException {
    BlockLayout layout = new BlockLayout(2, 2, 2, List.of(new IndexRange(1, 2)));
    Combiner rounding =
        new Combiner(
            layout,
            Aggregator.sum(),
            ServerOptimizer.none(1),
            new FeedbackCodecs(Codec.int8(), Codec.int8()));
    GlobalModelCopy mirror = new GlobalModelCopy(true, layout);
    mirror.take(copyOfAll(rounding));

    assertThat(told(rounding, mirror, 1, 241.3f, -0.96f)[1]).isEqualTo(0.5f);
    restore();

    assertThat(block.told(rounding).values()).isEqualTo(mirror.take(copyOfAll(rounding)).values());
    assertThat(block.told(rounding).values()[1]).isEqualTo(0.5f);
  }

  @Test
  void aChangeOfSomethingElseIsRefused() {
    GlobalModelCopy mirror = new GlobalModelCopy(true, TWO);
    mirror.take(new BlockUpdate(0, 3, new float[2]));

    assertThatThrownBy(() -> mirror.take(new BlockChange(0, 4, 5, TestPayloads.of())))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("round 3")
        .hasMessageContaining("round 4");
  }

  @Test
  void anOptimizerStateOfAnotherOptimizerIsLeftAside() throws IOException {
    Combiner momentum =
        new Combiner(
            new BlockLayout(2, 2, 2, List.of()),
            Aggregator.weightedMean(),
            ServerOptimizer.nesterov(1, 0.5));
    block.add(contribution(0, 1, 2, 2));
    block.add(decision(1, 0));
    block.advance(momentum);
    assertThat(block.update().values()).containsExactly(4, 4);
    restore();
    block.add(contribution(0, 2, 2, 2));
    block.add(decision(2, 0));
    block.advance(combiner);
    assertThat(block.update().values()).containsExactly(6, 6);
  }

  /** As it arrives: the block itself changes its values in place. */
  private BlockUpdate copyOfAll(Combiner lossy) {
    BlockUpdate all = (BlockUpdate) block.feedback(lossy, true);
    return new BlockUpdate(all.block(), all.round(), all.values().clone());
  }

  private float[] told(Combiner lossy, GlobalModelCopy mirror, long round, float... change) {
    block.add(contribution(0, round, change));
    block.add(decision(round, 0));
    block.advance(lossy);
    return mirror.take(block.feedback(lossy, false)).values();
  }

  private void restore() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    block.write(new DataOutputStream(bytes));
    block = GlobalBlock.read(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));
  }

  private static Decision decision(long round, int... replicas) {
    return TestDecisions.decision(0, round, false, replicas);
  }

  private static Decision quarter(int... replicas) {
    return new Decision(
        0, 1, TestDecisions.members(replicas), new Participation(0.25, 0.25), false);
  }

  private static Contribution contribution(int replica, long sequence, float... change) {
    return weighted(1, replica, sequence, change);
  }

  private static Contribution weighted(double weight, int replica, long sequence, float... change) {
    return new Contribution(
        0, replica, sequence, weight, TestPayloads.float32(0, change, change.length));
  }
}
