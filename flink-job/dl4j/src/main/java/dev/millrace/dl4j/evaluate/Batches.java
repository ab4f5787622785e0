package dev.millrace.dl4j.evaluate;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.nd4j.linalg.dataset.api.MultiDataSet;
import org.nd4j.linalg.dataset.api.MultiDataSetPreProcessor;
import org.nd4j.linalg.dataset.api.iterator.MultiDataSetIterator;

/** Small data sets merged, up to a number of examples; larger ones stay as they are. In order. */
final class Batches implements MultiDataSetIterator {

  private static final long serialVersionUID = 1;

  private final transient Iterator<MultiDataSet> items;
  private final int size;

  Batches(Iterator<MultiDataSet> items, int size) {
    this.items = items;
    this.size = size;
  }

  @Override
  public boolean hasNext() {
    return items.hasNext();
  }

  @Override
  public MultiDataSet next() {
    return next(size);
  }

  @Override
  public MultiDataSet next(int examples) {
    MultiDataSet first = items.next();
    long count = first.getFeatures(0).size(0);
    if (count >= examples || !items.hasNext()) {
      return first;
    }
    List<MultiDataSet> batch = new ArrayList<>();
    batch.add(first);
    while (count < examples && items.hasNext()) {
      MultiDataSet item = items.next();
      batch.add(item);
      count += item.getFeatures(0).size(0);
    }
    return org.nd4j.linalg.dataset.MultiDataSet.merge(batch);
  }

  @Override
  public boolean resetSupported() {
    return false;
  }

  @Override
  public boolean asyncSupported() {
    return false;
  }

  @Override
  public void reset() {
    throw new UnsupportedOperationException("Batches are read once");
  }

  @Override
  public void setPreProcessor(MultiDataSetPreProcessor preProcessor) {
    throw new UnsupportedOperationException("Batches are as they are");
  }

  @Override
  public MultiDataSetPreProcessor getPreProcessor() {
    return null;
  }
}
