package dev.millrace.exchange.codec;

import dev.millrace.model.testing.Seeds;
import java.util.Random;
import java.util.stream.LongStream;

/** Vectors of floats of all kinds. */
final class Vectors {

  static final float[] SPECIAL = {
    0f,
    -0f,
    Float.MIN_VALUE,
    -Float.MIN_VALUE,
    Float.MIN_NORMAL,
    -Math.nextDown(Float.MIN_NORMAL),
    Encoder.GREATEST,
    -Encoder.GREATEST,
    1f,
    -1f,
    1 + 0x1p-8f,
    1 + 0x3p-8f,
    0x1.fcp127f,
    0x1.fd0002p127f,
    0x1.fdfffep127f,
    0x1.fffffep-110f,
    0x1.fffffep-109f
  };

  private Vectors() {}

  /** Some that are always the same, and one that never is. */
  static LongStream seeds() {
    return LongStream.of(1, 2, 3, 4, Seeds.next());
  }

  /** As gradients are: most near zero, some not. */
  static float[] gaussian(Random random, int length) {
    float[] vector = new float[length];
    for (int i = 0; i < length; i++) {
      vector[i] = (float) (random.nextGaussian() * Math.pow(10, random.nextInt(4) - 3));
    }
    return vector;
  }

  /** Any bits of a value that can be encoded. */
  static float[] bits(Random random, int length) {
    float[] vector = new float[length];
    for (int i = 0; i < length; i++) {
      float value = Float.intBitsToFloat(random.nextInt());
      vector[i] =
          Math.abs(value) <= Encoder.GREATEST ? value : SPECIAL[random.nextInt(SPECIAL.length)];
    }
    return vector;
  }

  /** Zero but for a share of the values. */
  static float[] sparse(Random random, int length, double share) {
    float[] vector = gaussian(random, length);
    for (int i = 0; i < length; i++) {
      if (random.nextDouble() >= share) {
        vector[i] = 0;
      }
    }
    return vector;
  }
}
