package dev.millrace.job.join;

import dev.millrace.model.io.WireFormat;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.Serializable;

/** What is known of one key: never more than one record, and not for ever. */
sealed interface KeyState {

  WireFormat<KeyState> WIRE = new KnownWire();

  /** One side has come, and waits for the other. */
  record Waiting(JoinRecord record) implements KeyState {}

  /**
   * The features have gone on: with their label or, when they had waited for it, without.
   *
   * @param features their time
   */
  record Done(boolean labelled, long features) implements KeyState {}

  /** A byte of kind behind the version. */
  final class KnownWire implements WireFormat<KeyState>, Serializable {

    private static final int VERSION = 1;

    private KnownWire() {}

    @Override
    public void write(KeyState known, DataOutput out) throws IOException {
      out.writeByte(VERSION);
      if (known instanceof Waiting waiting) {
        out.writeByte('W');
        JoinRecord.WIRE.write(waiting.record, out);
      } else if (known instanceof Done done) {
        out.writeByte(done.labelled ? 'L' : 'U');
        out.writeLong(done.features);
      }
    }

    @Override
    public KeyState read(DataInput in) throws IOException {
      WireFormat.readVersion(in, VERSION, KeyState.class);
      int kind = in.readUnsignedByte();
      return switch (kind) {
        case 'W' -> new Waiting(JoinRecord.WIRE.read(in));
        case 'L' -> new Done(true, in.readLong());
        case 'U' -> new Done(false, in.readLong());
        default -> throw new IOException("Unknown kind of what is known of a key: " + kind);
      };
    }
  }
}
