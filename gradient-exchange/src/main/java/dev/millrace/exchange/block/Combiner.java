package dev.millrace.exchange.block;

import dev.millrace.exchange.aggregate.Aggregator;
import dev.millrace.exchange.aggregate.BlockAggregator;
import dev.millrace.exchange.aggregate.ServerOptimizer;
import dev.millrace.exchange.codec.Codec;
import dev.millrace.exchange.codec.Encoder;
import dev.millrace.exchange.codec.FeedbackCodecs;
import dev.millrace.exchange.round.Participation;
import dev.millrace.model.BlockLayout;
import dev.millrace.model.ServerOptimizerState;
import dev.millrace.model.shape.IndexRange;
import java.util.Arrays;
import java.util.List;

/**
 * Turns the contributions of a round into the next values of a block: decode, aggregate, apply,
 * clip, and put back what is frozen. Updater state, and running statistics among the parameters,
 * are averaged and added, whatever becomes of the other parameters: a server optimizer would
 * overshoot them, and a variance below zero is none. Keeps its scratch arrays between rounds.
 *
 * <p>Not thread-safe.
 */
public final class Combiner {

  private final BlockLayout layout;
  private final BlockAggregator aggregator;
  private final ServerOptimizer optimizer;

  private final FeedbackCodecs feedback;
  private final Averaging averaging;

  private float[][] changes = new float[0][];
  private float[][] scratch = new float[0][];
  private final float[] combined;

  /** Running statistics as they will be; empty where a model has none. */
  private float[] described = new float[0];

  /** A combiner whose blocks go back whole, and keep no moving average. */
  public Combiner(BlockLayout layout, Aggregator aggregator, ServerOptimizer optimizer) {
    this(layout, aggregator, optimizer, FeedbackCodecs.WHOLE);
  }

  public Combiner(
      BlockLayout layout,
      Aggregator aggregator,
      ServerOptimizer optimizer,
      FeedbackCodecs feedback) {
    this(layout, aggregator, optimizer, feedback, Averaging.NONE);
  }

  public Combiner(
      BlockLayout layout,
      Aggregator aggregator,
      ServerOptimizer optimizer,
      FeedbackCodecs feedback,
      Averaging averaging) {
    this.layout = layout;
    this.aggregator = new BlockAggregator(layout, aggregator);
    this.optimizer = optimizer;
    this.feedback = feedback;
    this.averaging = averaging;
    this.combined = new float[layout.blockSize()];
  }

  /** {@code state} itself, or a new one where it is of another optimizer. */
  float[] fitting(int block, float[] state) {
    int length = optimizer.stateShape().length(layout.parameters(block));
    return state.length == length ? state : new float[length];
  }

  /** A state to begin with: {@code offered}, unless it is of another optimizer. */
  float[] begin(int block, ServerOptimizerState offered) {
    return optimizer.stateShape().begin(layout.parameters(block), offered);
  }

  /** Whether a moving average of the block is kept: of parameters, and of no updater state. */
  boolean averages(int block) {
    return averaging.isKept() && layout.parameters(block) > 0;
  }

  public Averaging averaging() {
    return averaging;
  }

  /**
   * Returns the encoder that knows what receivers have of a block; it is kept for as long as the
   * block is.
   *
   * @param known what receivers have of the block; empty if they have been told nothing yet
   * @param encoderState see {@link Encoder#save}
   * @return null where receivers are told whole blocks
   */
  FeedbackEncoder shadow(int block, float[] values, float[] known, float[] encoderState) {
    Codec codec = layout.parameters(block) > 0 ? feedback.parameters() : feedback.updaterState();
    if (codec == null) {
      return null;
    }
    Encoder encoder = codec.encoder(List.of(new IndexRange(0, values.length)));
    encoder.restore(encoderState);
    return new FeedbackEncoder(layout, block, codec, encoder, known.length > 0 ? known : values);
  }

  /**
   * Makes the next values, and updates {@code state} in place.
   *
   * @param before the values as they were, which stay
   * @param participation how much of a whole round the members are
   * @return the values as they are then, in an array of their own
   * @throws ArithmeticException if they aren't {@linkplain ValueBounds sound}
   */
  float[] combine(
      int block,
      float[] before,
      float[] state,
      WaitingChange[] members,
      Participation participation) {
    int size = layout.size(block);
    reserve(members.length);
    double[] weights = Arrays.stream(members).mapToDouble(WaitingChange::weight).toArray();
    for (int member = 0; member < members.length; member++) {
      changes[member] = members[member].payload().receive(scratch[member], size);
    }
    int parameters = layout.parameters(block);
    aggregator.aggregate(block, changes, weights, combined);
    List<IndexRange> statistics = layout.runningStatistics(block);
    scale(participation, statistics, parameters, size);
    float[] values = before.clone();
    takeOut(statistics, values);
    optimizer.apply(values, combined, parameters, participation.size(), state);
    for (IndexRange range : statistics) {
      System.arraycopy(described, range.from(), values, range.from(), range.length());
    }
    for (int i = parameters; i < size; i++) {
      values[i] += combined[i];
    }
    layout.keepNonNegative(block, values, before);
    layout.keepFrozen(block, values, before);
    if (!ValueBounds.areSound(values, size)) {
      throw new ArithmeticException(
          ("Block %s of the global model has become NaN, infinite or greater than 2^100, though no"
                  + " contribution to it was: the model explodes. Lower the learning rate of the model"
                  + " or of the server optimizer, and resume from the newest checkpoint, which is"
                  + " sound")
              .formatted(block));
    }
    return values;
  }

  /**
   * Combines a further part of a round with those before it.
   *
   * @param sum of the parts before, changed in place
   * @param weight of these
   */
  void addPart(int block, float[] sum, double weight, WaitingChange part) {
    int size = layout.size(block);
    reserve(1);
    float[][] both = {sum, part.payload().receive(scratch[0], size)};
    aggregator.aggregate(block, both, new double[] {weight, part.weight()}, combined);
    System.arraycopy(combined, 0, sum, 0, size);
  }

  /** The values of the first part of a round, the caller's own. */
  float[] firstPart(int block, WaitingChange part) {
    float[] own = new float[layout.size(block)];
    float[] received = part.payload().receive(own, own.length);
    return received == own ? own : received.clone();
  }

  /** Scales what is a mean over the members by their share of a whole round. */
  private void scale(
      Participation participation, List<IndexRange> statistics, int parameters, int size) {
    if (!participation.isPartial()) {
      return;
    }
    float share = (float) participation.share();
    if (aggregator.averages()) {
      scale(combined, 0, size, share);
    } else {
      scale(combined, parameters, size, share);
      for (IndexRange range : statistics) {
        scale(combined, range.from(), range.to(), share);
      }
    }
  }

  private static void scale(float[] values, int from, int to, float factor) {
    for (int i = from; i < to; i++) {
      values[i] *= factor;
    }
  }

  /** Notes what running statistics become, and leaves nothing of them to the server optimizer. */
  private void takeOut(List<IndexRange> statistics, float[] values) {
    if (described.length == 0 && !statistics.isEmpty()) {
      described = new float[layout.blockSize()];
    }
    for (IndexRange range : statistics) {
      for (int i = range.from(); i < range.to(); i++) {
        described[i] = values[i] + combined[i];
        combined[i] = 0;
      }
    }
  }

  private void reserve(int members) {
    if (changes.length != members) {
      changes = new float[members][];
    }
    if (scratch.length < members) {
      scratch = new float[members][layout.blockSize()];
    }
  }
}
