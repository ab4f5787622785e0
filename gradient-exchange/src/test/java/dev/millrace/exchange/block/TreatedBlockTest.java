package dev.millrace.exchange.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.exchange.aggregate.Aggregator;
import dev.millrace.exchange.aggregate.ServerOptimizer;
import dev.millrace.exchange.block.BlockMessage.Contribution;
import dev.millrace.exchange.codec.FeedbackCodecs;
import dev.millrace.exchange.codec.TestPayloads;
import dev.millrace.exchange.round.Decision;
import dev.millrace.exchange.round.Participation;
import dev.millrace.exchange.round.PastOrder;
import dev.millrace.exchange.round.TestDecisions;
import dev.millrace.exchange.round.Treatment;
import dev.millrace.model.BlockLayout;
import dev.millrace.model.IndexRange;
import dev.millrace.model.ServerOptimizerState;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is done to a block beside combining. */
class TreatedBlockTest {

  private static final Treatment HALF = new Treatment(0.5, 0, false, 7);
  private static final Treatment RESET = new Treatment(1, 0, true, 7);

  private final Combiner combiner =
      combiner(new BlockLayout(3, 3, 3, List.of(), List.of(new IndexRange(2, 3))));
  private GlobalBlock block = block(combiner, 0, 1, 1, 1);

  @Test
  void shrinksOnceAfterCombiningAndLeavesRunningStatisticsAlone() {
    round(combiner, HALF, 1, 3, 5, 7);
    assertThat(block.update().values()).containsExactly(2, 3, 8);

    round(combiner, Treatment.NONE, 2, 1, 1, 1);
    assertThat(block.update().values()).containsExactly(3, 4, 9);
  }

  @Test
  void addsTheSameNormalNumbersWheneverItIsMade() {
    int size = 10_000;
    Combiner large = combiner(new BlockLayout(size, size, size, List.of()));
    Treatment perturb = new Treatment(1, 0.5, false, 42);
    float[] first = perturbed(large, perturb, size);

    assertThat(perturbed(large, perturb, size)).containsExactly(first);
    assertThat(perturbed(large, new Treatment(1, 0.5, false, 43), size)).isNotEqualTo(first);
    double sum = 0;
    double squares = 0;
    for (float value : first) {
      sum += value;
      squares += value * value;
    }
    assertThat(sum / size).isCloseTo(0, within(0.025));
    assertThat(Math.sqrt(squares / size)).isCloseTo(0.5, within(0.02));
  }

  private float[] perturbed(Combiner large, Treatment treatment, int size) {
    block = block(large, 0, new float[size]);
    round(large, treatment, 1, new float[size]);
    return block.update().values();
  }

  @Test
  void aRoundThatPassesByIsMadeUpForInTheNextEvenAfterARestore() throws IOException {
    block.add(new Decision(0, 1, TestDecisions.members(), Participation.WHOLE, false, HALF));
    assertThat(block.advance(combiner)).isNotNull();
    assertThat(block.update().values()).containsExactly(1, 1, 1);

    restore();
    round(combiner, Treatment.NONE, 2, 3, 5, 7);

    assertThat(block.update().values()).containsExactly(2, 3, 8);
  }

  @Test
  void aDecisionThatWaitsKeepsItsTreatment() throws IOException {
    block.add(new Decision(0, 1, TestDecisions.members(0), Participation.WHOLE, false, HALF));
    restore();
    block.add(contribution(0, 1, 3, 5, 7));
    block.advance(combiner);

    assertThat(block.update().values()).containsExactly(2, 3, 8);
  }

  @Test
  void exchangedUpdaterStateLosesFirstMomentsAndKeepsSecondOnes() {
    Combiner adam = combiner(new BlockLayout(6, 4, 2, List.of(new IndexRange(4, 6))));
    block = block(adam, 1, 1, 2, 3, 4);

    round(adam, RESET, 1, 1, 1, 1, 1);

    assertThat(block.update().values()).containsExactly(0, 0, 4, 5);
  }

