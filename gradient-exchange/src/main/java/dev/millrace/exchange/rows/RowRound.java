package dev.millrace.exchange.rows;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * "I know this round: what I pull and push from now on is of it, or of a later one."
 *
 * @param replica who says it
 * @param round of the global model; {@link #ENDED} where nothing follows at all
 */
public record RowRound(int shard, int replica, long round) implements RowMessage {

  /** Behind all rounds. */
  public static final long ENDED = Long.MAX_VALUE;

  /** Before all rounds. */
  static final long NONE = -1;

  public RowRound {
    if (round <= NONE) {
      throw new IllegalArgumentException(
          "Replica %s knows round %s; it must be at least 0".formatted(replica, round));
    }
  }

  void writeRest(DataOutput out) throws IOException {
    out.writeInt(replica);
    out.writeLong(round);
  }

  static RowRound readRest(int shard, DataInput in) throws IOException {
    int replica = in.readInt();
    long round = in.readLong();
    try {
      return new RowRound(shard, replica, round);
    } catch (IllegalArgumentException e) {
      throw new IOException(e.getMessage(), e);
    }
  }
}
