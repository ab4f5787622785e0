package dev.millrace.file;

import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A directory with the four files that MNIST came in: images and labels, {@code train} to learn
 * from and {@code t10k} as the hold-out. Pixels 0 to 255 become features from 0 to 1.
 */
final class IdxExamples implements ExampleSet {

  private static final String TRAINING = "train";
  private static final String HOLD_OUT = "t10k";

  private final Path directory;
  private final ExampleShape shape;
  private final ImageSize image;

  private IdxExamples(Path directory, ImageSize image, int classes) {
    this.directory = directory;
    this.image = image;
    this.shape = new ExampleShape(image.pixels(), classes, Target.CLASSIFICATION);
  }

  /** Reads the headers, and all labels to know how many classes there are. */
  static IdxExamples open(Path directory) throws IOException {
    ImageSize image = imageSize(directory, TRAINING);
    ImageSize holdOut = imageSize(directory, HOLD_OUT);
    if (!image.equals(holdOut)) {
      throw new IOException(
          "%s: the images of %s are %sx%s, those of %s %sx%s: they must have one size"
              .formatted(
                  directory,
                  TRAINING,
                  image.rows(),
                  image.columns(),
                  HOLD_OUT,
                  holdOut.rows(),
                  holdOut.columns()));
    }
    int last = Math.max(lastClass(directory, TRAINING), lastClass(directory, HOLD_OUT));
    if (last < 1) {
      throw new IOException(
          "%s: every label is 0, expected at least two classes".formatted(directory));
    }
    return new IdxExamples(directory, image, last + 1);
  }

  /** Returns the same examples, of at least so many classes. */
  IdxExamples withClasses(int least) {
    return least <= shape.outputs() ? this : new IdxExamples(directory, image, least);
  }

  private static ImageSize imageSize(Path directory, String part) throws IOException {
    try (IdxFile images = IdxSequence.images(directory, part)) {
      return new ImageSize(images.size(1), images.size(2));
    }
  }

  private static int lastClass(Path directory, String part) throws IOException {
    try (IdxFile labels = IdxSequence.labels(directory, part)) {
      byte[] label = new byte[1];
      int last = 0;
      for (int i = 0; i < labels.count(); i++) {
        labels.next(label);
        last = Math.max(last, Byte.toUnsignedInt(label[0]));
      }
      return last;
    }
  }

  @Override
  public ExampleShape shape() {
    return shape;
  }

  @Override
  public List<String> classes() {
    return IntStream.range(0, shape.outputs()).mapToObj(Integer::toString).toList();
  }

  @Override
  public Optional<ImageSize> image() {
    return Optional.of(image);
  }

  @Override
  public ExampleSequence training() throws IOException {
    return IdxSequence.open(directory, TRAINING, shape);
  }

  @Override
  public ExampleSequence holdOut() throws IOException {
    return IdxSequence.open(directory, HOLD_OUT, shape);
  }
}
