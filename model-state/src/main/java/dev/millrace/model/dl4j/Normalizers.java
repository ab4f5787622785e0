package dev.millrace.model.dl4j;

import dev.millrace.model.FeatureStatistics;
import dev.millrace.model.Standardization;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.api.preprocessor.NormalizerStandardize;
import org.nd4j.linalg.dataset.api.preprocessor.serializer.NormalizerSerializer;
import org.nd4j.linalg.dataset.api.preprocessor.serializer.NormalizerType;
import org.nd4j.linalg.dataset.api.preprocessor.serializer.StandardizeSerializerStrategy;
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
   * the bytes name.
   *
   * @throws IOException if it is none of the features alone by mean and deviation
   */
  static Standardization read(byte[] bytes) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
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
    NormalizerStandardize normalizer = new StandardizeSerializerStrategy().restore(in);
    if (normalizer.isFitLabel()) {
      throw new IOException(
          "its normalizer changes labels, too; fit one with fitLabel(false) and scale"
              + " the labels before they are sent");
    }
    return new Standardization(floats(normalizer.getMean()), floats(normalizer.getStd()));
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

  private static float[] floats(INDArray array) {
    return array.dup('c').data().asFloat();
  }
}
