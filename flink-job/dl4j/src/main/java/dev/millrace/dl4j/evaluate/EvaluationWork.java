package dev.millrace.dl4j.evaluate;

import java.io.IOException;
import java.util.Iterator;
import org.apache.flink.util.InstantiationUtil;
import org.deeplearning4j.nn.api.Model;
import org.nd4j.evaluation.IEvaluation;
import org.nd4j.linalg.dataset.api.MultiDataSet;

/**
 * Evaluates, all measures in one pass.
 *
 * @param empty what is measured
 * @param batch examples that the network is asked about at once
 */
record EvaluationWork(IEvaluation<?>[] empty, int batch) implements NetworkWork<IEvaluation<?>[]> {

  @Override
  public IEvaluation<?>[] of(Model network, Iterator<MultiDataSet> items) {
    IEvaluation<?>[] evaluations = copy();
    Networks.evaluate(network, new Batches(items, batch), evaluations);
    return evaluations;
  }

  /** Returns evaluations of one's own. */
  IEvaluation<?>[] copy() {
    try {
      return InstantiationUtil.clone(empty);
    } catch (IOException | ClassNotFoundException e) {
      throw new IllegalStateException("An evaluation can't be copied: " + e.getMessage(), e);
    }
  }
}
