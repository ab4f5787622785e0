package dev.millrace.exchange.block;

import dev.millrace.exchange.aggregate.StateShape;
import dev.millrace.exchange.block.BlockMessage.Contribution;
import dev.millrace.exchange.codec.Codec;
import dev.millrace.exchange.round.ContributionSequences;
import dev.millrace.exchange.round.Decision;
import dev.millrace.exchange.round.Member;
import dev.millrace.model.BulkArrays;
import dev.millrace.model.ServerOptimizerState;
import dev.millrace.model.WireFormat;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * One parameter block of the global model. It makes each round that the coordinator has decided, in
 * order, as soon as every contribution listed is there; it has no clock and decides nothing, so all
 * blocks make each round of the same members.
 *
 * <p>Not thread-safe.
 */
public final class GlobalBlock {

  private record Key(int replica, long sequence) implements Comparable<Key> {

    private static final Comparator<Key> ORDER =
        Comparator.comparingInt(Key::replica).thenComparingLong(Key::sequence);

    @Override
    public int compareTo(Key other) {
      return ORDER.compare(this, other);
    }
  }

  private static final int FORMAT = 1;

  /** Bytes of what isn't values. */
  private static final int SMALL = 1024;

  private static final float[] UNSET = new float[0];

  private final int block;
  private final Map<Key, WaitingChange> contributions = new TreeMap<>();
  private final Deque<Decision> decisions = new ArrayDeque<>();
  private float[] values = UNSET;
  private float[] optimizerState = UNSET;
  private long round;
  private ContributionSequences included = ContributionSequences.NONE;

  /** What receivers have, and how the next change is encoded; empty where blocks go back whole. */
  private float[] known = UNSET;

  private float[] encoderState = UNSET;

  /** Built from these two when first needed; null, too, where blocks go back whole. */
  private FeedbackEncoder shadow;

  private byte[] change;
  private long base;

  public GlobalBlock(int block) {
    this.block = block;
  }

  /**
   * Sets the values that the first round starts from; without effect if there are some.
   *
   * @param offered of the block's parameters; left aside if it is of another server optimizer
   */
  public void initialize(float[] initial, ServerOptimizerState offered, Combiner combiner) {
    if (!isInitialized() && initial.length > 0) {
      values = initial.clone();
      optimizerState = combiner.begin(block, offered);
    }
  }

  public boolean isInitialized() {
    return values.length > 0;
  }

  /**
   * Keeps a contribution until its round is made.
   *
   * @throws IllegalStateException if it has been taken already: it must never count twice
   */
  public void add(Contribution contribution) {
    Key key = new Key(contribution.replica(), contribution.sequence());
    if (contribution.sequence() <= included.of(contribution.replica())
        || contributions.putIfAbsent(key, new WaitingChange(contribution.payload(), null))
            != null) {
      throw new IllegalStateException(
          "Contribution %d of replica %d came twice to block %d"
              .formatted(contribution.sequence(), contribution.replica(), block));
    }
  }

  public void add(Decision decision) {
    decisions.add(decision);
  }

  /**
   * Makes the next decided round, if all of its contributions are here.
   *
   * @return the decision of the round that was made, or null if there is none to make
   */
  public Decision advance(Combiner combiner) {
    Decision decision = decisions.peekFirst();
    if (decision == null || !isInitialized() || !isComplete(decision.members())) {
      return null;
    }
    if (decision.round() != round + 1) {
      throw new IllegalStateException(
          "Block %d is at round %d and can't make round %d"
              .formatted(block, round, decision.round()));
    }
    decisions.removeFirst();
    int count = decision.members().size();
    WaitingChange[] changes = new WaitingChange[count];
    double[] weights = new double[count];
    for (int i = 0; i < count; i++) {
      Member member = decision.members().get(i);
      changes[i] = contributions.remove(new Key(member.replica(), member.sequence()));
      weights[i] = member.weight();
      included = included.with(member.replica(), member.sequence());
    }
    FeedbackEncoder receivers = shadow(combiner);
    optimizerState = combiner.fitting(block, optimizerState);
    // What receivers were told in the round before is theirs.
    values = values.clone();
    combiner.combine(block, values, optimizerState, changes, weights, decision.participation());
    if (receivers != null) {
      change = receivers.follow(values);
      base = round;
    }
    round = decision.round();
    return decision;
  }

