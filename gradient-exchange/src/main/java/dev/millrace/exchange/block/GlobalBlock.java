package dev.millrace.exchange.block;

import dev.millrace.exchange.aggregate.StateShape;
import dev.millrace.exchange.block.BlockMessage.Contribution;
import dev.millrace.exchange.codec.Payload;
import dev.millrace.exchange.round.Decision;
import dev.millrace.model.ServerOptimizerState;
import dev.millrace.model.io.BulkArrays;
import dev.millrace.model.io.WireFormat;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.SortedMap;

/**
 * One parameter block of the global model. It makes each round that the coordinator has decided, in
 * order, as soon as every contribution listed is there, by itself or in a part; it has no clock and
 * decides nothing. A round that lists none for it leaves its values as they are.
 *
 * <p>Not thread-safe.
 */
public final class GlobalBlock {

  private static final int FORMAT = 1;

  /** Bytes of what isn't values. */
  private static final int SMALL = 1024;

  private static final float[] UNSET = new float[0];

  /** The most that an array can have. */
  private static final long MOST = Integer.MAX_VALUE - 8L;

  private final int block;
  private final Deque<Decision> decisions = new ArrayDeque<>();
  private final RoundParts parts;
  private WaitingContributions contributions;
  private float[] values = UNSET;
  private float[] optimizerState = UNSET;
  private long round;

  /** The newest round that changed the values, which receivers are told. */
  private long changedIn;

  /** What receivers have, and how the next change is encoded; empty where blocks go back whole. */
  private float[] known = UNSET;

  private float[] encoderState = UNSET;

  /** Built from these two when first needed; null, too, where blocks go back whole. */
  private FeedbackEncoder shadow;

  private Payload change;
  private long base;

  /** Null where none is kept. */
  private MovingAverage average;

