package dev.millrace.exchange.replica;

import dev.millrace.exchange.block.BlockMessage.Pull;
import dev.millrace.model.BlockLayout;
import dev.millrace.model.ServerOptimizerState;

/** Asks for global blocks, and offers what these may start from. */
final class BlockRequests {

  private static final float[] NO_VALUES = new float[0];

  private final ReplicaParts replica;
  private final BlockLayout layout;
  private final ServerOptimizerState serverOptimizer;

  /** {@code serverOptimizer} is what the server optimizer has kept of the initial values. */
  BlockRequests(ReplicaParts replica, BlockLayout layout, ServerOptimizerState serverOptimizer) {
    this.replica = replica;
    this.layout = layout;
    this.serverOptimizer = serverOptimizer;
  }

  /** See {@link Replica#pull}. */
  Pull pull(int block, boolean offerInitial, String home) {
    int index = replica.index();
    return offerInitial
        ? new Pull(
            block,
            replica.vector().values(block),
            serverOptimizer.part(layout.offset(block), layout.parameters(block)),
            index,
            home)
        : new Pull(block, NO_VALUES, ServerOptimizerState.NONE, index, home);
  }
}
