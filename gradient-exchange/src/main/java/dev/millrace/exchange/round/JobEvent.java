package dev.millrace.exchange.round;

import dev.millrace.exchange.steering.Notice;
import dev.millrace.model.Ledger;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.io.WireFormat;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.Serializable;

/** What happens to a job as a whole, for people. */
public sealed interface JobEvent extends Serializable {

  WireFormat<JobEvent> WIRE = new EventWire();

  /** Returns the version of the global model. */
  ModelVersion version();

  /** Milliseconds since the epoch. */
  long time();

  /**
   * The job has begun, or goes on from a checkpoint or savepoint: its first replica has said hello.
   *
   * @param replicas that it has
   * @param restored whether it goes on
   * @param attempt how often it was restarted before, since it was submitted
   */
  record Began(ModelVersion version, long time, int replicas, boolean restored, int attempt)
      implements JobEvent {}

  /**
   * A checkpoint or savepoint is complete. The version is that of when it was taken.
   *
   * @param checkpoint its number
   * @param millis from when it was taken to when it was known to be complete, which is its time
   * @param ledger records that the model has taken by then
   */
  record Checkpointed(ModelVersion version, long time, long checkpoint, long millis, Ledger ledger)
      implements JobEvent {

    /** Returns the same event once the checkpoint is complete. */
    public Checkpointed completed(long now) {
      return new Checkpointed(version, now, checkpoint, now - time, ledger);
    }
  }

  /** What steers training has found something in the newest round. */
  record Noticed(ModelVersion version, long time, Notice notice) implements JobEvent {}

  /** One byte of kind behind the version. */
  final class EventWire implements WireFormat<JobEvent>, Serializable {

    private static final int VERSION = 1;

    private EventWire() {}

    @Override
    public void write(JobEvent event, DataOutput out) throws IOException {
      out.writeByte(VERSION);
      out.writeLong(event.version().generation());
      out.writeLong(event.version().round());
      out.writeLong(event.time());
      if (event instanceof Began began) {
        out.writeByte('B');
        out.writeInt(began.replicas);
        out.writeBoolean(began.restored);
        out.writeInt(began.attempt);
      } else if (event instanceof Checkpointed checkpointed) {
        out.writeByte('C');
        out.writeLong(checkpointed.checkpoint);
        out.writeLong(checkpointed.millis);
        Ledger.WIRE.write(checkpointed.ledger, out);
      } else if (event instanceof Noticed noticed) {
        out.writeByte('N');
        noticed.notice.write(out);
      }
    }

    @Override
    public JobEvent read(DataInput in) throws IOException {
      WireFormat.readVersion(in, VERSION, JobEvent.class);
      ModelVersion version = new ModelVersion(in.readLong(), in.readLong());
      long time = in.readLong();
      int kind = in.readUnsignedByte();
      return switch (kind) {
        case 'B' -> new Began(version, time, in.readInt(), in.readBoolean(), in.readInt());
        case 'C' ->
            new Checkpointed(version, time, in.readLong(), in.readLong(), Ledger.WIRE.read(in));
        case 'N' -> new Noticed(version, time, Notice.read(in));
        default -> throw new IOException("Unknown kind of event: " + kind);
      };
    }
  }
}
