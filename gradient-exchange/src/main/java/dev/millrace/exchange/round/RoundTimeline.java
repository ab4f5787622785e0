package dev.millrace.exchange.round;

import dev.millrace.model.ModelVersion;
import dev.millrace.model.io.WireFormat;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/**
 * Where the time of one round went, by replica.
 *
 * @param version of the model that the round made
 * @param time at which it was closed, milliseconds since the epoch
 * @param members of the round, in the order of replica numbers
 */
public record RoundTimeline(ModelVersion version, long time, List<Part> members)
    implements Serializable {

  public static final WireFormat<RoundTimeline> WIRE = new TimelineWire();

  /**
   * One member's part.
   *
   * @param replica its number
   * @param sequence which of its contributions
   * @param phases what it did since the contribution before
   * @param waited of the latency of that contribution, what went by until the others had announced
   *     theirs, in nanoseconds
   * @param facts of that contribution
   */
  public record Part(
      int replica, long sequence, Phases phases, long waited, ContributionFacts facts)
      implements Serializable {

    /** Returns the part of the latency that it took to combine and to come back. */
    public long exchange() {
      return Math.max(0, phases.latency() - waited);
    }
  }

  public RoundTimeline {
    members = List.copyOf(members);
  }

  /**
   * Time of the oldest record that the round has brought into the model, milliseconds since the
   * epoch, or {@link Phases#NO_TIME}.
   */
  public long oldestRecord() {
    return members.stream()
        .mapToLong(part -> part.phases().oldestRecord())
        .min()
        .orElse(Phases.NO_TIME);
  }

  private static final class TimelineWire implements WireFormat<RoundTimeline>, Serializable {

    private static final int VERSION = 1;

    @Override
    public void write(RoundTimeline timeline, DataOutput out) throws IOException {
      out.writeByte(VERSION);
      out.writeLong(timeline.version.generation());
      out.writeLong(timeline.version.round());
      out.writeLong(timeline.time);
      out.writeInt(timeline.members.size());
      for (Part part : timeline.members) {
        out.writeInt(part.replica);
        out.writeLong(part.sequence);
        Phases.WIRE.write(part.phases, out);
        out.writeLong(part.waited);
        part.facts.write(out);
      }
    }

    @Override
    public RoundTimeline read(DataInput in) throws IOException {
      WireFormat.readVersion(in, VERSION, RoundTimeline.class);
      ModelVersion version = new ModelVersion(in.readLong(), in.readLong());
      long time = in.readLong();
      List<Part> members = new ArrayList<>();
      for (int left = in.readInt(); left > 0; left--) {
        members.add(
            new Part(
                in.readInt(),
                in.readLong(),
                Phases.WIRE.read(in),
                in.readLong(),
                ContributionFacts.read(in)));
      }
      return new RoundTimeline(version, time, members);
    }
  }
}
