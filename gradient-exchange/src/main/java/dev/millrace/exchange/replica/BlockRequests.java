package dev.millrace.exchange.replica;

import dev.millrace.exchange.block.BlockMessage.Pull;
import dev.millrace.model.BlockLayout;
import dev.millrace.model.ServerOptimizerState;

/** Asks for global blocks, and offers what these may start from. */
final class BlockRequests {

  private static final float[] NO_VALUES = new float[0];

  private final ReplicaParts replica;
  private final BlockLayout layout;

  BlockRequests(ReplicaParts replica, BlockLayout layout) {
    this.replica = replica;
    this.layout = layout;
  }

  /** See {@link Replica#pull}. */
  Pull pull(int block, String home) {
    return new Pull(block, NO_VALUES, ServerOptimizerState.NONE, replica.index(), home);
  }

  /** See {@link Replica#offer}. */
  Pull offer(int block, ServerOptimizerState optimizer, String home) {
    return new Pull(
        block,
        replica.vector().values(block),
        optimizer.part(layout.offset(block), layout.parameters(block)),
        replica.index(),
        home);
  }
}
