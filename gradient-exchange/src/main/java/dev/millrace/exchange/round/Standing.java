package dev.millrace.exchange.round;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.Serializable;

/**
 * What the coordinator knows of one replica's contributions.
 *
 * @param announced its newest contribution that the coordinator has been told of; 0 if none
 * @param included its newest contribution that is in the global model; 0 if none
 * @param includedIn the round that includes that one; 0 if none
 */
public record Standing(long announced, long included, long includedIn) implements Serializable {

  /** The standing of a replica that has contributed nothing. */
  public static final Standing NONE = new Standing(0, 0, 0);

  public void write(DataOutput out) throws IOException {
    out.writeLong(announced);
    out.writeLong(included);
    out.writeLong(includedIn);
  }

  public static Standing read(DataInput in) throws IOException {
    return new Standing(in.readLong(), in.readLong(), in.readLong());
  }

  Standing announced(long sequence) {
    return new Standing(sequence, included, includedIn);
  }

  Standing included(long sequence, long round) {
    return new Standing(announced, sequence, round);
  }
}
