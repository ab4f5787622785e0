package dev.millrace.benchmark.peer;

import java.util.List;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.nd4j.linalg.dataset.DataSet;

/** One network, taught by the calling thread. */
final class PlainFit implements Training {

  @Override
  public int workers() {
    return 1;
  }

  @Override
  public void train(MultiLayerNetwork network, List<DataSet> minibatches, Rounds rounds) {
    long learned = 0;
    for (int i = 0; rounds.goOn(learned); i = (i + 1) % minibatches.size()) {
      DataSet minibatch = minibatches.get(i);
      network.fit(minibatch);
      learned += minibatch.numExamples();
    }
  }
}
