package dev.millrace.exchange.block;

import dev.millrace.exchange.aggregate.Aggregator;
import dev.millrace.exchange.aggregate.ServerOptimizer;
import dev.millrace.exchange.codec.Codec;
import dev.millrace.model.BlockLayout;

/**
 * Turns the contributions of a round into the next values of a block: decode, aggregate, apply,
 * clip. Keeps its scratch arrays between rounds.
 *
 * <p>Not thread-safe.
 */
public final class Combiner {

  private final BlockLayout layout;
  private final Codec codec;
  private final Aggregator aggregator;
  private final ServerOptimizer optimizer;

  private float[][] changes = new float[0][];
  private final float[] combined;

  public Combiner(
      BlockLayout layout, Codec codec, Aggregator aggregator, ServerOptimizer optimizer) {
    this.layout = layout;
    this.codec = codec;
    this.aggregator = aggregator;
    this.optimizer = optimizer;
    this.combined = new float[layout.blockSize()];
  }

  float[] newOptimizerState(int block) {
    return new float[optimizer.stateSize(layout.size(block))];
  }

  /** Updates {@code values} and {@code state} in place. */
  void combine(int block, float[] values, float[] state, byte[][] payloads, double[] weights) {
    int size = layout.size(block);
    reserve(payloads.length);
    for (int member = 0; member < payloads.length; member++) {
      codec.decode(payloads[member], changes[member], size);
    }
    aggregator.aggregate(changes, weights, size, combined);
    optimizer.apply(values, combined, state);
    layout.clip(block, values);
  }

  private void reserve(int members) {
    if (changes.length < members) {
      changes = new float[members][layout.blockSize()];
    }
  }
}
