package dev.millrace.exchange.round;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.Serializable;

/**
 * What people are told of the newest round.
 *
 * @param members contributions in it
 * @param nanos since the round before; {@link #UNKNOWN} for the first after a start
 * @param bytes of the contributions in it
 * @param staleness the greatest of its members', see {@link ContributionFacts#staleness}
 * @param lagMillis from the time of the oldest record that it has brought into the model to its own
 * @param pending records that wait behind those that sources have read, of all replicas that tell
 */
public record NewestRound(
    int members, long nanos, long bytes, long staleness, long lagMillis, long pending)
    implements Serializable {

  /** Stands for a value that isn't known. */
  public static final long UNKNOWN = -1;

  /** Stands for no round, before the first one. */
  public static final NewestRound NONE =
      new NewestRound(0, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN);

  /**
   * Describes the round of a timeline.
   *
   * @param members contributions in it, those that no time is known of included
   */
  static NewestRound of(int members, RoundTimeline timeline, long nanos, long pending) {
    long bytes = timeline.members().isEmpty() ? UNKNOWN : 0;
    long staleness = UNKNOWN;
    for (RoundTimeline.Part part : timeline.members()) {
      bytes += part.facts().bytes();
      staleness = Math.max(staleness, part.facts().staleness());
    }
    long oldest = timeline.oldestRecord();
    return new NewestRound(
        members,
        nanos,
        bytes,
        staleness,
        oldest == Phases.NO_TIME ? UNKNOWN : Math.max(0, timeline.time() - oldest),
        pending);
  }

  void write(DataOutput out) throws IOException {
    out.writeInt(members);
    out.writeLong(nanos);
    out.writeLong(bytes);
    out.writeLong(staleness);
    out.writeLong(lagMillis);
    out.writeLong(pending);
  }

  static NewestRound read(DataInput in) throws IOException {
    return new NewestRound(
        in.readInt(), in.readLong(), in.readLong(), in.readLong(), in.readLong(), in.readLong());
  }
}
