package dev.millrace.benchmark.peer;

import java.util.List;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.nd4j.linalg.dataset.DataSet;

/** A way to teach a network, one or more minibatches a round. */
interface Training {

  /** Minibatches of a round. */
  int workers();

  /**
   * Cycles over the minibatches until the rounds' watcher ends it. When that is called, the network
   * has learned all that is counted; with several workers it is their average after every {@link
   * ParallelWrapperTraining#AVERAGING_FREQUENCY} rounds, and the first worker's in between.
   *
   * @param minibatches all of one size
   */
  void train(MultiLayerNetwork network, List<DataSet> minibatches, Rounds rounds);
}
