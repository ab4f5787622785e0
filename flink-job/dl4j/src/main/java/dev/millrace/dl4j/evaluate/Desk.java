package dev.millrace.dl4j.evaluate;

import java.io.IOException;
import java.io.Serializable;
import org.apache.flink.util.CloseableIterator;
import org.deeplearning4j.nn.api.Model;
import org.nd4j.linalg.dataset.api.MultiDataSet;

/**
 * Where a task finds its data, and leaves its result: a later one takes the place of an earlier.
 */
interface Desk extends Serializable {

  /** Returns a network that nobody else uses. */
  Model network() throws IOException;

  /** Opens a part of the data, by its number. */
  CloseableIterator<MultiDataSet> part(int number) throws IOException;

  /** Leaves the result of a part. */
  void put(int number, Serializable result) throws IOException;
}
