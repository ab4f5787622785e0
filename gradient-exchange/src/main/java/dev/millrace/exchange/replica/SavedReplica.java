package dev.millrace.exchange.replica;

import java.io.ByteArrayOutputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;

/**
 * A replica as it was when it was saved. Making bytes of its values takes longer than copying them,
 * and can be left to another thread.
 *
 * <p>Never changes.
 */
public final class SavedReplica {

  /** All but values and weight, which may change in the replica. */
  private final byte[] head;

  private final SavedVector vector;
  private final double weightBehind;

  private SavedReplica(byte[] head, SavedVector vector, double weightBehind) {
    this.head = head;
    this.vector = vector;
    this.weightBehind = weightBehind;
  }

  static SavedReplica of(ReplicaState state) throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    state.writeHead(new DataOutputStream(head));
    return new SavedReplica(head.toByteArray(), state.vector(), state.weightBehind());
  }

  /** Writes it, for {@link Replica#restore}. */
  public void write(DataOutput out) throws IOException {
    out.write(head);
    vector.write(out);
    out.writeDouble(weightBehind);
  }

  public byte[] toBytes() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    write(new DataOutputStream(bytes));
    return bytes.toByteArray();
  }
}
