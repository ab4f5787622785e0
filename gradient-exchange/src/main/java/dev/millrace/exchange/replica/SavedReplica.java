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

  /** All but the vector, in bytes, since parts of it may change in the replica. */
  private final byte[] state;

  private final SavedVector vector;

  private SavedReplica(byte[] state, SavedVector vector) {
    this.state = state;
    this.vector = vector;
  }

  static SavedReplica of(ReplicaState state, SavedVector vector) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    state.write(new DataOutputStream(bytes));
    return new SavedReplica(bytes.toByteArray(), vector);
  }

  /** Writes it, for {@link Replica#restore}. */
  public void write(DataOutput out) throws IOException {
    out.write(state);
    vector.write(out);
  }

  /** Returns what {@link #write} writes, of less than 2 GB. */
  public byte[] toBytes() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    write(new DataOutputStream(bytes));
    return bytes.toByteArray();
  }
}
