package dev.millrace.benchmark.peer;

import java.util.List;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.optimize.solvers.accumulation.encoding.threshold.AdaptiveThresholdAlgorithm;
import org.deeplearning4j.parallelism.ParallelWrapper;
import org.deeplearning4j.parallelism.ParallelWrapper.TrainingMode;
import org.nd4j.common.function.Supplier;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.DataSet;

/**
 * DL4J's {@link ParallelWrapper} with two workers, in one call of its {@code fit}: each call makes
 * its threads and networks anew, and of the mode that shares gradients a second one never returns.
 *
 * <p>Its {@code fit} hands each worker one minibatch, waits for all, averages when it is time to,
 * and starts again; before each of these rounds it asks a supplier for parameters to take instead
 * of the workers' own. The supplier here has none, and is how the rounds are seen: when it is
 * asked, all that was handed to the workers is learned, and what else was prefetched is not. So
 * nothing prefetched is counted at the start of what is measured that was learned before it, or at
 * its end that is learned after it: the buffer, full at both marks, runs empty uncounted.
 */
final class ParallelWrapperTraining implements Training {

  /** Rounds from one average to the next. */
  static final int AVERAGING_FREQUENCY = 3;

  private static final int WORKERS = 2;
  private static final int PREFETCHED_MINIBATCHES = 16;

  private final TrainingMode mode;

  private ParallelWrapperTraining(TrainingMode mode) {
    this.mode = mode;
  }

  /** Averages parameters and updater state. */
  static Training averaging() {
    return new ParallelWrapperTraining(TrainingMode.AVERAGING);
  }

  /** Exchanges threshold-encoded gradients, with DL4J's default threshold. */
  static Training sharedGradients() {
    return new ParallelWrapperTraining(TrainingMode.SHARED_GRADIENTS);
  }

  @Override
  public int workers() {
    return WORKERS;
  }

  @Override
  public void train(MultiLayerNetwork network, List<DataSet> minibatches, Rounds rounds) {
    CyclingIterator source = new CyclingIterator(minibatches, WORKERS);
    Watch watch = new Watch(source, rounds);
    ParallelWrapper.Builder<MultiLayerNetwork> builder = new ParallelWrapper.Builder<>(network);
    // One call a line: what they return has lost its type.
    builder.trainingMode(mode);
    builder.workers(WORKERS);
    builder.averagingFrequency(AVERAGING_FREQUENCY);
    builder.averageUpdaters(true);
    builder.prefetchBuffer(PREFETCHED_MINIBATCHES);
    builder.modelParamsSupplier(watch);
    if (mode == TrainingMode.SHARED_GRADIENTS) {
      builder.thresholdAlgorithm(new AdaptiveThresholdAlgorithm());
    }
    ParallelWrapper wrapper = builder.build();
    try {
      wrapper.fit(source);
    } finally {
      wrapper.shutdown();
    }
  }

  /** Asked by {@code fit} before each round; never has parameters. */
  private static final class Watch implements Supplier<INDArray> {

    private final CyclingIterator source;
    private final Rounds rounds;

    private long learned;
    private boolean ended;

    Watch(CyclingIterator source, Rounds rounds) {
      this.source = source;
      this.rounds = rounds;
    }

    @Override
    public INDArray get() {
      if (!ended && !rounds.goOn(learned)) {
        ended = true;
        source.end();
      }
      // The round that follows; the iterator never leaves a worker without a minibatch.
      learned += (long) WORKERS * source.batch();
      return null;
    }
  }
}
