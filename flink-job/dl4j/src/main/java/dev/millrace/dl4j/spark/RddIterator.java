package dev.millrace.dl4j.spark;

import java.util.List;
import org.deeplearning4j.datasets.iterator.IteratorDataSetIterator;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.dataset.api.DataSetPreProcessor;
import org.nd4j.linalg.dataset.api.iterator.DataSetIterator;

/**
 * The examples of data sets in their order, as minibatches of one size. It begins again the same.
 */
final class RddIterator implements DataSetIterator, ExampleCount {

  private static final long serialVersionUID = 1;

  private final transient List<DataSet> dataSets;
  private final int batch;

  private transient IteratorDataSetIterator minibatches;
  private long examples;

  RddIterator(List<DataSet> dataSets, int batch) {
    this.dataSets = dataSets;
    this.batch = batch;
    reset();
  }

  @Override
  public long examples() {
    return examples;
  }

  @Override
  public boolean hasNext() {
    return minibatches.hasNext();
  }

  @Override
  public DataSet next() {
    return next(batch);
  }

  @Override
  public DataSet next(int size) {
    DataSet next = minibatches.next(size);
    examples += next.numExamples();
    return next;
  }

  @Override
  public boolean resetSupported() {
    return true;
  }

  @Override
  public void reset() {
    examples = 0;
    minibatches = new IteratorDataSetIterator(dataSets.iterator(), batch);
  }

  @Override
  public boolean asyncSupported() {
    return false;
  }

  @Override
  public int inputColumns() {
    return minibatches.inputColumns();
  }

  @Override
  public int totalOutcomes() {
    return minibatches.totalOutcomes();
  }

  @Override
  public int batch() {
    return batch;
  }

  @Override
  public List<String> getLabels() {
    return null;
  }

  @Override
  public void setPreProcessor(DataSetPreProcessor preProcessor) {
    throw new UnsupportedOperationException("The data is as it is: map the collection");
  }

  @Override
  public DataSetPreProcessor getPreProcessor() {
    return null;
  }
}
