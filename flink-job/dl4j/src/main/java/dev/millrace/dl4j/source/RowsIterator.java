package dev.millrace.dl4j.source;

import dev.millrace.dl4j.data.DataSetRows;
import dev.millrace.dl4j.data.MinibatchRows;
import dev.millrace.job.options.StructureOptions;
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

  /** Whether the job normalizes what it gives. */
  private boolean isTaken;

  /** Whether sequences may be longer than the first minibatch's. */
  private boolean takesAnyLength = true;

  /** The length of the first minibatch's sequences; -1 before it. */
  private int steps = -1;

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
    TakenNormalizer taken = normalizer.get();
    isTaken = taken.scalingOrNull() != null;
    return taken;
  }

  /**
   * Has it refuse sequences that are longer than the first minibatch's: a job would reject them.
   */
  public void keepToFirstLength() {
    takesAnyLength = false;
    steps = -1;
  }

  /** Returns the next minibatch; null at the end. */
  MinibatchRows nextOrNull() {
    while (iterator.hasNext()) {
      T next = iterator.next();
      if (!isEmpty.test(next)) {
        requireRaw(next);
        MinibatchRows rows = toRows.apply(next);
        requireLength(rows.steps());
        return rows;
      }
    }
    return null;
  }

  private void requireRaw(T next) {
    if (isTaken && next instanceof DataSet dataSet && dataSet.isPreProcessed()) {
      throw new IllegalArgumentException(
          "The iterator gives a data set that its normalizer was applied to before, and the job would"
              + " apply it again: give it data sets as they were, or fit without the normalizer");
    }
  }

  private void requireLength(int next) {
    if (steps < 0) {
      steps = next;
    }
    if (!takesAnyLength && next > steps) {
      throw new IllegalArgumentException(
          ("A minibatch has sequences of %s steps, and the first one has %s, which the job takes at"
                  + " most: give .option(\"%s\", \"%s\"), or as many as the longest has")
              .formatted(next, steps, StructureOptions.SEQUENCE_STEPS.key(), next));
    }
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
