package dev.millrace.model;

import dev.millrace.model.ModelExporter.Agreement;

/**
 * A model that a {@link ModelRuntime} predicts with. It has memory outside of the heap until it is
 * closed.
 *
 * <p>Any number of threads may predict with it at the same time.
 */
public interface RuntimeModel extends AutoCloseable {

  /** Tells how its predictions compare with those of its engine. */
  Agreement agreement();

  /**
   * Predicts as {@link ModelReplica#predict(float[], int[], int, float[])} does, up to {@link
   * #agreement}.
   *
   * @param features row-major, {@code rows × features}, completed; what is behind a sequence's end
   *     has no effect
   * @param stepsOrNull steps of each row's sequence, at least 1; null where examples are none
   * @param predictions receives rows of {@code shape.labels()} floats, zeros for steps after a
   *     sequence's end
   */
  void predict(float[] features, int[] stepsOrNull, int rows, float[] predictions);

  /** Frees what it has. Nobody may predict with it any more, or be about to. */
  @Override
  void close();
}
