package dev.millrace.model.dl4j;

import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.model.features.Standardization;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import org.nd4j.linalg.dataset.api.preprocessor.NormalizerStandardize;
import org.nd4j.linalg.dataset.api.preprocessor.serializer.NormalizerSerializer;
import org.nd4j.linalg.dataset.api.preprocessor.serializer.NormalizerType;
import org.nd4j.linalg.factory.Nd4j;

/** Standardizations as the bytes of DL4J's normalizers, and back. */
final class Normalizers {

  /** What the mean and deviation of a normalizer that others have fitted weigh. */
  static final long FOREIGN_COUNT = 1000;

  private static final String HEADER = "NORMALIZER";
  private static final int VERSION = 1;

  private Normalizers() {}

  static byte[] write(Standardization standardization) throws IOException {
    int width = standardization.mean().length;
    NormalizerStandardize normalizer =
        new NormalizerStandardize(
            Nd4j.createFromArray(standardization.mean()).reshape(1, width),
            Nd4j.createFromArray(standardization.scale()).reshape(1, width));
    // DL4J closes what it writes normalizers to, so it doesn't get the archive itself.
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    NormalizerSerializer.getDefault().write(normalizer, bytes);
    return bytes.toByteArray();
  }

  /**
   * Reads the mean and scale of a normalizer. DL4J's own way to read any would load whatever class
   * the bytes name, and take as much native memory as they say.
   *
   * @throws IOException if it is none of the features alone by mean and deviation
   */
  static Standardization read(byte[] bytes) throws IOException {
    try {
      return read(new DataInputStream(new ByteArrayInputStream(bytes)));
    } catch (EOFException e) {
      throw new IOException("its normalizer ends early", e);
    }
  }

  private static Standardization read(DataInputStream in) throws IOException {
    if (!in.readUTF().equals(HEADER) || in.readInt() != VERSION) {
      throw new IOException("its normalizer is not in DL4J's format of version " + VERSION);
    }
    String type = in.readUTF();
    if (!type.equals(NormalizerType.STANDARDIZE.toString())) {
      throw new IOException(
          ("its normalizer is of type %s, and only %s can be continued; take it out and"
                  + " scale the features before they are sent")
              .formatted(type, NormalizerType.STANDARDIZE));
    }
    if (in.readBoolean()) {
      throw new IOException(
          "its normalizer changes labels, too; fit one with fitLabel(false) and scale"
              + " the labels before they are sent");
    }
    float[] mean = array(in, "mean");
    float[] scale = array(in, "deviation");
    if (mean.length != scale.length) {
      throw new IOException(
          "its normalizer has means of %s features and deviations of %s"
              .formatted(mean.length, scale.length));
    }
    for (int i = 0; i < scale.length; i++) {
      // As DL4J does when it reads one: a feature that was always the same has no deviation.
      scale[i] = Math.max(scale[i], (float) Nd4j.EPS_THRESHOLD);
    }
    return new Standardization(mean, scale);
  }

  private static float[] array(DataInputStream in, String what) throws IOException {
    try {
      float[] values = ArrayBytes.read(in, in.available() / Float.BYTES);
      for (int i = 0; i < values.length; i++) {
        if (!Float.isFinite(values[i])) {
          throw new IOException("that of feature %s is %s".formatted(i, values[i]));
        }
      }
      return values;
    } catch (EOFException e) {
      throw e;
    } catch (IOException e) {
      throw new IOException(
          "its normalizer's %s can't be used: %s".formatted(what, e.getMessage()), e);
    }
  }

  /** Statistics that weigh as if {@link #FOREIGN_COUNT} examples had been seen. */
  static FeatureStatistics statistics(Standardization standardization) {
    int width = standardization.mean().length;
    double[] mean = new double[width];
    double[] deviation = new double[width];
    for (int i = 0; i < width; i++) {
      mean[i] = standardization.mean()[i];
      deviation[i] = standardization.scale()[i];
    }
    return FeatureStatistics.of(FOREIGN_COUNT, mean, deviation);
  }
}
