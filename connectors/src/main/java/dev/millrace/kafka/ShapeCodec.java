package dev.millrace.kafka;

import dev.millrace.model.ExampleShape;
import java.io.IOException;
import java.util.Arrays;
import org.apache.flink.util.InstantiationUtil;

/** Shapes as bytes. Examples that follow each other have the same: it is kept. */
final class ShapeCodec {

  private ExampleShape shape;
  private byte[] bytes;

  /** The bytes of a shape; not to be changed. */
  byte[] bytes(ExampleShape wanted) throws IOException {
    if (shape != wanted) {
      bytes = InstantiationUtil.serializeObject(wanted);
      shape = wanted;
    }
    return bytes;
  }

  /** The shape of bytes. */
  ExampleShape shape(byte[] wanted) throws IOException {
    if (shape == null || !Arrays.equals(bytes, wanted)) {
      try {
        shape =
            InstantiationUtil.deserializeObject(wanted, ShapeCodec.class.getClassLoader());
        bytes = wanted;
      } catch (ClassNotFoundException e) {
        throw new IOException("The shape of an example can't be read", e);
      }
    }
    return shape;
  }
}
