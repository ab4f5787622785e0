package dev.millrace.dl4j.data;

import dev.millrace.model.features.Standardization;
import java.util.Arrays;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.api.DataSetPreProcessor;
import org.nd4j.linalg.dataset.api.preprocessor.ImagePreProcessingScaler;
import org.nd4j.linalg.dataset.api.preprocessor.NormalizerMinMaxScaler;
import org.nd4j.linalg.dataset.api.preprocessor.NormalizerStandardize;
import org.nd4j.linalg.factory.Nd4j;

/**
 * What a normalizer of DL4J does to features, where that is to subtract from each a number and to
 * divide by another.
 */
public final class Scaling {

  private static final float MOST_OF_A_PIXEL = 255;

  private final float[] means;
  private final float[] scales;

  private Scaling(float[] means, float[] scales) {
    this.means = means;
    this.scales = scales;
  }

  /** Returns what a normalizer does; null where it does something else, or there is none. */
  public static Scaling ofOrNull(DataSetPreProcessor normalizerOrNull) {
    if (normalizerOrNull instanceof NormalizerStandardize standardize
        && !standardize.isFitLabel()
        && standardize.getMean() != null) {
      return of(standardize.getMean(), standardize.getStd());
    }
    if (normalizerOrNull instanceof NormalizerMinMaxScaler scaler
        && !scaler.isFitLabel()
        && scaler.getMin() != null) {
      INDArray scale =
          scaler.getMax().sub(scaler.getMin()).div(scaler.getTargetMax() - scaler.getTargetMin());
      if (scaler.getTargetMin() != 0 && scale.minNumber().floatValue() <= Nd4j.EPS_THRESHOLD) {
        // A feature that was always the same becomes the lower end, which no mean and deviation do.
        return null;
      }
      return of(scaler.getMin().sub(scale.mul(scaler.getTargetMin())), scale);
    }
    if (normalizerOrNull instanceof ImagePreProcessingScaler scaler && !scaler.isFitLabel()) {
      INDArray ends = Nd4j.createFromArray(0, MOST_OF_A_PIXEL).reshape(1, 2);
      scaler.transform(ends);
      float scale = MOST_OF_A_PIXEL / (ends.getFloat(1) - ends.getFloat(0));
      return new Scaling(new float[] {-ends.getFloat(0) * scale}, new float[] {scale});
    }
    return null;
  }

  private static Scaling of(INDArray means, INDArray scales) {
    float[] divisors = values(scales);
    for (int i = 0; i < divisors.length; i++) {
      // As DL4J does: a feature that was always the same has no deviation.
      divisors[i] = Math.max(divisors[i], (float) Nd4j.EPS_THRESHOLD);
    }
    return new Scaling(values(means), divisors);
  }

  private static float[] values(INDArray array) {
    return array.dup('c').data().asFloat();
  }

  /**
   * Returns it for so many features; a normalizer of images may have one mean for each channel.
   *
   * @throws IllegalArgumentException if it is of another number of features
   */
  public Standardization of(int features) {
    if (features % means.length != 0) {
      throw new IllegalArgumentException(
          "The iterator's normalizer was fitted to %s features, and a minibatch has %s"
              .formatted(means.length, features));
    }
    return new Standardization(spread(means, features), spread(scales, features));
  }

  private static float[] spread(float[] values, int features) {
    float[] all = new float[features];
    int each = features / values.length;
    for (int i = 0; i < values.length; i++) {
      Arrays.fill(all, i * each, (i + 1) * each, values[i]);
    }
    return all;
  }
}
