package dev.millrace.dl4j.evaluate;

import java.util.Iterator;
import org.deeplearning4j.nn.api.Model;
import org.nd4j.linalg.dataset.api.MultiDataSet;

/**
 * Adds up the scores of all examples, without penalties on weights.
 *
 * @param batch examples that the network is asked about at once
 */
record TotalScoreWork(int batch) implements NetworkWork<TotalScore> {

  @Override
  public TotalScore of(Model network, Iterator<MultiDataSet> items) {
    TotalScore total = new TotalScore(0, 0);
    Batches batches = new Batches(items, batch);
    while (batches.hasNext()) {
      MultiDataSet next = batches.next();
      long examples = next.getFeatures(0).size(0);
      total = total.plus(new TotalScore(Networks.score(network, next) * examples, examples));
    }
    return total;
  }
}
