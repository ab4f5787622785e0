package dev.millrace.job.testing;

import dev.millrace.example.Example;
import dev.millrace.example.ExampleFormat;
import dev.millrace.example.FormatSettings;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Examples that a small network can learn: one Gaussian blob a class, from a seed. */
public final class Blobs {

  public static final ExampleShape SHAPE = new ExampleShape(8, 3, Target.CLASSIFICATION);

  private final Random random;

  public Blobs(long seed) {
    random = new Random(seed);
  }

  public Example next() {
    Example example = new Example(SHAPE);
    int label = random.nextInt(SHAPE.outputs());
    for (int i = 0; i < SHAPE.features(); i++) {
      example.features()[i] =
          (float) random.nextGaussian() + (i % SHAPE.outputs() == label ? 1.5f : 0);
    }
    example.setClass(label);
    return example;
  }

  public List<Example> next(int count) {
    List<Example> examples = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      examples.add(next());
    }
    return examples;
  }

  /** As values of records in the format {@code float32}. */
  public static List<byte[]> encode(List<Example> examples) {
    return encode(examples, "float32");
  }

  /** As values of records in a format. */
  public static List<byte[]> encode(List<Example> examples, String name) {
    ExampleFormat format = ExampleFormat.named(name, SHAPE, FormatSettings.defaults());
    return examples.stream().map(format::write).toList();
  }
}
