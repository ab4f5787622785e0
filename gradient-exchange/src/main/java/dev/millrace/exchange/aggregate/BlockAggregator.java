package dev.millrace.exchange.aggregate;

import dev.millrace.model.BlockLayout;
import dev.millrace.model.shape.IndexRange;

/**
 * Combines changes of whole blocks: parameters as the aggregator does; updater state, and running
 * statistics among the parameters, as it does updater state, since neither is a step.
 *
 * <p>Thread-safe: it keeps nothing.
 */
public final class BlockAggregator {

  private final BlockLayout layout;
  private final Aggregator aggregator;

  public BlockAggregator(BlockLayout layout, Aggregator aggregator) {
    this.layout = layout;
    this.aggregator = aggregator;
  }

  /** See {@link Aggregator#averages}. */
  public boolean averages() {
    return aggregator.averages();
  }

  /**
   * Sets the first values of {@code result}, as many as the block has, to the combination of the
   * changes; see {@link Aggregator#aggregate}.
   *
   * @param result none of the changes
   */
  public void aggregate(int block, float[][] changes, double[] weights, float[] result) {
    int parameters = layout.parameters(block);
    Aggregator ofState = aggregator.ofUpdaterState();
    aggregator.aggregate(changes, weights, 0, parameters, result);
    ofState.aggregate(changes, weights, parameters, layout.size(block), result);
    for (IndexRange range : layout.runningStatistics(block)) {
      ofState.aggregate(changes, weights, range.from(), range.to(), result);
    }
  }
}
