package dev.millrace.dl4j.evaluate;

import java.io.Serializable;
import java.util.Iterator;
import org.deeplearning4j.nn.api.Model;
import org.nd4j.linalg.dataset.api.MultiDataSet;

/**
 * What a worker does with its part of the data. It travels with the job, and is the same whenever
 * it is done again.
 *
 * @param <R> what comes out
 */
interface NetworkWork<R extends Serializable> extends Serializable {

  /**
   * Asks a network.
   *
   * @param network used by nobody else
   * @param items at least one
   */
  R of(Model network, Iterator<MultiDataSet> items);
}
