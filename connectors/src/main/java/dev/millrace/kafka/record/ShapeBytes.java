package dev.millrace.kafka.record;

import dev.millrace.model.shape.ExampleShape;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.util.Arrays;

/**
 * Shapes as bytes, and back. All examples of a job have one shape, so the last one is kept.
 *
 * <p>Not thread-safe.
 */
final class ShapeBytes {

  private ExampleShape last;
  private byte[] bytes;

  byte[] bytes(ExampleShape shape) throws IOException {
    if (!shape.equals(last)) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      try (ObjectOutputStream objects = new ObjectOutputStream(out)) {
        objects.writeObject(shape);
      }
      bytes = out.toByteArray();
      last = shape;
    }
    return bytes;
  }

  ExampleShape shape(byte[] ofShape) throws IOException {
    if (!Arrays.equals(ofShape, bytes)) {
      try (ObjectInputStream objects = new OwnObjects(new ByteArrayInputStream(ofShape))) {
        last = (ExampleShape) objects.readObject();
      } catch (ClassNotFoundException e) {
        throw new IOException("An example's shape is of another release", e);
      }
      bytes = ofShape;
    }
    return last;
  }

  /** Finds classes where this one comes from: the job's jar. */
  private static final class OwnObjects extends ObjectInputStream {

    private OwnObjects(InputStream in) throws IOException {
      super(in);
    }

    @Override
    protected Class<?> resolveClass(ObjectStreamClass description)
        throws IOException, ClassNotFoundException {
      return Class.forName(description.getName(), false, ShapeBytes.class.getClassLoader());
    }
  }
}
