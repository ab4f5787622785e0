package dev.millrace.model;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/** Where a job's model comes from, before an engine has made it. */
public sealed interface ModelDefinition {

  /**
   * A network that comes with Millrace.
   *
   * @param name {@code lenet}, {@code mlp} or {@code linear}
   * @param shape what it takes and gives
   * @param hidden sizes of the hidden layers; for {@code mlp} only
   * @param image height, width and channels of the input; for {@code lenet} only, may be empty
   *     where the features are one square channel
   * @param updater {@code sgd}, {@code nesterovs}, {@code adam}, {@code rmsprop} or {@code adagrad}
   * @param learningRate of the updater
   * @param momentum of the updater, where it has one
   * @param l2 weight decay, 0 for none
   * @param seed of the initial weights
   */
  record BuiltIn(
      String name,
      ExampleShape shape,
      List<Integer> hidden,
      List<Integer> image,
      String updater,
      double learningRate,
      double momentum,
      double l2,
      long seed)
      implements ModelDefinition {

    public BuiltIn {
      Objects.requireNonNull(name, "name");
      Objects.requireNonNull(shape, "shape");
      Objects.requireNonNull(updater, "updater");
      hidden = List.copyOf(hidden);
      image = List.copyOf(image);
    }
  }

  /** An engine's configuration file, with weights initialized as it says. */
  record Configuration(Path file, ExampleShape shape) implements ModelDefinition {}

  /** An engine's archive: weights, updater state and normalizer as they were saved. */
  record Archive(Path file, ExampleShape shape) implements ModelDefinition {}
}
