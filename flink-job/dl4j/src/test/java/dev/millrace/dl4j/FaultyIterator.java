package dev.millrace.dl4j;

import java.util.List;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.dataset.api.DataSetPreProcessor;
import org.nd4j.linalg.dataset.api.iterator.DataSetIterator;

/**
 * Throws before a minibatch, in so many passes. In such a pass it throws again if it is asked
 * again, as another reader may do until the failure of the first is known.
 */
final class FaultyIterator implements DataSetIterator {

  private final DataSetIterator iterator;
  private final int before;

  private int left;
  private int given;
  private boolean failed;

  /** In each pass until it is {@linkplain #mend mended}. */
  FaultyIterator(DataSetIterator iterator, int before) {
    this(iterator, before, Integer.MAX_VALUE);
  }

  FaultyIterator(DataSetIterator iterator, int before, int passes) {
    this.iterator = iterator;
    this.before = before;
    this.left = passes;
  }

  void mend() {
    left = 0;
  }

  @Override
  public DataSet next() {
    if (given == before && left > 0) {
      failed = true;
      throw new IllegalStateException("The iterator fails on purpose");
    }
    given++;
    return iterator.next();
  }

  @Override
  public boolean hasNext() {
    return iterator.hasNext();
  }

  @Override
  public void reset() {
    given = 0;
    if (failed) {
      failed = false;
      left = Math.max(0, left - 1);
    }
    iterator.reset();
  }

  @Override
  public boolean resetSupported() {
    return iterator.resetSupported();
  }

  @Override
  public DataSet next(int count) {
    throw new UnsupportedOperationException();
  }

  @Override
  public int inputColumns() {
    return iterator.inputColumns();
  }

  @Override
  public int totalOutcomes() {
    return iterator.totalOutcomes();
  }

  @Override
  public boolean asyncSupported() {
    return false;
  }

  @Override
  public int batch() {
    return iterator.batch();
  }

  @Override
  public void setPreProcessor(DataSetPreProcessor preProcessor) {
    iterator.setPreProcessor(preProcessor);
  }

  @Override
  public DataSetPreProcessor getPreProcessor() {
    return iterator.getPreProcessor();
  }

  @Override
  public List<String> getLabels() {
    return iterator.getLabels();
  }
}
