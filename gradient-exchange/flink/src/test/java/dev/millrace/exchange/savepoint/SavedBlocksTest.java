package dev.millrace.exchange.savepoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.exchange.aggregate.Aggregator;
import dev.millrace.exchange.aggregate.ServerOptimizer;
import dev.millrace.exchange.block.Averaging;
import dev.millrace.exchange.block.BlockMessage.Contribution;
import dev.millrace.exchange.block.Combiner;
import dev.millrace.exchange.block.GlobalBlock;
import dev.millrace.exchange.codec.FeedbackCodecs;
import dev.millrace.exchange.codec.Payload;
import dev.millrace.exchange.codec.TestPayloads;
import dev.millrace.exchange.round.TestDecisions;
import dev.millrace.model.BlockLayout;
import dev.millrace.model.ServerOptimizerState;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class SavedBlocksTest {

  private static final BlockLayout LAYOUT = new BlockLayout(10, 4, 10, List.of());

  private final List<String> told = new ArrayList<>();

  @Test
  void blocksMayComeInAnyOrder() throws IOException {
    SavedBlocks blocks = blocks(LAYOUT, 1);
    add(blocks, saved(LAYOUT, 2, 1));
    add(blocks, saved(LAYOUT, 0, 1));
    add(blocks, saved(LAYOUT, 1, 1));

    assertThat(blocks.vector()).containsExactly(1, 1, 1, 1, 2, 2, 2, 2, 3, 3);
    assertThat(told).containsExactly("1 of 3", "2 of 3", "3 of 3");
  }

  @Test
  void aBlockThatNeverCameIsMissed() throws IOException {
    SavedBlocks blocks = blocks(LAYOUT, 0);
    add(blocks, saved(LAYOUT, 0, 0));

    assertThatThrownBy(blocks::vector)
        .isInstanceOf(SavepointException.class)
        .hasMessageContainingAll("place", "lacks 2", "block 1");
  }

  @Test
  void aBlockThatDoesNotBelongIsRefused() throws IOException {
    SavedBlocks blocks = blocks(LAYOUT, 1);
    add(blocks, saved(LAYOUT, 0, 1));

    assertRefused(blocks, saved(LAYOUT, 0, 1), "block 0 twice");
    assertRefused(blocks, saved(LAYOUT, 1, 0), "block 1 of round 0");
    assertRefused(blocks, saved(new BlockLayout(20, 4, 20, List.of()), 4, 1), "a block 4");
    assertRefused(
        blocks, saved(new BlockLayout(20, 3, 20, List.of()), 1, 1), "3 values in block 1");
    assertRefused(blocks, bytes(new GlobalBlock(2)), "first model");
  }

  @Test
  void aModelThatDoesNotFitIsNamedWithItsSize() {
    BlockLayout huge = new BlockLayout(Integer.MAX_VALUE, 1 << 20, Integer.MAX_VALUE, List.of());

    assertThatThrownBy(() -> blocks(huge, 1))
        .isInstanceOf(SavepointException.class)
        .hasMessageContainingAll("place", "8,589 MB", "-Xmx");
  }

  /** Of eight parameters in two blocks, and two values of updater state in a third. */
  @Test
  void theMovingAverageIsOfTheParametersAlone() throws IOException {
    BlockLayout layout = new BlockLayout(10, 4, 8, List.of());
    SavedBlocks blocks = average(layout);
    for (int block = 2; block >= 0; block--) {
      add(blocks, saved(layout, block, 1, new Averaging(50, false)));
    }

    // A round of one example and of no change.
    assertThat(blocks.vector()).containsExactly(1, 1, 1, 1, 2, 2, 2, 2);
    assertThat(blocks.serverOptimizer().isEmpty()).isTrue();
  }

  @Test
  void aMovingAverageIsNotTheNewestValues() throws IOException {
    BlockLayout layout = new BlockLayout(4, 4, 4, List.of());
    byte[] saved = moved(layout);
    SavedBlocks newest = blocks(layout, 1);
    add(newest, saved);
    SavedBlocks average = average(layout);
    add(average, saved);

    assertThat(newest.vector()).containsOnly(1025);
    assertThat(average.vector()).containsOnly(1024);
  }

  @Test
  void whereThereIsNoMovingAverageThatIsSaid() {
    assertThatThrownBy(() -> add(average(LAYOUT), saved(LAYOUT, 1, 1)))
        .isInstanceOf(SavepointException.class)
        .hasMessageContainingAll("place", "no moving average", "Take the newest parameters");
  }

  private SavedBlocks blocks(BlockLayout layout, long round) throws SavepointException {
    return new SavedBlocks(
        "place", layout, round, false, (blocks, all, bytes) -> told.add(blocks + " of " + all));
  }

  private static SavedBlocks average(BlockLayout layout) throws SavepointException {
    return new SavedBlocks("place", layout, 1, true, (blocks, all, bytes) -> {});
  }

  static void add(SavedBlocks blocks, byte[] saved) throws IOException {
    blocks.add(new DataInputStream(new ByteArrayInputStream(saved)), saved.length);
  }

  private static void assertRefused(SavedBlocks blocks, byte[] saved, String why) {
    assertThatThrownBy(() -> add(blocks, saved))
        .isInstanceOf(SavepointException.class)
        .hasMessageContainingAll("place", why);
  }

  /** A block whose values are its number and 1, with a contribution that is under way. */
  static byte[] saved(BlockLayout layout, int number, int rounds) throws IOException {
    return saved(layout, number, rounds, Averaging.NONE);
  }

  private static byte[] saved(BlockLayout layout, int number, int rounds, Averaging averaging)
      throws IOException {
    Combiner combiner = combiner(layout, averaging);
    GlobalBlock block = new GlobalBlock(number);
    float[] values = new float[layout.size(number)];
    Arrays.fill(values, number + 1);
    block.initialize(values, ServerOptimizerState.NONE, combiner);
    Payload nothing = TestPayloads.float32(0, new float[values.length], values.length);
    for (int round = 1; round <= rounds; round++) {
      block.add(new Contribution(number, 0, round, 1, nothing));
      block.add(TestDecisions.decision(number, round, false, 0));
      block.advance(combiner);
    }
    block.add(new Contribution(number, 0, rounds + 1, 1, nothing));
    return bytes(block);
  }

  /** One round of which a moving average takes all but a 1024th. */
  private static byte[] moved(BlockLayout layout) throws IOException {
    Combiner combiner = combiner(layout, new Averaging(50, false));
    GlobalBlock block = new GlobalBlock(0);
    block.initialize(new float[] {1, 1, 1, 1}, ServerOptimizerState.NONE, combiner);
    float[] change = {1024, 1024, 1024, 1024};
    block.add(new Contribution(0, 0, 1, 1, TestPayloads.float32(0, change, 4)));
    block.add(TestDecisions.decision(0, 1, false, 0));
    block.advance(combiner);
    return bytes(block);
  }

  private static Combiner combiner(BlockLayout layout, Averaging averaging) {
    return new Combiner(
        layout,
        Aggregator.weightedMean(),
        ServerOptimizer.none(1),
        FeedbackCodecs.WHOLE,
        averaging);
  }

  private static byte[] bytes(GlobalBlock block) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    block.write(new DataOutputStream(bytes));
    return bytes.toByteArray();
  }
}
