package dev.millrace.model.dl4j;

import dev.millrace.model.VectorLayout;
import dev.millrace.model.shape.IndexRange;
import java.util.List;
import java.util.stream.Stream;

/**
 * Parameters that a step must leave as they are, and what their updaters keep of them: DL4J's
 * updaters work on several layers at once.
 */
final class FrozenValues {

  private final FlatVector vector;
  private final List<IndexRange> all;
  private final List<float[]> kept;

  /**
   * @param parameters where they are in the vector
   * @param states what updaters keep
   */
  FrozenValues(FlatVector vector, List<IndexRange> parameters, List<VectorLayout.State> states) {
    this.vector = vector;
    this.all =
        parameters.stream()
            .flatMap(
                range ->
                    Stream.concat(
                        Stream.of(range), states.stream().flatMap(s -> s.of(range).stream())))
            .toList();
    this.kept = all.stream().map(range -> new float[range.length()]).toList();
  }

  /** Keeps them as they are before a step. */
  void save() {
    for (int i = 0; i < kept.size(); i++) {
      vector.read(all.get(i).from(), kept.get(i), 0, kept.get(i).length);
    }
  }

  /** Makes them what they were. */
  void restore() {
    for (int i = 0; i < kept.size(); i++) {
      vector.write(all.get(i).from(), kept.get(i), 0, kept.get(i).length);
    }
  }
}
