package dev.millrace.file;

import dev.millrace.example.Example;
import dev.millrace.model.shape.ExampleShape;
import java.io.IOException;
import java.nio.file.Path;

/** The images and labels of one pair of IDX files, read as they are asked for. */
final class IdxSequence implements ExampleSequence {

  private final IdxFile images;
  private final IdxFile labels;
  private final ExampleShape shape;
  private final byte[] pixels;
  private final byte[] label = new byte[1];
  private int read;

  private IdxSequence(IdxFile images, IdxFile labels, ExampleShape shape) throws IOException {
    this.images = images;
    this.labels = labels;
    this.shape = shape;
    this.pixels = new byte[shape.features()];
    if (images.count() != labels.count()) {
      throw new IOException(
          "%s has %s images and %s %s labels: they must be of one data set"
              .formatted(images.path(), images.count(), labels.path(), labels.count()));
    }
  }

  static IdxFile images(Path directory, String part) throws IOException {
    return IdxFile.open(directory, part + "-images-idx3-ubyte", 3);
  }

  static IdxFile labels(Path directory, String part) throws IOException {
    return IdxFile.open(directory, part + "-labels-idx1-ubyte", 1);
  }

  static IdxSequence open(Path directory, String part, ExampleShape shape) throws IOException {
    IdxFile images = images(directory, part);
    IdxFile labels = null;
    try {
      labels = labels(directory, part);
      return new IdxSequence(images, labels, shape);
    } catch (IOException e) {
      images.close();
      if (labels != null) {
        labels.close();
      }
      throw e;
    }
  }

  @Override
  public ExampleShape shape() {
    return shape;
  }

  @Override
  public long count() {
    return images.count();
  }

  @Override
  public boolean next(Example into) throws IOException {
    if (!skip(into)) {
      return false;
    }
    into.reset();
    float[] features = into.features();
    for (int i = 0; i < features.length; i++) {
      features[i] = Byte.toUnsignedInt(pixels[i]) / 255f;
    }
    into.setClass(Byte.toUnsignedInt(label[0]));
    return true;
  }

  @Override
  public boolean skip(Example scratch) throws IOException {
    if (read == images.count()) {
      images.expectEnd();
      labels.expectEnd();
      return false;
    }
    images.next(pixels);
    labels.next(label);
    read++;
    return true;
  }

  @Override
  public void close() throws IOException {
    try (images;
        labels) {
      read = images.count();
    }
  }
}
