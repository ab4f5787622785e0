package dev.millrace.exchange.block;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.exchange.aggregate.Aggregator;
import dev.millrace.exchange.aggregate.ServerOptimizer;
import dev.millrace.exchange.block.BlockMessage.Contribution;
import dev.millrace.exchange.codec.Codec;
import dev.millrace.exchange.codec.FeedbackCodecs;
import dev.millrace.exchange.codec.TestPayloads;
import dev.millrace.exchange.round.Decision;
import dev.millrace.exchange.round.TestDecisions;
import dev.millrace.model.BlockLayout;
import dev.millrace.model.ServerOptimizerState;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Rounds that have no contributions to a block. */
class GlobalBlockFragmentsTest {

  /** One block of two values. */
  private static final BlockLayout TWO = new BlockLayout(2, 2, 2, List.of());

  private final Combiner combiner =
      new Combiner(
          new BlockLayout(2, 2, 2, List.of()), Aggregator.weightedMean(), ServerOptimizer.none(1));
  private GlobalBlock block = new GlobalBlock(0);

  @BeforeEach
  void initialize() {
    block.initialize(new float[] {1, 1}, ServerOptimizerState.NONE, combiner);
  }

  @Test
  void aRoundThatPassesItByLeavesItAsItIs() throws IOException {
    block.add(contribution(0, 1, 2, 2));
    block.add(decision(1, 0));
    block.advance(combiner);
    block.add(decision(2));
    restore();

    Decision made = block.advance(combiner);

    assertThat(made.isOfMembers()).isFalse();
    assertThat(block.round()).isEqualTo(2);
    restore();
    assertThat(block.update().round()).as("the newest that changed it").isEqualTo(1);
    assertThat(block.update().values()).containsExactly(3, 3);
    block.add(contribution(0, 4, 1, 1));
    block.add(decision(3, 0));
    assertThat(block.advance(combiner)).as("contributions 2 and 3 didn't cover it").isNotNull();
    assertThat(block.update().round()).isEqualTo(3);
  }

  /** Whether they were told before or after rounds that passed the block by. */
  @Test
  void receiversTakeChangesAfterRoundsThatPassedItBy() {
    Combiner lossy =
        new Combiner(
            new BlockLayout(2, 2, 2, List.of()),
            Aggregator.sum(),
            ServerOptimizer.none(1),
            new FeedbackCodecs(Codec.sparse(), Codec.sparse()));
    GlobalModelCopy early = new GlobalModelCopy(true, TWO);
    early.take(copyOfAll(lossy));
    told(lossy, early, 1, 1, 1);
    block.add(decision(2));
    block.advance(lossy);
    GlobalModelCopy late = new GlobalModelCopy(true, TWO);
    late.take(copyOfAll(lossy));

    assertThat(told(lossy, early, 3, 5, 3)).containsExactly(7, 5);
    assertThat(late.take(block.feedback(lossy, false)).values()).containsExactly(7, 5);
  }

  private float[] told(Combiner lossy, GlobalModelCopy copy, long round, float... change) {
    block.add(contribution(0, round, change));
    block.add(decision(round, 0));
    block.advance(lossy);
    return copy.take(block.feedback(lossy, false)).values();
  }

  /** As it arrives: the block itself changes its values in place. */
  private BlockUpdate copyOfAll(Combiner lossy) {
    BlockUpdate all = (BlockUpdate) block.feedback(lossy, true);
    return new BlockUpdate(all.block(), all.round(), all.values().clone());
  }

  private void restore() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    block.write(new DataOutputStream(bytes));
    block = GlobalBlock.read(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));
  }

  private static Decision decision(long round, int... replicas) {
    return TestDecisions.decision(0, round, false, replicas);
  }

  private static Contribution contribution(int replica, long sequence, float... change) {
    return new Contribution(
        0, replica, sequence, 1, TestPayloads.float32(0, change, change.length));
  }
}
