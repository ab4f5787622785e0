package dev.millrace.benchmark.peer;

/**
 * The sizes of a workload, as {@code shape.json} has them.
 *
 * @param features numbers of an example's features
 * @param outputs numbers of an example's labels
 * @param batch examples of a minibatch
 * @param examples how many examples there are
 */
public record WorkloadShape(int features, int outputs, int batch, int examples) {

  /**
   * Refuses sizes that nothing can be learned with.
   *
   * @throws IllegalArgumentException if a size is below 1, or if there are fewer examples than a
   *     minibatch has
   */
  public WorkloadShape {
    if (features < 1 || outputs < 1 || batch < 1 || examples < batch) {
      throw new IllegalArgumentException(
          ("A workload has at least one feature, one output and one minibatch, and not %s features,"
                  + " %s outputs and %s examples in minibatches of %s")
              .formatted(features, outputs, examples, batch));
    }
  }

  /** Whole minibatches; what is left of the examples is not learned. */
  public int minibatches() {
    return examples / batch;
  }
}
