package dev.millrace.exchange.replica;

import dev.millrace.exchange.round.ContributionMetadata;
import dev.millrace.exchange.round.RoundHead;
import dev.millrace.exchange.round.Standing;
import dev.millrace.exchange.schedule.Fragment;
import dev.millrace.model.BlockLayout;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.Steps;
import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.model.features.LearnedFeatures;
import dev.millrace.model.grow.Places;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.io.WireFormat;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A replica as a checkpoint has it, without its vector, which follows: see {@link SavedVector}.
 *
 * @param index number of the replica that wrote it
 * @param newcomer whether it had yet to learn what its number had contributed before
 * @param made steps in all
 * @param sequence its newest contribution
 * @param awaited the contribution whose round it had yet to see, or an older one
 * @param covered the blocks of that one
 * @param standing what the newest head said of its contributions
 * @param steps local steps since its last contribution
 * @param metadata what these steps had learned
 * @param learned of features by the global model, as it knew it
 * @param underWay by sequence, statistics of its contributions that weren't in these
 * @param ahead examples of the whole job that the global model lacked
 * @param before the head that it went by while what came of a newer one was kept back; else empty
 * @param weights of the examples behind what differed from the global model before these steps
 * @param size of the vector
 */
record ReplicaState(
    int index,
    boolean newcomer,
    Steps made,
    long sequence,
    long awaited,
    Fragment covered,
    Standing standing,
    int steps,
    ContributionMetadata metadata,
    LearnedFeatures learned,
    Map<Long, FeatureStatistics> underWay,
    ExamplesAhead ahead,
    Optional<RoundHead> before,
    BlockWeights weights,
    VectorSize size) {

  private static final int FORMAT = 1;

  /**
   * Returns where the state that replica {@code index} wrote is among {@code states}; 0 if it
   * isn't.
   */
  static int placeOf(int index, List<ReplicaState> states) {
    for (int place = 0; place < states.size(); place++) {
      if (states.get(place).index() == index) {
        return place;
      }
    }
    return 0;
  }

  /**
   * Checks that a replica of this job can continue from it.
   *
   * @param own what the job begins with
   * @throws InvalidModelException if it is of another model, layout or standardization
   */
  void requireFor(ModelSpec spec, BlockLayout layout, LearnedFeatures own) {
    size.requireToBe(VectorSize.of(spec, layout));
    own.checkAgainst(learned);
  }

  /** Returns the state of the same replica of a grown model, whose vector is of that size. */
  ReplicaState grown(Places places, VectorSize grownSize) {
    Map<Long, FeatureStatistics> grownUnderWay = new TreeMap<>();
    underWay.forEach(
        (contribution, statistics) -> grownUnderWay.put(contribution, places.apply(statistics)));
    return new ReplicaState(
        index,
        newcomer,
        made,
        sequence,
        awaited,
        covered,
        standing,
        steps,
        metadata.grown(places),
        places.apply(learned),
        grownUnderWay,
        ahead,
        Optional.empty(),
        weights.together(),
        grownSize);
  }

  void write(DataOutput out) throws IOException {
    out.writeByte(FORMAT);
    out.writeInt(index);
    out.writeBoolean(newcomer);
    made.write(out);
    out.writeLong(sequence);
    out.writeLong(awaited);
    covered.write(out);
    standing.write(out);
    out.writeInt(steps);
    ContributionMetadata.WIRE.write(metadata, out);
    LearnedFeatures.WIRE.write(learned, out);
    out.writeInt(underWay.size());
    for (var contribution : underWay.entrySet()) {
      out.writeLong(contribution.getKey());
      FeatureStatistics.WIRE.write(contribution.getValue(), out);
    }
    ahead.write(out);
    out.writeBoolean(before.isPresent());
    if (before.isPresent()) {
      RoundHead.WIRE.write(before.get(), out);
    }
    weights.write(out);
    size.write(out);
  }

  static ReplicaState read(DataInput in) throws IOException {
    WireFormat.readVersion(in, FORMAT, ReplicaState.class);
    int index = in.readInt();
    boolean newcomer = in.readBoolean();
    Steps made = Steps.read(in);
    long sequence = in.readLong();
    long awaited = in.readLong();
    Fragment covered = Fragment.read(in);
    Standing standing = Standing.read(in);
    int steps = in.readInt();
    ContributionMetadata metadata = ContributionMetadata.WIRE.read(in);
    LearnedFeatures learned = LearnedFeatures.WIRE.read(in);
    Map<Long, FeatureStatistics> underWay = new TreeMap<>();
    for (int left = in.readInt(); left > 0; left--) {
      underWay.put(in.readLong(), FeatureStatistics.WIRE.read(in));
    }
    return new ReplicaState(
        index,
        newcomer,
        made,
        sequence,
        awaited,
        covered,
        standing,
        steps,
        metadata,
        learned,
        underWay,
        ExamplesAhead.read(in),
        in.readBoolean() ? Optional.of(RoundHead.WIRE.read(in)) : Optional.empty(),
        BlockWeights.read(in),
        VectorSize.read(in));
  }
}
