package dev.millrace.exchange.savepoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.exchange.aggregate.Aggregator;
import dev.millrace.exchange.aggregate.ServerOptimizer;
import dev.millrace.exchange.block.BlockMessage.Contribution;
import dev.millrace.exchange.block.Combiner;
import dev.millrace.exchange.block.GlobalBlock;
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
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a server optimizer keeps, from blocks of one size to blocks of another. */
class SavedOptimizerTest {

  /** Ten parameters, and four values of updater state behind them. */
  private static final int PARAMETERS = 10;

  private static final int LENGTH = 14;

  /** Cut at 4, 3 and 20 a block has parameters and updater state; at 3 it has one parameter. */
  @ParameterizedTest
  @CsvSource({
    "nesterov, 1, 4", "nesterov, 4, 3", "nesterov, 3, 20", "nesterov, 20, 5",
    "adam, 1, 4", "adam, 4, 3", "adam, 3, 20", "adam, 20, 1"
  })
  void goesOnInBlocksOfAnotherSize(String name, int size, int otherSize) throws IOException {
    ServerOptimizer optimizer = optimizer(name);
    float[] initial = new float[LENGTH];
    SavedBlocks before = run(optimizer, size, initial, ServerOptimizerState.NONE, 1, 5);
    ServerOptimizerState state = before.serverOptimizer();

    SavedBlocks otherwise = run(optimizer, otherSize, before.vector(), state, 6, 4);
    SavedBlocks throughout = run(optimizer, size, initial, ServerOptimizerState.NONE, 1, 9);
    SavedBlocks anew = run(optimizer, otherSize, before.vector(), ServerOptimizerState.NONE, 6, 4);

    assertThat(state.slots()).hasSize(name.equals("adam") ? 2 : 1);
    assertThat(state.length()).isEqualTo(PARAMETERS);
    assertThat(state.rounds()).isEqualTo(name.equals("adam") ? 5 : 0);
    assertThat(otherwise.vector()).isEqualTo(throughout.vector());
    assertThat(otherwise.serverOptimizer())
        .usingRecursiveComparison()
        .isEqualTo(throughout.serverOptimizer());
    assertThat(Arrays.copyOf(anew.vector(), PARAMETERS))
        .isNotEqualTo(Arrays.copyOf(throughout.vector(), PARAMETERS));
  }

  @Test
  void whereThereIsNoServerOptimizerThereIsNoState() throws IOException {
    SavedBlocks blocks =
        run(ServerOptimizer.none(1), 4, new float[LENGTH], ServerOptimizerState.NONE, 1, 2);

    assertThat(blocks.serverOptimizer().isEmpty()).isTrue();
  }

  @Test
  void blocksOfDifferentOptimizersAreNoModel() throws IOException {
    BlockLayout layout = layout(4);
    SavedBlocks blocks = new SavedBlocks("place", layout, 0, false, (read, all, bytes) -> {});
    add(blocks, block(optimizer("adam"), layout, 1, new float[4], ServerOptimizerState.NONE, 1, 0));

    assertThatThrownBy(
            () ->
                add(
                    blocks,
                    block(
                        optimizer("nesterov"),
                        layout,
                        0,
                        new float[4],
                        ServerOptimizerState.NONE,
                        1,
                        0)))
        .isInstanceOf(SavepointException.class)
        .hasMessageContainingAll("place", "4 values", "server optimizer", "block 0");
  }

  private static ServerOptimizer optimizer(String name) {
    return name.equals("adam")
        ? ServerOptimizer.adam(0.1, 0.9, 0.99, 1e-8)
        : ServerOptimizer.nesterov(0.7, 0.9);
  }

  private static BlockLayout layout(int size) {
    return new BlockLayout(LENGTH, size, PARAMETERS, List.of());
  }

  /**
   * Has all blocks make rounds, and reads them as a savepoint has them.
   *
   * @param first number of the first round, counted from the very beginning
   */
  private static SavedBlocks run(
      ServerOptimizer optimizer,
      int size,
      float[] initial,
      ServerOptimizerState state,
      int first,
      int rounds)
      throws IOException {
    BlockLayout layout = layout(size);
    SavedBlocks blocks = new SavedBlocks("place", layout, rounds, false, (read, all, bytes) -> {});
    for (int block = layout.count() - 1; block >= 0; block--) {
      int offset = layout.offset(block);
      float[] values = Arrays.copyOfRange(initial, offset, offset + layout.size(block));
      ServerOptimizerState part = state.part(offset, layout.parameters(block));
      add(blocks, block(optimizer, layout, block, values, part, first, rounds));
    }
    return blocks;
  }

  private static GlobalBlock block(
      ServerOptimizer optimizer,
      BlockLayout layout,
      int number,
      float[] values,
      ServerOptimizerState state,
      int first,
      int rounds) {
    Combiner combiner = new Combiner(layout, Aggregator.weightedMean(), optimizer);
    GlobalBlock block = new GlobalBlock(number);
    block.initialize(values, state, combiner);
    for (int round = 1; round <= rounds; round++) {
      float[] change = new float[values.length];
      for (int i = 0; i < change.length; i++) {
        change[i] = (float) Math.sin((layout.offset(number) + i) * 7 + (first + round));
      }
      Payload payload = TestPayloads.float32(0, change, change.length);
      block.add(new Contribution(number, 0, round, 1, payload));
      block.add(TestDecisions.decision(number, round, false, 0));
      block.advance(combiner);
    }
    return block;
  }

  private static void add(SavedBlocks blocks, GlobalBlock block) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    block.write(new DataOutputStream(bytes));
    blocks.add(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())), bytes.size());
  }
}