  @Test
  void theServerOptimizerStartsAnew() {
    Combiner momentum =
        new Combiner(
            new BlockLayout(3, 3, 3, List.of()),
            Aggregator.weightedMean(),
            ServerOptimizer.nesterov(1, 0.5));
    block = block(momentum, 0, 0, 0, 0);

    round(momentum, RESET, 1, 2, 2, 2);
    assertThat(block.optimizerState()).containsOnly(0);
    round(momentum, Treatment.NONE, 2, 2, 2, 2);
    assertThat(block.optimizerState()).doesNotContain(0);
  }

  @Test
  void aPastModelIsThatOfBeforeItsRoundAndComesBackAfterARestore() throws IOException {
    round(combiner, keep(1, 0), 1, 1, 1, 1);
    round(combiner, keep(2, 1), 2, 1, 1, 1);
    assertThat(block.update().values()).as("kept, and learned on").containsExactly(3, 3, 3);
    restore();

    round(combiner, returnTo(1), 3, 5, 5, 5);
    assertThat(block.update().values()).containsExactly(1, 1, 1);
    round(combiner, returnTo(2), 4, 5, 5, 5);
    assertThat(block.update().values()).containsExactly(2, 2, 2);
    round(combiner, Treatment.NONE, 5, 1, 1, 1);
    assertThat(block.update().values()).containsExactly(3, 3, 3);
  }

  @Test
  void theOldestPastModelIsForgotten() {
    round(combiner, keep(1, 0), 1, 1, 1, 1);
    round(combiner, keep(2, 2), 2, 1, 1, 1);

    assertThatThrownBy(() -> round(combiner, returnTo(1), 3, 1, 1, 1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("past model 1");
  }

  /**
   * A round that covers other blocks orders it, and the next drift comes before this one's turn.
   */
  @Test
  void aPastModelThatAWaitingTreatmentNeedsIsNotForgottenBefore() {
    round(combiner, keep(1, 0), 1, 1, 1, 1);
    pass(2, returnTo(1));
    pass(3, keep(2, 2));

    round(combiner, Treatment.NONE, 4, 5, 5, 5);
    assertThat(block.update().values()).containsExactly(1, 1, 1);

    round(combiner, keep(3, 3), 5, 1, 1, 1);
    assertThatThrownBy(() -> round(combiner, returnTo(2), 6, 1, 1, 1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("past model 2");
  }

  /** A round without members of this block. */
  private void pass(long round, Treatment treatment) {
    block.add(
        new Decision(0, round, TestDecisions.members(), Participation.WHOLE, false, treatment));
    assertThat(block.advance(combiner)).isNotNull();
  }

  @Test
  void theMovingAverageBeginsAtThePastModel() {
    Combiner averaging =
        new Combiner(
            new BlockLayout(3, 3, 3, List.of()),
            Aggregator.weightedMean(),
            ServerOptimizer.none(1),
            FeedbackCodecs.WHOLE,
            new Averaging(40, true));
    block = block(averaging, 0, 1, 1, 1);
    round(averaging, keep(1, 0), 1, 7, 7, 7);
    round(averaging, returnTo(1), 2, 7, 7, 7);

    assertThat(block.published(averaging)).containsExactly(1, 1, 1);
  }

  private static Treatment keep(int number, int oldest) {
    return new Treatment(1, 0, false, 0, new PastOrder(number, oldest, 0));
  }

  private static Treatment returnTo(int number) {
    return new Treatment(1, 0, true, 0, new PastOrder(0, 0, number));
  }

  private void round(Combiner by, Treatment treatment, long round, float... change) {
    block.add(contribution(block.block(), round, change));
    block.add(
        new Decision(
            block.block(), round, TestDecisions.members(0), Participation.WHOLE, false, treatment));
    assertThat(block.advance(by)).isNotNull();
  }

  private void restore() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    block.write(new DataOutputStream(bytes));
    block = GlobalBlock.read(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));
  }

  private static GlobalBlock block(Combiner combiner, int number, float... values) {
    GlobalBlock block = new GlobalBlock(number);
    block.initialize(values, ServerOptimizerState.NONE, combiner);
    return block;
  }

  private static Combiner combiner(BlockLayout layout) {
    return new Combiner(layout, Aggregator.weightedMean(), ServerOptimizer.none(1));
  }

  private static Contribution contribution(int block, long sequence, float... change) {
    return new Contribution(block, 0, sequence, 1, TestPayloads.float32(0, change, change.length));
  }
}
