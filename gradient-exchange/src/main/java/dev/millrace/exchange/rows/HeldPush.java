package dev.millrace.exchange.rows;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Comparator;

/**
 * A push that waits for the end of its round; of one that was saved, the part of a key group.
 *
 * @param round that its replica knew
 * @param position among this replica's pushes of the round
 */
record HeldPush(long round, int position, RowPush push) {

  /** The order of rounds, then replicas, then steps. */
  static final Comparator<HeldPush> ORDER =
      Comparator.comparingLong(HeldPush::round)
          .thenComparingInt(held -> held.push().replica())
          .thenComparingInt(HeldPush::position);

  void write(DataOutput out) throws IOException {
    out.writeLong(round);
    out.writeInt(position);
    RowMessage.WIRE.write(push, out);
  }

  static HeldPush read(DataInput in) throws IOException {
    long round = in.readLong();
    int position = in.readInt();
    if (RowMessage.WIRE.read(in) instanceof RowPush push) {
      return new HeldPush(round, position, push);
    }
    throw new IOException("A message that isn't a push was held");
  }
}
