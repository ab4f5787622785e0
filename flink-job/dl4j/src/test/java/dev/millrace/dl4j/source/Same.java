package dev.millrace.dl4j.source;

import java.util.List;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.dataset.api.DataSetPreProcessor;
import org.nd4j.linalg.dataset.api.iterator.DataSetIterator;

/** An iterator of a program's own, which gives the same object again and again. */
final class Same implements DataSetIterator {

  private final DataSetIterator other;
  private final DataSet dataSet;

  Same(DataSetIterator other, DataSet dataSet) {
    this.other = other;
    this.dataSet = dataSet;
  }

  @Override
  public DataSet next() {
    return dataSet;
  }

  @Override
  public DataSet next(int count) {
    return dataSet;
  }

  @Override
  public boolean hasNext() {
    return true;
  }

  @Override
  public int inputColumns() {
    return other.inputColumns();
  }

  @Override
  public int totalOutcomes() {
    return other.totalOutcomes();
  }

  @Override
  public boolean resetSupported() {
    return true;
  }

  @Override
  public boolean asyncSupported() {
    return false;
  }

  @Override
  public void reset() {
    other.reset();
  }

  @Override
  public int batch() {
    return other.batch();
  }

  @Override
  public void setPreProcessor(DataSetPreProcessor preProcessor) {
    other.setPreProcessor(preProcessor);
  }

  @Override
  public DataSetPreProcessor getPreProcessor() {
    return other.getPreProcessor();
  }

  @Override
  public List<String> getLabels() {
    return other.getLabels();
  }
}
