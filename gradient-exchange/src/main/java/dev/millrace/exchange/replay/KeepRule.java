package dev.millrace.exchange.replay;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * Decides where an example goes. What it remembers beside the rows goes with them into checkpoints.
 *
 * <p>Not thread-safe.
 */
interface KeepRule {

  /** The example isn't kept. */
  int NOWHERE = -1;

  /**
   * The row that an example takes the place of, {@code rows.size()} for a new one, or {@link
   * #NOWHERE}. The example is put there.
   *
   * @param seen examples that were offered so far, this one too
   * @param label the example's class; 0 where it has none
   */
  int place(ReplayRows rows, long seen, int label, SplitMixRandom draws);

  /** Rows are gone, or have come, without having been placed. */
  default void left() {}

  /**
   * Chooses which of more rows than there is room for stay, as the rule would have kept them.
   *
   * @param shares how many examples each row stands for
   * @param room how many rows stay, fewer than there are
   * @param stays is set for each row that stays
   */
  void choose(ReplayRows rows, double[] shares, int room, SplitMixRandom draws, boolean[] stays);

  /**
   * Writes what it remembers of the rows from {@code from} to before {@code to}: what it writes of
   * parts of all rows adds up.
   */
  default void write(ReplayRows rows, int from, int to, DataOutput out) throws IOException {
    out.writeInt(0);
  }

  /** Adds what any rule has written of some rows. */
  default void read(DataInput in) throws IOException {
    for (int left = in.readInt(); left > 0; left--) {
      in.readInt();
      in.readLong();
      in.readBoolean();
    }
  }
}
