package dev.millrace.exchange.round;

import dev.millrace.model.io.WireFormat;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/**
 * How many contributions in a row each replica has refused to make.
 *
 * <p>Part of the coordinator's checkpoint: a job that only diverges comes to its limit though it is
 * restarted now and then. Not thread-safe.
 */
public final class RefusalStreaks {

  private static final int FORMAT = 1;

  /** The lengths by replica; those that announced last have none. */
  private final Map<Integer, Integer> lengths = new TreeMap<>();

  /**
   * A replica has refused one more.
   *
   * @return how many it has refused now since its last contribution
   */
  public int refused(int replica) {
    return lengths.merge(replica, 1, Integer::sum);
  }

  /** A replica has contributed. */
  public void announced(int replica) {
    lengths.remove(replica);
  }

  public void write(DataOutput out) throws IOException {
    out.writeByte(FORMAT);
    out.writeInt(lengths.size());
    for (var length : lengths.entrySet()) {
      out.writeInt(length.getKey());
      out.writeInt(length.getValue());
    }
  }

  /** Goes on from what {@link #write} wrote. */
  public void read(DataInput in) throws IOException {
    WireFormat.readVersion(in, FORMAT, RefusalStreaks.class);
    for (int left = in.readInt(); left > 0; left--) {
      lengths.put(in.readInt(), in.readInt());
    }
  }
}
