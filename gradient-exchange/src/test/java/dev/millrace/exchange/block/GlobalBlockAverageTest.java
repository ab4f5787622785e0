package dev.millrace.exchange.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.exchange.aggregate.Aggregator;
import dev.millrace.exchange.aggregate.ServerOptimizer;
import dev.millrace.exchange.block.BlockMessage.Contribution;
import dev.millrace.exchange.codec.FeedbackCodecs;
import dev.millrace.exchange.codec.TestPayloads;
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
import org.junit.jupiter.api.Test;

/** The moving average that a block keeps beside its values. */
class GlobalBlockAverageTest {

  private static final double HALF_LIFE = 40;

  /** Two parameters, of which one is a running statistic, then two values of updater state. */
  private static final BlockLayout LAYOUT =
      new BlockLayout(4, 2, 2, List.of(), List.of(new IndexRange(1, 2)));

  private final Combiner without = combiner(Averaging.NONE);
  private final Combiner averaging = combiner(new Averaging(HALF_LIFE, true));

  @Test
  void followsTheValuesByTheExamplesOfTheRoundsMembers() {
    GlobalBlock block = block(0, averaging);
    double[] plain = {1, 1};
    double all = 0;
    for (int round = 1; round <= 100; round++) {
      makeRound(block, round, averaging);

      all += 8;
      double decay = Math.pow(0.5, 8 / Math.min(HALF_LIFE, all / 10));
      for (int i = 0; i < plain.length; i++) {
        plain[i] = decay * plain[i] + (1 - decay) * block.update().values()[i];
        assertThat((double) block.average()[i]).isCloseTo(plain[i], within(1e-4));
      }
    }
    assertThat(block.average()[0]).as("it lags behind").isLessThan(block.update().values()[0] - 1);
  }

  @Test
  void beginsAsTheValuesAre() {
    GlobalBlock block = block(0, averaging);

    assertThat(block.published(averaging)).containsExactly(1, 1);
    assertThat(new GlobalBlock(0).published(averaging)).as("no values yet").isEmpty();
  }

  @Test
  void theValuesAreTheSameBitByBitWithAndWithoutIt() {
    GlobalBlock one = block(0, averaging);
    GlobalBlock other = block(0, without);
    for (int round = 1; round <= 10; round++) {
      makeRound(one, round, averaging);
      makeRound(other, round, without);

      assertThat(one.update().values()).isEqualTo(other.update().values());
    }
    assertThat(other.average()).isEmpty();
  }

  @Test
  void whatIsPublishedNeverChanges() {
    GlobalBlock block = block(0, averaging);
    makeRound(block, 1, averaging);
    float[] published = block.published(averaging);
    float[] copy = published.clone();

    makeRound(block, 2, averaging);

    assertThat(published).isEqualTo(copy);
    assertThat(block.published(averaging)).isNotEqualTo(copy);
  }

  @Test
  void keptAndNotPublishedItLeavesTheNewestValuesToThePublisher() {
    Combiner keeping = combiner(new Averaging(HALF_LIFE, false));
    GlobalBlock block = block(0, keeping);
    makeRound(block, 1, keeping);
    makeRound(block, 2, keeping);

    assertThat(block.published(keeping)).isEqualTo(block.update().values());
    assertThat(block.average()).isNotEqualTo(block.update().values());
  }

  @Test
  void updaterStateHasNone() {
    GlobalBlock state = block(1, averaging);
    makeRound(state, 1, averaging);

    assertThat(state.average()).isEmpty();
    assertThat(state.published(averaging)).isEmpty();
    assertThat(state.published(without)).hasSize(2);
  }

  @Test
  void isTheSameBitByBitAfterARestore() throws IOException {
    GlobalBlock undisturbed = block(0, averaging);
    GlobalBlock restored = restore(undisturbed);
    for (int round = 1; round <= 20; round++) {
      makeRound(undisturbed, round, averaging);
      makeRound(restored, round, averaging);
      restored = restore(restored);
    }

    assertThat(written(restored)).isEqualTo(written(undisturbed));
    assertThat(restored.published(averaging)).isEqualTo(undisturbed.average());
  }

  @Test
  void aJobThatKeepsOneBeginsItFromACheckpointWithoutOne() throws IOException {
    GlobalBlock block = block(0, without);
    makeRound(block, 1, without);

    block = restore(block);

    assertThat(block.published(averaging)).isEqualTo(block.update().values());
    makeRound(block, 2, averaging);
    assertThat(block.average()).hasSize(2);
  }

  @Test
  void aJobThatKeepsNoneDropsThatOfItsCheckpoint() throws IOException {
    GlobalBlock block = block(0, averaging);
    makeRound(block, 1, averaging);
    block = restore(block);
    assertThat(block.average()).hasSize(2);

    // As with each message, whether there is a round to make or not.
    block.advance(without);

    assertThat(restore(block).average()).isEmpty();
    assertThat(written(block).length).isLessThanOrEqualTo(block.writtenSize());
  }

  private static Combiner combiner(Averaging averaging) {
    return new Combiner(
        LAYOUT,
        Aggregator.weightedMean(),
        ServerOptimizer.nesterov(0.7, 0.9),
        FeedbackCodecs.WHOLE,
        averaging);
  }

  private static GlobalBlock block(int number, Combiner combiner) {
    GlobalBlock block = new GlobalBlock(number);
    block.initialize(new float[] {1, 1}, ServerOptimizerState.NONE, combiner);
    return block;
  }

  /** Of 3 and 5 examples. */
  private static void makeRound(GlobalBlock block, long round, Combiner combiner) {
    add(block, 0, round, 3, 0.5f, 0.25f);
    add(block, 1, round, 5, (float) Math.sin((double) round), 0.125f);
    block.add(TestDecisions.decision(block.block(), round, false, 0, 1));
    assertThat(block.advance(combiner)).isNotNull();
  }

  private static void add(
      GlobalBlock block, int replica, long sequence, double examples, float... change) {
    block.add(
        new Contribution(
            block.block(),
            replica,
            sequence,
            examples,
            TestPayloads.float32(0, change, change.length)));
  }

  private static byte[] written(GlobalBlock block) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    block.write(new DataOutputStream(bytes));
    return bytes.toByteArray();
  }

  private static GlobalBlock restore(GlobalBlock block) throws IOException {
    return GlobalBlock.read(new DataInputStream(new ByteArrayInputStream(written(block))));
  }
}
