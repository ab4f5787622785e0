package dev.millrace.benchmark.peer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.factory.Nd4j;

/**
 * Examples in memory.
 *
 * @param features row after row, {@code shape.examples() * shape.features()} numbers
 * @param labels row after row, {@code shape.examples() * shape.outputs()} numbers
 */
public record Examples(WorkloadShape shape, float[] features, float[] labels) {

  /**
   * Takes the arrays as they are, without a copy.
   *
   * @throws IllegalArgumentException if the arrays are not as long as the shape says
   */
  public Examples {
    checkLength("features", features, (long) shape.examples() * shape.features());
    checkLength("labels", labels, (long) shape.examples() * shape.outputs());
  }

  /** The whole minibatches, in order; each call makes them anew. */
  public List<DataSet> minibatches() {
    List<DataSet> minibatches = new ArrayList<>(shape.minibatches());
    for (int i = 0; i < shape.minibatches(); i++) {
      minibatches.add(rows(i * shape.batch(), (i + 1) * shape.batch()));
    }
    return minibatches;
  }

  /** Returns what the whole minibatches leave: no example is left out of an evaluation. */
  List<DataSet> remainder() {
    int from = shape.minibatches() * shape.batch();
    return from == shape.examples() ? List.of() : List.of(rows(from, shape.examples()));
  }

  private DataSet rows(int from, int to) {
    return new DataSet(
        Nd4j.create(part(features, from, to, shape.features()), to - from, shape.features()),
        Nd4j.create(part(labels, from, to, shape.outputs()), to - from, shape.outputs()));
  }

  private static float[] part(float[] rows, int from, int to, int columns) {
    return Arrays.copyOfRange(rows, from * columns, to * columns);
  }

  private static void checkLength(String what, float[] values, long expected) {
    if (values.length != expected) {
      throw new IllegalArgumentException(
          "There are %s numbers of %s, and the shape asks for %s"
              .formatted(values.length, what, expected));
    }
  }
}
