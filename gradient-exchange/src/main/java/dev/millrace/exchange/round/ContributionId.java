package dev.millrace.exchange.round;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.Serializable;

/**
 * Which contribution.
 *
 * @param replica number of the replica that made it
 * @param sequence which of its contributions, counted from 1
 */
public record ContributionId(int replica, long sequence) implements Serializable {

  public void write(DataOutput out) throws IOException {
    out.writeInt(replica);
    out.writeLong(sequence);
  }

  /** Reads what {@link #write} wrote. */
  public static ContributionId read(DataInput in) throws IOException {
    return new ContributionId(in.readInt(), in.readLong());
  }
}
