package dev.millrace.benchmark.peer;

import java.util.List;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.dataset.api.DataSetPreProcessor;
import org.nd4j.linalg.dataset.api.iterator.DataSetIterator;

/**
 * Gives the same minibatches over and over, until it is told to end; one thread takes them, any may
 * end it. It ends after a whole number of rounds.
 */
final class CyclingIterator implements DataSetIterator {

  private final List<DataSet> minibatches;
  private final int round;

  private volatile boolean ended;
  private long taken;

  /**
   * @param minibatches all of one size
   * @param round minibatches that are learned together
   */
  CyclingIterator(List<DataSet> minibatches, int round) {
    this.minibatches = List.copyOf(minibatches);
    this.round = round;
  }

  void end() {
    ended = true;
  }

  @Override
  public boolean hasNext() {
    return !ended || taken % round != 0;
  }

  @Override
  public DataSet next() {
    return minibatches.get((int) (taken++ % minibatches.size()));
  }

  @Override
  public DataSet next(int examples) {
    throw new UnsupportedOperationException("Minibatches are of the size that they have");
  }

  @Override
  public int batch() {
    return minibatches.get(0).numExamples();
  }

  @Override
  public int inputColumns() {
    return minibatches.get(0).numInputs();
  }

  @Override
  public int totalOutcomes() {
    return minibatches.get(0).numOutcomes();
  }

  @Override
  public boolean asyncSupported() {
    return true;
  }

  @Override
  public boolean resetSupported() {
    return false;
  }

  @Override
  public void reset() {
    throw new UnsupportedOperationException("There is no start to go back to");
  }

  @Override
  public void setPreProcessor(DataSetPreProcessor preProcessor) {
    throw new UnsupportedOperationException("Minibatches are learned as they are");
  }

  @Override
  public DataSetPreProcessor getPreProcessor() {
    return null;
  }

  @Override
  public List<String> getLabels() {
    return null;
  }
}