  public GlobalBlock(int block) {
    this.block = block;
    this.contributions = new WaitingContributions(block);
    this.parts = new RoundParts(block);
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

  /** Keeps a contribution until its round is made, see {@link WaitingContributions#add}. */
  public void add(Contribution contribution) {
    contributions.add(contribution);
  }

  /** Keeps members of a round that have come combined, see {@link RoundParts#add}. */
  public void add(BlockMessage.Part part) {
    parts.add(part, round);
  }

  public void add(Decision decision) {
    decisions.add(decision);
  }

  /**
   * Makes the next decided round, if all of its contributions are here.
   *
   * @return the decision of the round that was made, or null if there is none to make; receivers
   *     have something to hear if it is {@linkplain Decision#isOfMembers of members}
   */
  public Decision advance(Combiner combiner) {
    fitAverage(combiner);
    Decision decision = decisions.peekFirst();
    if (decision == null || !isInitialized()) {
      return null;
    }
    parts.addUp(decision, combiner);
    BitSet single = single(decision);
    if (!contributions.has(single)) {
      return null;
    }
    if (decision.round() != round + 1) {
      throw new IllegalStateException(
          "Block %s is at round %s and can't make round %s"
              .formatted(block, round, decision.round()));
    }
    decisions.removeFirst();
    if (decision.isOfMembers()) {
      combine(decision, single, combiner);
      changedIn = decision.round();
    }
    round = decision.round();
    return decision;
  }

  /** Members that have come, or are to come, by themselves. */
  private BitSet single(Decision decision) {
    BitSet single = (BitSet) decision.members().clone();
    single.andNot(parts.members(decision.round()));
    return single;
  }

  /** Members whose contributions the next decided round lacks; empty where it lacks none. */
  public BitSet lacks() {
    Decision next = decisions.peekFirst();
    return next == null ? new BitSet() : contributions.missing(single(next));
  }

  /** {@code single} are the members that have come by themselves. */
  private void combine(Decision decision, BitSet single, Combiner combiner) {
    contributions.takenInPart(parts.members(decision.round()));
    SortedMap<Integer, WaitingChange> byMember = parts.take(decision);
    contributions.take(single, byMember);
    WaitingChange[] changes = byMember.values().toArray(WaitingChange[]::new);
    FeedbackEncoder receivers = shadow(combiner);
    optimizerState = combiner.fitting(block, optimizerState);
    // What receivers were told in the round before is theirs.
    values = combiner.combine(block, values, optimizerState, changes, decision.participation());
    if (receivers != null) {
      change = receivers.follow(values);
      base = changedIn;
    }
    if (average != null) {
      double examples = Arrays.stream(changes).mapToDouble(WaitingChange::weight).sum();
      average.follow(values, examples, combiner.averaging().halfLife());
    }
  }

  /** Begins an average where one is to be kept and there is none, and drops one that isn't. */
  private void fitAverage(Combiner combiner) {
    if (!combiner.averages(block)) {
      average = null;
    } else if (average == null && isInitialized()) {
      average = MovingAverage.of(values);
    }
  }

  /**
   * Returns what is published of the block, in values that don't change: its moving average, where
   * the combiner publishes that, and otherwise the newest values.
   *
   * @return empty if there is nothing to publish: no values yet, or no average of updater state
   */
  public float[] published(Combiner combiner) {
    fitAverage(combiner);
    return combiner.averaging().published() ? average().clone() : values;
  }

  /** The moving average as it is, live; empty where none is kept. */
  public float[] average() {
    return average == null ? UNSET : average.values();
  }

  /**
   * Returns what receivers are told of the block.
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
        ? new BlockUpdate(block, changedIn, receivers.known())
        : new BlockChange(block, base, changedIn, change);
  }

  /** All that receivers have been told of the block, in values that don't change. */
  public BlockUpdate told(Combiner combiner) {
    FeedbackEncoder receivers = shadow(combiner);
    return receivers == null ? update() : new BlockUpdate(block, changedIn, receivers.known());
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

  /**
   * The block as it is now, in values that don't change: the next round makes new ones. It is of
   * the round that changed it last.
   */
  public BlockUpdate update() {
    return new BlockUpdate(block, changedIn, values);
  }

  /**
   * Returns what the server optimizer keeps of it, see {@link StateShape}; shared, as the values
   * are.
   */
  public float[] optimizerState() {
    return optimizerState;
  }

  public int block() {
    return block;
  }

  /** The newest round, whether that changed the block or not. */
  public long round() {
    return round;
  }

  /** About how many bytes {@link #write} writes, and hardly ever less. */
  public int writtenSize() {
    long floats = (long) values.length + optimizerState.length + known.length + encoderState.length;
    // With a shadow there are what receivers know and what the encoder remembers.
    floats += shadow == null ? 0 : 2L * values.length;
    floats += average().length;
    return (int) Math.min(MOST, floats * Float.BYTES + contributions.bytes() + SMALL);
  }

  /**
   * Writes all of it.
   *
   * @throws IllegalStateException in the midst of a round: see {@link RoundParts#requireNone}
   */
  public void write(DataOutput out) throws IOException {
    parts.requireNone();
    out.writeByte(FORMAT);
    out.writeInt(block);
    out.writeLong(round);
    out.writeLong(changedIn);
    BulkArrays.writeFloats(out, values);
    BulkArrays.writeFloats(out, optimizerState);
    BulkArrays.writeFloats(out, shadow == null ? known : shadow.known());
    BulkArrays.writeFloats(out, shadow == null ? encoderState : shadow.encoderState());
    MovingAverage.write(average, out);
    contributions.write(out);
    out.writeInt(decisions.size());
    for (Decision decision : decisions) {
      Decision.WIRE.write(decision, out);
    }
  }

  /**
   * Begins a block of a model that has grown, after the rounds of the smaller one. Nobody has been
   * told of it yet.
   *
   * @param old any block of the smaller model, none of whose contributions waits
   * @param averageOrNull moving average of the values; null where none is kept
   * @param offered of the block's parameters
   */
  public static GlobalBlock grown(
      int number,
      GlobalBlock old,
      float[] values,
      float[] averageOrNull,
      ServerOptimizerState offered,
      Combiner combiner) {
    GlobalBlock block = new GlobalBlock(number);
    block.initialize(values, offered, combiner);
    block.contributions = old.contributions.none(number);
    block.round = old.round;
    block.changedIn = old.round;
    block.average =
        averageOrNull == null || old.average == null ? null : old.average.with(averageOrNull);
    return block;
  }

  public static GlobalBlock read(DataInput in) throws IOException {
    GlobalBlock block = readCombined(in);
    block.contributions = WaitingContributions.read(in, block.block);
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
    block.changedIn = in.readLong();
    block.values = BulkArrays.readFloats(in);
    block.optimizerState = BulkArrays.readFloats(in);
    block.known = BulkArrays.readFloats(in);
    block.encoderState = BulkArrays.readFloats(in);
    block.average = MovingAverage.read(in);
    return block;
  }
}
