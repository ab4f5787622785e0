package dev.millrace.exchange.round;

import dev.millrace.model.Minibatch;
import dev.millrace.model.io.WireFormat;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.Serializable;

/**
 * Where a replica's time went since its last contribution, in nanoseconds.
 *
 * @param steps local steps that it made
 * @param fit predicting and learning
 * @param encode making this contribution
 * @param apply taking in the global model
 * @param latency from sending the contribution before to knowing its round; 0 if none was awaited
 * @param elapsed all of the time, waiting included
 * @param oldestRecord time of the oldest record that was learned, milliseconds since the epoch, or
 *     {@link #NO_TIME}
 */
public record Phases(
    int steps, long fit, long encode, long apply, long latency, long elapsed, long oldestRecord)
    implements Serializable {

  /** Where the time of no record is known. */
  public static final long NO_TIME = Minibatch.NO_TIME;

  public static final Phases NONE = new Phases(0, 0, 0, 0, 0, 0);
  public static final WireFormat<Phases> WIRE = new PhasesWire();

  /** Phases of records whose times aren't known. */
  public Phases(int steps, long fit, long encode, long apply, long latency, long elapsed) {
    this(steps, fit, encode, apply, latency, elapsed, NO_TIME);
  }

  /** Both periods together. */
  public Phases plus(Phases more) {
    return new Phases(
        steps + more.steps,
        fit + more.fit,
        encode + more.encode,
        apply + more.apply,
        latency + more.latency,
        elapsed + more.elapsed,
        Math.min(oldestRecord, more.oldestRecord));
  }

  private static final class PhasesWire implements WireFormat<Phases>, Serializable {

    private static final int VERSION = 1;

    @Override
    public void write(Phases phases, DataOutput out) throws IOException {
      out.writeByte(VERSION);
      out.writeInt(phases.steps);
      out.writeLong(phases.fit);
      out.writeLong(phases.encode);
      out.writeLong(phases.apply);
      out.writeLong(phases.latency);
      out.writeLong(phases.elapsed);
      out.writeLong(phases.oldestRecord);
    }

    @Override
    public Phases read(DataInput in) throws IOException {
      WireFormat.readVersion(in, VERSION, Phases.class);
      return new Phases(
          in.readInt(),
          in.readLong(),
          in.readLong(),
          in.readLong(),
          in.readLong(),
          in.readLong(),
          in.readLong());
    }
  }
}
