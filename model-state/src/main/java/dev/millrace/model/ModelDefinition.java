package dev.millrace.model;

import dev.millrace.model.shape.ExampleShape;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Where a job's model comes from, before an engine has made it. */
public sealed interface ModelDefinition {

  /**
   * A network that comes with Millrace.
   *
   * @param name {@code lenet}, {@code mlp} or {@code linear}; for rows of embedding tables {@code
   *     deepfm}, {@code wide-deep}, {@code dcn} or {@code two-tower}
   * @param shape what it takes and gives
   * @param hidden sizes of the hidden layers; none for {@code lenet} and {@code linear}
   * @param image height, width and channels of the input; for {@code lenet} only, may be empty
   *     where the features are one square channel
   * @param learning how it learns
   * @param seed of the initial weights
   */
  record BuiltIn(
      String name,
      ExampleShape shape,
      List<Integer> hidden,
      List<Integer> image,
      Learning learning,
      long seed)
      implements ModelDefinition {

    public BuiltIn {
      Objects.requireNonNull(name, "name");
      Objects.requireNonNull(shape, "shape");
      Objects.requireNonNull(learning, "learning");
      hidden = List.copyOf(hidden);
      image = List.copyOf(image);
    }

    /** Defines a network with an updater, and the loss that goes with the target. */
    public BuiltIn(
        String name,
        ExampleShape shape,
        List<Integer> hidden,
        List<Integer> image,
        String updater,
        double learningRate,
        double momentum,
        double l2,
        long seed) {
      this(
          name,
          shape,
          hidden,
          image,
          new Learning(
              Optional.empty(),
              Optional.of(updater),
              Optional.of(learningRate),
              Optional.of(momentum),
              Optional.of(l2),
              Optional.empty(),
              Optional.empty(),
              Optional.empty(),
              Optional.empty()),
          seed);
    }
  }

  /** An engine's configuration file, with weights initialized as it says. */
  record Configuration(Path file, ExampleShape shape) implements ModelDefinition {}

  /**
   * An engine's archive: weights, updater state and normalizer as they were saved.
   *
   * @param learning what takes the place of how the archive's network learns. An engine refuses
   *     what it can't replace.
   */
  record Archive(Path file, ExampleShape shape, Learning learning) implements ModelDefinition {

    public Archive {
      Objects.requireNonNull(file, "file");
      Objects.requireNonNull(shape, "shape");
      Objects.requireNonNull(learning, "learning");
    }

    /** Defines a model that learns on as it has learned. */
    public Archive(Path file, ExampleShape shape) {
      this(file, shape, Learning.UNSAID);
    }
  }
}
