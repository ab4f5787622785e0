package dev.millrace.exchange.savepoint;

import dev.millrace.exchange.aggregate.StateShape;
import dev.millrace.model.BlockLayout;
import dev.millrace.model.ServerOptimizerState;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Puts the blocks' parts of a server optimizer's state together, in any order. */
final class SavedOptimizer {

  private final BlockLayout layout;

  /** Null before the first block that has parameters. */
  private StateShape shape;

  private List<float[]> slots = List.of();
  private long rounds;

  SavedOptimizer(BlockLayout layout) {
    this.layout = layout;
  }

  /**
   * Takes a block's part.
   *
   * @return whether it belongs: to the same optimizer, after as many rounds, as those before it
   */
  boolean add(int block, float[] state) {
    int parameters = layout.parameters(block);
    if (parameters == 0) {
      return state.length == 0;
    }
    Optional<StateShape> told = StateShape.of(parameters, state.length);
    if (told.isEmpty()) {
      return false;
    }
    if (shape == null) {
      shape = told.get();
      rounds = shape.rounds(state);
      slots = Stream.generate(() -> new float[layout.parameters()]).limit(shape.slots()).toList();
    }
    if (!shape.equals(told.get()) || rounds != shape.rounds(state) || rounds < 0) {
      return false;
    }
    for (int slot = 0; slot < slots.size(); slot++) {
      System.arraycopy(state, slot * parameters, slots.get(slot), layout.offset(block), parameters);
    }
    return true;
  }

  /** Values that it takes memory for. */
  long size() {
    return shape == null ? 0 : (long) shape.slots() * layout.parameters();
  }

  ServerOptimizerState state() {
    return new ServerOptimizerState(slots, rounds);
  }
}
