package dev.millrace.exchange.round;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.Serializable;

/**
 * What blocks do with past models: global models that were kept when a drift was found, numbered
 * from 1.
 *
 * @param keep number under which the model of the round before this one is kept; 0 for none
 * @param oldest those below this number are forgotten
 * @param returnTo number of the one that takes the place of the model; 0 for none
 */
public record PastOrder(int keep, int oldest, int returnTo) implements Serializable {

  /** None is kept, and none comes back. */
  public static final PastOrder NONE = new PastOrder(0, 0, 0);

  /** Has blocks keep a model, and at most so many with it. */
  static PastOrder keep(int number, int most) {
    return new PastOrder(number, number - most + 1, 0);
  }

  static PastOrder returnTo(int number) {
    return new PastOrder(0, 0, number);
  }

  void write(DataOutput out) throws IOException {
    out.writeInt(keep);
    out.writeInt(oldest);
    out.writeInt(returnTo);
  }

  static PastOrder read(DataInput in) throws IOException {
    return new PastOrder(in.readInt(), in.readInt(), in.readInt());
  }
}