  /**
   * What to tell receivers of the block.
   *
   * @param whole whether they have yet to be told anything; otherwise, where changes are told, the
   *     newest round's change is what they lack
   */
  public Feedback feedback(Combiner combiner, boolean whole) {
    FeedbackEncoder receivers = shadow(combiner);
    if (receivers == null) {
      return update();
    }
    return whole
        ? new BlockUpdate(block, round, receivers.known(), included)
        : new BlockChange(block, base, round, change, included);
  }

  /** All that receivers have been told of the block, in values that don't change. */
  public BlockUpdate told(Combiner combiner) {
    FeedbackEncoder receivers = shadow(combiner);
    return receivers == null
        ? update()
        : new BlockUpdate(block, round, receivers.known().clone(), included);
  }

  private FeedbackEncoder shadow(Combiner combiner) {
    if (shadow == null) {
      shadow = combiner.shadow(block, values, known, encoderState);
      // The shadow has them now; without one, what receivers once had is of no use.
      known = UNSET;
      encoderState = UNSET;
    }
    return shadow;
  }

  /** The block as it is now, in values that don't change: the next round makes new ones. */
  public BlockUpdate update() {
    return new BlockUpdate(block, round, values, included);
  }

  /** What the server optimizer keeps of it, see {@link StateShape}; shared, as the values are. */
  public float[] optimizerState() {
    return optimizerState;
  }

  public int block() {
    return block;
  }

  public long round() {
    return round;
  }

  private boolean isComplete(List<Member> members) {
    return members.stream()
        .allMatch(
            member -> contributions.containsKey(new Key(member.replica(), member.sequence())));
  }

  /** About how many bytes {@link #write} writes, and hardly ever less. */
  public int writtenSize() {
    int floats = values.length + optimizerState.length + known.length + encoderState.length;
    int waiting = contributions.values().stream().mapToInt(c -> c.payload().length()).sum();
    // With a shadow there are what receivers know and what the encoder remembers.
    return (shadow == null ? floats : floats + 2 * values.length) * Float.BYTES + waiting + SMALL;
  }

  /**
   * Writes all of it.
   *
   * @param codec of contributions that came since the start
   */
  public void write(DataOutput out, Codec codec) throws IOException {
    out.writeByte(FORMAT);
    out.writeInt(block);
    out.writeLong(round);
    BulkArrays.writeFloats(out, values);
    BulkArrays.writeFloats(out, optimizerState);
    ContributionSequences.WIRE.write(included, out);
    BulkArrays.writeFloats(out, shadow == null ? known : shadow.known());
    BulkArrays.writeFloats(out, shadow == null ? encoderState : shadow.encoderState());
    out.writeInt(contributions.size());
    for (var contribution : contributions.entrySet()) {
      out.writeInt(contribution.getKey().replica());
      out.writeLong(contribution.getKey().sequence());
      contribution.getValue().write(out, codec);
    }
    out.writeInt(decisions.size());
    for (Decision decision : decisions) {
      Decision.WIRE.write(decision, out);
    }
  }

  public static GlobalBlock read(DataInput in) throws IOException {
    GlobalBlock block = readCombined(in);
    for (int left = in.readInt(); left > 0; left--) {
      block.contributions.put(new Key(in.readInt(), in.readLong()), WaitingChange.read(in));
    }
    for (int left = in.readInt(); left > 0; left--) {
      block.decisions.add(Decision.WIRE.read(in));
    }
    return block;
  }

  /**
   * The block as {@link #write} wrote it, without what it waits for, which is left unread.
   *
   * @return without values where the block had none yet
   */
  public static GlobalBlock readCombined(DataInput in) throws IOException {
    WireFormat.readVersion(in, FORMAT, GlobalBlock.class);
    GlobalBlock block = new GlobalBlock(in.readInt());
    block.round = in.readLong();
    block.values = BulkArrays.readFloats(in);
    block.optimizerState = BulkArrays.readFloats(in);
    block.included = ContributionSequences.WIRE.read(in);
    block.known = BulkArrays.readFloats(in);
    block.encoderState = BulkArrays.readFloats(in);
    return block;
  }
}
