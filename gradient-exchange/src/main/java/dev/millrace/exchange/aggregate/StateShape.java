package dev.millrace.exchange.aggregate;

import dev.millrace.model.ServerOptimizerState;
import java.io.Serializable;
import java.util.Optional;

/**
 * How a server optimizer lays out its state of a block: slot after slot, and then, if it counts
 * them, the number of rounds. A block without parameters has none of it.
 *
 * @param slots values that it keeps of a parameter
 * @param countsRounds whether it keeps how many rounds it has made
 */
public record StateShape(int slots, boolean countsRounds) implements Serializable {

  /** The shape of an optimizer that keeps nothing. */
  public static final StateShape NONE = new StateShape(0, false);

  public StateShape {
    if (slots < (countsRounds ? 1 : 0) || slots > ServerOptimizerState.MOST_SLOTS) {
      throw new IllegalArgumentException(
          "A server optimizer keeps 0 to %s slots, and rounds only with one; not %s"
              .formatted(ServerOptimizerState.MOST_SLOTS, slots));
    }
  }

  /**
   * The shape that a state has, as its length tells it. Of one parameter, it is taken for that of
   * an optimizer that counts if there is more than a single value.
   *
   * @param parameters at least 1
   * @return empty if no optimizer has a state of that length
   */
  public static Optional<StateShape> of(int parameters, int length) {
    int extra = parameters > 1 ? length % parameters : Math.min(1, length / 2);
    int slots = (length - extra) / parameters;
    return extra > 1 || slots < extra || slots > ServerOptimizerState.MOST_SLOTS
        ? Optional.empty()
        : Optional.of(new StateShape(slots, extra == 1));
  }

  /** Length of the state of a block. */
  public int length(int parameters) {
    return parameters == 0 ? 0 : slots * parameters + (countsRounds ? 1 : 0);
  }

  /** Rounds behind a block's state; 0 where they aren't counted. */
  public long rounds(float[] state) {
    return countsRounds && state.length > 0 ? (long) state[state.length - 1] : 0;
  }

  /**
   * A block's state to begin with.
   *
   * @param offered of the block's parameters; left aside if it is of an optimizer that keeps
   *     another number of slots
   */
  public float[] begin(int parameters, ServerOptimizerState offered) {
    float[] state = new float[length(parameters)];
    if (state.length > 0 && offered.slots().size() == slots && offered.length() == parameters) {
      for (int slot = 0; slot < slots; slot++) {
        System.arraycopy(offered.slots().get(slot), 0, state, slot * parameters, parameters);
      }
      if (countsRounds) {
        state[state.length - 1] = offered.rounds();
      }
    }
    return state;
  }
}
