package dev.millrace.example;

import java.nio.ByteBuffer;

/** How a feature stands in a {@linkplain BinaryFormat binary record}. */
enum FeatureType {
  FLOAT32(1, Float.BYTES) {
    @Override
    void read(ByteBuffer from, float[] features, int count) {
      from.asFloatBuffer().get(features, 0, count);
      from.position(from.position() + count * bytes());
    }

    @Override
    void write(float[] features, int count, ByteBuffer to) {
      to.asFloatBuffer().put(features, 0, count);
      to.position(to.position() + count * bytes());
    }
  },

  /** A byte b stands for b / 255. */
  UINT8(2, Byte.BYTES) {
    @Override
    void read(ByteBuffer from, float[] features, int count) {
      byte[] array = from.array();
      int start = from.arrayOffset() + from.position();
      for (int i = 0; i < count; i++) {
        features[i] = Byte.toUnsignedInt(array[start + i]) / MAX_UINT8;
      }
      from.position(from.position() + count);
    }

    @Override
    void write(float[] features, int count, ByteBuffer to) {
      for (int i = 0; i < count; i++) {
        to.put((byte) Math.max(0, Math.min(255, Math.round(features[i] * MAX_UINT8))));
      }
    }
  };

  private static final float MAX_UINT8 = 255;

  private final int code;
  private final int bytes;

  FeatureType(int code, int bytes) {
    this.code = code;
    this.bytes = bytes;
  }

  /** Returns what the header says for this type. */
  int code() {
    return code;
  }

  /** Size of a feature. */
  int bytes() {
    return bytes;
  }

  /**
   * @param from backed by an array; holds so many features
   */
  abstract void read(ByteBuffer from, float[] features, int count);

  /** Writes the first features. */
  abstract void write(float[] features, int count, ByteBuffer to);
}
