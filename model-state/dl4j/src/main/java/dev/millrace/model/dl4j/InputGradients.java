package dev.millrace.model.dl4j;

import dev.millrace.model.shape.ExampleShape;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.nd4j.linalg.api.ndarray.INDArray;

/**
 * The way of the gradients of a network's inputs to rows of features.
 *
 * <p>Native memory is used again and again. Belongs to the network's thread.
 */
final class InputGradients implements InputTaker, AutoCloseable {

  private final List<String> names;
  private final List<OutputRows> rows;
  private final int features;
  private final BitSet taken = new BitSet();
  private float[] target;
  private BatchRows batch;

  InputGradients(Network network, ExampleShape shape) {
    this.names = network.inputs();
    this.rows =
        ArrayParts.ofInputs(network, shape).stream()
            .map(part -> new OutputRows(part, shape.features(), shape.width()))
            .toList();
    this.features = shape.features();
  }

  /**
   * Prepares for a step.
   *
   * @param gradients receives rows of features
   * @throws IllegalArgumentException if they don't fit in
   */
  void prepare(BatchRows examples, float[] gradients) {
    int length = Math.multiplyExact(examples.count(), features);
    if (gradients.length < length) {
      throw new IllegalArgumentException(
          "%s rows of %s gradients of inputs don't fit into an array of %s"
              .formatted(examples.count(), features, gradients.length));
    }
    // Steps behind a sequence's end have none.
    Arrays.fill(gradients, 0, length, 0f);
    target = gradients;
    batch = examples;
    taken.clear();
  }

  @Override
  public void take(int input, INDArray gradient) {
    rows.get(input).extract(gradient, batch, target);
    taken.set(input);
  }

  /**
   * Makes means of the sums, after the step.
   *
   * @throws IllegalStateException if there is none of an input
   */
  void average() {
    int missing = taken.nextClearBit(0);
    if (missing < names.size()) {
      throw new IllegalStateException(
          "DL4J has given no gradient of the input '%s'".formatted(names.get(missing)));
    }
    int count = batch.count();
    int length = count * features;
    for (int i = 0; i < length; i++) {
      target[i] /= count;
    }
  }

  @Override
  public void close() {
    rows.forEach(OutputRows::close);
  }
}
