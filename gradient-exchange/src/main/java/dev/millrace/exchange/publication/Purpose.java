package dev.millrace.exchange.publication;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Set;

/** What a model goes to the publisher for. */
public enum Purpose {
  /** The model is measured on the hold-out set. */
  MEASURE(1),
  /** The model is published at once. */
  RELEASE(2),
  /** The model is spared by retention, as the model of before a drift. */
  KEEP(4),
  /** What it has learned goes to those who don't wait for whole models. */
  UPDATE(8);

  /** Stands for the purpose in the wire format. */
  private final int bit;

  Purpose(int bit) {
    this.bit = bit;
  }

  static void write(Set<Purpose> purposes, DataOutput out) throws IOException {
    int bits = 0;
    for (Purpose purpose : purposes) {
      bits |= purpose.bit;
    }
    out.writeByte(bits);
  }

  static Set<Purpose> read(DataInput in) throws IOException {
    int bits = in.readUnsignedByte();
    Set<Purpose> purposes = EnumSet.noneOf(Purpose.class);
    for (Purpose purpose : values()) {
      if ((bits & purpose.bit) != 0) {
        purposes.add(purpose);
      }
    }
    return purposes;
  }
}
