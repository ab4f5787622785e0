package example.beside;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Reads a digit of the format {@code uint8}, as a program that doesn't know Millrace's formats. */
final class Digit {

  static final int PIXELS = 784;
  static final int CLASSES = 10;

  private static final int HEADER = 16;
  private static final float WHITE = 255;

  private Digit() {}

  static float[] pixels(byte[] record) {
    float[] pixels = new float[PIXELS];
    for (int i = 0; i < PIXELS; i++) {
      pixels[i] = Byte.toUnsignedInt(record[HEADER + i]) / WHITE;
    }
    return pixels;
  }

  static int label(byte[] record) {
    return ByteBuffer.wrap(record).order(ByteOrder.LITTLE_ENDIAN).getInt(HEADER + PIXELS);
  }
}
