package dev.millrace.keras;

import dev.millrace.model.io.InvalidModelException;
import java.util.Arrays;
import org.deeplearning4j.nn.conf.InputPreProcessor;
import org.deeplearning4j.nn.modelimport.keras.KerasModel;
import org.deeplearning4j.preprocessors.ReshapePreprocessor;
import org.nd4j.common.util.ArrayUtil;

/**
 * The array that a model takes as one example.
 *
 * @param dimensions as Keras has them, without the one that counts examples
 */
record InputShape(long... dimensions) {

  InputShape {
    if (dimensions.length == 0 || Arrays.stream(dimensions).anyMatch(size -> size < 1)) {
      throw new InvalidModelException(
          ("its input is of the shape %s, 0 for any size; give it a fixed size in Keras, such as"
                  + " Input((28, 28, 1)), and save it again")
              .formatted(Arrays.toString(dimensions)));
    }
  }

  /** Returns the shape of the model's first input. */
  static InputShape of(KerasModel keras) {
    String input = keras.getInputLayerNames().get(0);
    return new InputShape(ArrayUtil.toLongArray(keras.getLayers().get(input).getInputShape()));
  }

  /** Length of an example's row. */
  long features() {
    return ArrayUtil.prodLong(dimensions);
  }

  boolean isRow() {
    return dimensions.length == 1;
  }

  /** Makes the array of a row. */
  InputPreProcessor fromRow() {
    return new ReshapePreprocessor(new long[] {features()}, dimensions, false);
  }
}
