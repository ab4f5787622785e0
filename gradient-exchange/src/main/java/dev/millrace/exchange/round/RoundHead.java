package dev.millrace.exchange.round;

import dev.millrace.exchange.schedule.Fragment;
import dev.millrace.exchange.steering.Steering;
import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.model.features.LearnedFeatures;
import dev.millrace.model.io.WireFormat;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/**
 * What the coordinator tells every replica after each round: all of the global model that isn't in
 * its parameter blocks and that replicas need. Each is told its own {@link Standing} with it.
 *
 * @param round number of the round
 * @param progress of the job, up to this round
 * @param updaterSteps that an updater's state has seen: the most of any replica
 * @param learned what completing features takes: without the counts of words
 * @param localSteps that a replica makes before its next contribution
 * @param ended whether training is over: replicas take no more records
 * @param changed the blocks that this round changed
 * @param steering what replicas do from this round on
 */
public record RoundHead(
    long round,
    JobProgress progress,
    long updaterSteps,
    LearnedFeatures learned,
    int localSteps,
    boolean ended,
    List<Fragment> changed,
    Steering steering)
    implements Serializable {

  /** A head of training as it is configured. */
  public RoundHead(
      long round,
      JobProgress progress,
      long updaterSteps,
      LearnedFeatures learned,
      int localSteps,
      boolean ended,
      List<Fragment> changed) {
    this(round, progress, updaterSteps, learned, localSteps, ended, changed, Steering.NONE);
  }

  /** A head of a model of examples without words. */
  public RoundHead(
      long round,
      JobProgress progress,
      long updaterSteps,
      FeatureStatistics statistics,
      int localSteps,
      boolean ended,
      List<Fragment> changed) {
    this(round, progress, updaterSteps, LearnedFeatures.of(statistics), localSteps, ended, changed);
  }

  /** A head that leaves open which blocks its round changed. */
  public RoundHead(
      long round,
      JobProgress progress,
      long updaterSteps,
      FeatureStatistics statistics,
      int localSteps,
      boolean ended) {
    this(round, progress, updaterSteps, statistics, localSteps, ended, List.of());
  }

  static void writeFragments(List<Fragment> fragments, DataOutput out) throws IOException {
    out.writeInt(fragments.size());
    for (Fragment fragment : fragments) {
      fragment.write(out);
    }
  }

  static List<Fragment> readFragments(DataInput in) throws IOException {
    List<Fragment> fragments = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      fragments.add(Fragment.read(in));
    }
    return List.copyOf(fragments);
  }

  public static final WireFormat<RoundHead> WIRE = new HeadWire();

  private static final class HeadWire implements WireFormat<RoundHead>, Serializable {

    private static final int VERSION = 1;

    @Override
    public void write(RoundHead head, DataOutput out) throws IOException {
      out.writeByte(VERSION);
      out.writeLong(head.round);
      head.progress.write(out);
      out.writeLong(head.updaterSteps);
      LearnedFeatures.WIRE.write(head.learned, out);
      out.writeInt(head.localSteps);
      out.writeBoolean(head.ended);
      writeFragments(head.changed, out);
      head.steering.write(out);
    }

    @Override
    public RoundHead read(DataInput in) throws IOException {
      WireFormat.readVersion(in, VERSION, RoundHead.class);
      return new RoundHead(
          in.readLong(),
          JobProgress.read(in),
          in.readLong(),
          LearnedFeatures.WIRE.read(in),
          in.readInt(),
          in.readBoolean(),
          readFragments(in),
          Steering.read(in));
    }
  }
}
