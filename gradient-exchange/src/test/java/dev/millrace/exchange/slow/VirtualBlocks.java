package dev.millrace.exchange.slow;

import dev.millrace.exchange.block.BlockMessage.Contribution;
import dev.millrace.exchange.block.BlockUpdate;
import dev.millrace.exchange.block.Combiner;
import dev.millrace.exchange.block.GlobalBlock;
import dev.millrace.exchange.replica.Replica;
import dev.millrace.exchange.round.ClosedRound;
import dev.millrace.model.BlockLayout;
import dev.millrace.model.ServerOptimizerState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/** The blocks of the global model, which make a round as soon as all of it has come. */
final class VirtualBlocks {

  private final BlockLayout layout;
  private final Combiner combiner;
  private final List<GlobalBlock> blocks = new ArrayList<>();
  private final Consumer<List<BlockUpdate>> made;

  /** {@code made} is told of the blocks of each round. */
  VirtualBlocks(BlockLayout layout, Combiner combiner, Consumer<List<BlockUpdate>> made) {
    this.layout = layout;
    this.combiner = combiner;
    this.made = made;
    for (int block = 0; block < layout.count(); block++) {
      blocks.add(new GlobalBlock(block));
    }
  }

  /** Begins with the values of a replica. */
  void begin(Replica first) {
    for (GlobalBlock block : blocks) {
      block.initialize(
          first.offer(block.block(), ServerOptimizerState.NONE, "home").initial(),
          ServerOptimizerState.NONE,
          combiner);
    }
    made.accept(newest());
  }

  void take(List<Contribution> contribution) {
    contribution.forEach(part -> blocks.get(part.block()).add(part));
    advance();
  }

  void take(ClosedRound round) {
    round
        .decisions(blocks.size(), false)
        .forEach(decision -> blocks.get(decision.block()).add(decision));
    advance();
  }

  private void advance() {
    while (blocks.get(0).advance(combiner) != null) {
      for (GlobalBlock block : blocks.subList(1, blocks.size())) {
        if (block.advance(combiner) == null) {
          throw new AssertionError("Block %s lacks a contribution".formatted(block.block()));
        }
      }
      made.accept(newest());
    }
  }

  private List<BlockUpdate> newest() {
    return blocks.stream().map(block -> block.told(combiner)).toList();
  }

  /** The parameters as they are now, bit by bit. */
  float[] parameters() {
    float[] vector = new float[layout.length()];
    for (GlobalBlock block : blocks) {
      float[] values = block.update().values();
      System.arraycopy(values, 0, vector, layout.offset(block.block()), values.length);
    }
    return Arrays.copyOf(vector, layout.parameters());
  }
}
