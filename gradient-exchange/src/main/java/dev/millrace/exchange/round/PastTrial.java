package dev.millrace.exchange.round;

import dev.millrace.exchange.drift.PastLosses;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.OptionalInt;

/**
 * After a drift, looks whether a past model predicts the new data better than the model in
 * training: by what replicas have measured, in the order in which rounds include it.
 *
 * <p>Not thread-safe.
 */
final class PastTrial {

  /** Number of the drift that past models are tried for; 0 for none. */
  private int drift;

  private PastLosses sum = PastLosses.NONE;

  /** A drift of that number was found. Of the first there is no older model. */
  void begin(Reactions reactions, int number) {
    drift = reactions.keep() > 0 && number > 1 ? number : 0;
    sum = PastLosses.NONE;
  }

  boolean isOn() {
    return drift > 0;
  }

  /** What a member of the round has measured. */
  void add(PastLosses losses) {
    if (isOn() && losses.drift() == drift) {
      sum = sum.plus(losses);
    }
  }

  /**
   * Ends if enough examples were measured.
   *
   * @return the past model to go back to; empty if there is none, or nothing is decided yet
   */
  OptionalInt end(Reactions reactions) {
    if (reactions.keep() == 0) {
      drift = 0;
    }
    if (!isOn() || sum.examples() < reactions.tryFor()) {
      return OptionalInt.empty();
    }
    drift = 0;
    return sum.better();
  }

  void write(DataOutput out) throws IOException {
    out.writeInt(drift);
    PastLosses.WIRE.write(sum, out);
  }

  void read(DataInput in) throws IOException {
    drift = in.readInt();
    sum = PastLosses.WIRE.read(in);
  }
}
