package dev.millrace.dl4j.spark;

import java.util.List;
import org.deeplearning4j.datasets.iterator.IteratorMultiDataSetIterator;
import org.nd4j.linalg.dataset.api.MultiDataSet;
import org.nd4j.linalg.dataset.api.MultiDataSetPreProcessor;
import org.nd4j.linalg.dataset.api.iterator.MultiDataSetIterator;

/**
 * The examples of data sets in their order, as minibatches of one size. It begins again the same.
 */
final class RddMultiIterator implements MultiDataSetIterator, ExampleCount {

  private static final long serialVersionUID = 1;

  private final transient List<MultiDataSet> dataSets;
  private final int batch;

  private transient IteratorMultiDataSetIterator minibatches;
  private long examples;

  RddMultiIterator(List<MultiDataSet> dataSets, int batch) {
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
  public MultiDataSet next() {
    return next(batch);
  }

  @Override
  public MultiDataSet next(int size) {
    MultiDataSet next = minibatches.next(size);
    examples += next.getFeatures(0).size(0);
    return next;
  }

  @Override
  public boolean resetSupported() {
    return true;
  }

  @Override
  public void reset() {
    examples = 0;
    minibatches = new IteratorMultiDataSetIterator(dataSets.iterator(), batch);
  }

  @Override
  public boolean asyncSupported() {
    return false;
  }

  @Override
  public void setPreProcessor(MultiDataSetPreProcessor preProcessor) {
    throw new UnsupportedOperationException("The data is as it is: map the collection");
  }

  @Override
  public MultiDataSetPreProcessor getPreProcessor() {
    return null;
  }
}
