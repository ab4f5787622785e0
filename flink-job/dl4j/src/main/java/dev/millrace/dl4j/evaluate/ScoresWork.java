package dev.millrace.dl4j.evaluate;

import java.util.Iterator;
import java.util.stream.DoubleStream;
import org.deeplearning4j.nn.api.Model;
import org.nd4j.linalg.dataset.api.MultiDataSet;

/**
 * Scores each example, in order.
 *
 * @param regularized whether penalties on weights are added
 * @param batch examples that the network is asked about at once
 */
record ScoresWork(boolean regularized, int batch) implements NetworkWork<double[]> {

  @Override
  public double[] of(Model network, Iterator<MultiDataSet> items) {
    DoubleStream.Builder scores = DoubleStream.builder();
    new Batches(items, batch)
        .forEachRemaining(
            next -> {
              for (double score : Networks.scores(network, next, regularized)) {
                scores.add(score);
              }
            });
    return scores.build().toArray();
  }
}
