package dev.millrace.dl4j.source;

import dev.millrace.dl4j.data.DataSetRows;
import dev.millrace.dl4j.data.MinibatchRows;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Iterator;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.flink.core.fs.FileSystem.WriteMode;
import org.apache.flink.core.fs.Path;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.dataset.api.MultiDataSet;
import org.nd4j.linalg.dataset.api.iterator.DataSetIterator;
import org.nd4j.linalg.dataset.api.iterator.MultiDataSetIterator;

/**
 * One of DL4J's iterators, of either kind. Minibatches without examples are left out.
 *
 * @param <T> what it gives
 */
public final class RowsIterator<T> {

  private final Iterator<T> iterator;
  private final Predicate<T> isEmpty;
  private final Function<T, MinibatchRows> toRows;
  private final BooleanSupplier canReset;
  private final Runnable reset;
  private final Supplier<TakenNormalizer> normalizer;

  private RowsIterator(
      Iterator<T> iterator,
      Predicate<T> isEmpty,
      Function<T, MinibatchRows> toRows,
      BooleanSupplier canReset,
      Runnable reset,
      Supplier<TakenNormalizer> normalizer) {
    this.iterator = iterator;
    this.isEmpty = isEmpty;
    this.toRows = toRows;
    this.canReset = canReset;
    this.reset = reset;
    this.normalizer = normalizer;
  }

  /** Reads data sets. */
  public static RowsIterator<DataSet> of(DataSetIterator iterator) {
    return new RowsIterator<>(
        iterator,
        DataSet::isEmpty,
        DataSetRows::of,
        iterator::resetSupported,
        iterator::reset,
        () -> TakenNormalizer.of(iterator));
  }

  /** Reads data sets of several inputs or outputs. */
  public static RowsIterator<MultiDataSet> of(MultiDataSetIterator iterator) {
    return new RowsIterator<>(
        iterator,
        MultiDataSet::isEmpty,
        DataSetRows::of,
        iterator::resetSupported,
        iterator::reset,
        TakenNormalizer::none);
  }

  /** Has the iterator give features as they are, if the job can normalize them. */
  public TakenNormalizer takeNormalizer() {
    return normalizer.get();
  }

  /** Returns the next minibatch; null at the end. */
  MinibatchRows nextOrNull() {
    while (iterator.hasNext()) {
      T next = iterator.next();
      if (!isEmpty.test(next)) {
        return toRows.apply(next);
      }
    }
    return null;
  }

  /** Whether {@link #reset} begins again. */
  public boolean canReset() {
    return canReset.getAsBoolean();
  }

  /** Begins again. */
  void reset() {
    reset.run();
  }

  /**
   * Saves what is left of it, one minibatch in a file, on any of Flink's file systems; all of it,
   * where nothing is left.
   *
   * @return how many there are
   */
  public int saveTo(String directory) throws IOException {
    if (!iterator.hasNext() && canReset()) {
      reset();
    }
    int count = 0;
    for (MinibatchRows next = nextOrNull(); next != null; next = nextOrNull()) {
      Path file = new Path(directory, "minibatch-%s".formatted(count++));
      try (DataOutputStream out =
          new DataOutputStream(
              new BufferedOutputStream(file.getFileSystem().create(file, WriteMode.OVERWRITE)))) {
        next.write(out);
      }
    }
    return count;
  }
}
