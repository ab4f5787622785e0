package dev.millrace.model;

import dev.millrace.model.ModelDefinition.BuiltIn;
import dev.millrace.model.shape.IndexRange;
import java.util.Arrays;

/**
 * The first weights of what the last layer of a built-in network takes as a score, such as the sum
 * of rows' first values: it counts for the output from the start, and of two classes for the
 * second.
 */
public final class ScoreWeights {

  private ScoreWeights() {}

  /** Returns how many of the inputs of a network's last layer are scores, which come last. */
  private static int scores(String network) {
    return switch (network) {
      case "deepfm" -> 2;
      case "wide-deep", "two-tower" -> 1;
      default -> 0;
    };
  }

  /**
   * Sets them, if there are at most two outputs: of more, each keeps the random weights that tell
   * it from the others.
   *
   * @param vector of parameters: of the last layer the weights, those of an output one behind the
   *     other, and then the biases
   * @param last where the last layer's parameters are in it
   */
  public static void set(BuiltIn definition, float[] vector, IndexRange last) {
    int outputs = definition.shape().outputs();
    int scores = scores(definition.name());
    if (outputs > 2) {
      return;
    }
    int inputs = last.length() / outputs - 1;
    for (int output = 0; output < outputs; output++) {
      int end = last.from() + (output + 1) * inputs;
      Arrays.fill(vector, end - scores, end, outputs == 1 ? 1 : output - 0.5f);
    }
  }
}
