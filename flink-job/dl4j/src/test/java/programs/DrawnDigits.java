package programs;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.factory.Nd4j;

/** Digits of seven strokes, each a little elsewhere, with noise: as MNIST's, without its files. */
public final class DrawnDigits {

  /** Pixels of an image. */
  public static final int PIXELS = 14 * 14;

  /** Classes. */
  public static final int CLASSES = 10;

  private static final int SIDE = 14;

  /** Which strokes a digit has: top, upper left and right, middle, lower left and right, bottom. */
  private static final int[] STROKES = {
    0b1110111, 0b0010010, 0b1011101, 0b1011011, 0b0111010, 0b1101011, 0b1101111, 0b1010010,
    0b1111111, 0b1111011
  };

  private DrawnDigits() {}

  /** Draws data sets. */
  public static List<DataSet> draw(long seed, int dataSets, int examples) {
    Random random = new Random(seed);
    List<DataSet> all = new ArrayList<>();
    for (int i = 0; i < dataSets; i++) {
      INDArray features = Nd4j.create(examples, PIXELS);
      INDArray labels = Nd4j.create(examples, CLASSES);
      for (int row = 0; row < examples; row++) {
        int digit = random.nextInt(CLASSES);
        features.putRow(row, Nd4j.create(image(digit, random)));
        labels.putScalar(row, digit, 1);
      }
      all.add(new DataSet(features, labels));
    }
    return all;
  }

  private static float[] image(int digit, Random random) {
    float[] image = new float[PIXELS];
    for (int i = 0; i < PIXELS; i++) {
      image[i] = (float) Math.abs(random.nextGaussian() * 0.25);
    }
    int x = 3 + random.nextInt(3);
    int y = 1 + random.nextInt(3);
    for (int stroke = 0; stroke < 7; stroke++) {
      if ((STROKES[digit] >> (6 - stroke) & 1) == 1) {
        stroke(image, stroke, x, y);
      }
    }
    return image;
  }

  private static void stroke(float[] image, int stroke, int x, int y) {
    boolean flat = stroke % 3 == 0;
    int left = stroke == 2 || stroke == 5 ? x + 5 : x;
    int top = stroke == 0 || stroke == 1 || stroke == 2 ? y : stroke == 6 ? y + 10 : y + 5;
    for (int i = 0; i < 6; i++) {
      int pixel = flat ? top * SIDE + left + i : (top + i) * SIDE + left;
      image[pixel] = Math.min(1, image[pixel] + 0.8f);
    }
  }
}
