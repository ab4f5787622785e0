package dev.millrace.dl4j.source;

import dev.millrace.dl4j.data.Scaling;
import org.deeplearning4j.datasets.iterator.ExistingDataSetIterator;
import org.nd4j.linalg.dataset.AsyncDataSetIterator;
import org.nd4j.linalg.dataset.api.DataSetPreProcessor;
import org.nd4j.linalg.dataset.api.iterator.DataSetIterator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The normalizer of an iterator, which gives its features as they are until this is closed: the job
 * does to them what the normalizer does, so that models have it. Where that can't be, the iterator
 * normalizes, and models don't have it.
 */
public final class TakenNormalizer implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(TakenNormalizer.class);

  private final DataSetIterator iterator;
  private final DataSetPreProcessor normalizer;
  private final Scaling scalingOrNull;

  private TakenNormalizer(
      DataSetIterator iterator, DataSetPreProcessor normalizer, Scaling scalingOrNull) {
    this.iterator = iterator;
    this.normalizer = normalizer;
    this.scalingOrNull = scalingOrNull;
  }

  /** Takes nothing. */
  public static TakenNormalizer none() {
    return new TakenNormalizer(null, null, null);
  }

  /** Takes that of an iterator, if it has one. */
  static TakenNormalizer of(DataSetIterator iterator) {
    DataSetPreProcessor normalizer = normalizerOrNull(iterator);
    Scaling scaling = Scaling.ofOrNull(normalizer);
    if (scaling != null && takeOff(iterator)) {
      return new TakenNormalizer(iterator, normalizer, scaling);
    }
    if (normalizer != null) {
      LOG.info(
          "{} is applied by the iterator, and models don't have it",
          normalizer.getClass().getSimpleName());
    }
    return none();
  }

  private static DataSetPreProcessor normalizerOrNull(DataSetIterator iterator) {
    try {
      return iterator.getPreProcessor();
    } catch (UnsupportedOperationException e) {
      return null;
    }
  }

  /**
   * An iterator that reads ahead has applied it to what it has read, and one of data sets that
   * exist to those that were read before: it changes them in place.
   */
  private static boolean takeOff(DataSetIterator iterator) {
    if (iterator instanceof AsyncDataSetIterator || iterator instanceof ExistingDataSetIterator) {
      return false;
    }
    try {
      iterator.setPreProcessor(null);
      return iterator.getPreProcessor() == null;
    } catch (RuntimeException e) {
      return false;
    }
  }

  /** Returns what the job is to do to features; null for nothing. */
  public Scaling scalingOrNull() {
    return scalingOrNull;
  }

  /** Gives it back to the iterator. */
  @Override
  public void close() {
    if (iterator != null) {
      iterator.setPreProcessor(normalizer);
    }
  }
}
