package dev.millrace.benchmark.program;

import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.nd4j.linalg.dataset.api.iterator.DataSetIterator;

/** Trains a network with two workers that average every third minibatch, as DL4J's guides do. */
enum Program {

  /** DL4J's own. */
  DL4J {
    @Override
    Training begin(MultiLayerNetwork network) {
      var wrapper =
          new org.deeplearning4j.parallelism.ParallelWrapper.Builder<>(network)
              .prefetchBuffer(PREFETCHED)
              .workers(WORKERS)
              .averagingFrequency(AVERAGING_FREQUENCY)
              .reportScoreAfterAveraging(false)
              .build();
      return (minibatches, passes) -> {
        for (int pass = 0; pass < passes; pass++) {
          wrapper.fit(minibatches);
          minibatches.reset();
        }
      };
    }
  },

  /** Millrace's: another import, and passes are an argument. */
  MILLRACE {
    @Override
    Training begin(MultiLayerNetwork network) {
      var wrapper =
          new dev.millrace.dl4j.ParallelWrapper.Builder<>(network)
              .prefetchBuffer(PREFETCHED)
              .workers(WORKERS)
              .averagingFrequency(AVERAGING_FREQUENCY)
              .reportScoreAfterAveraging(false)
              .build();
      return wrapper::fit;
    }
  };

  private static final int PREFETCHED = 24;
  private static final int WORKERS = 2;
  private static final int AVERAGING_FREQUENCY = 3;

  /** A network in training. */
  interface Training {

    /** Learns from minibatches, pass after pass, in one go where that is possible. */
    void fit(DataSetIterator minibatches, int passes);
  }

  abstract Training begin(MultiLayerNetwork network);
}
