package dev.millrace.job.options;

import java.util.List;
import java.util.Locale;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;

/** Which model is trained, and from where it starts. */
public final class ModelOptions {

  /** How replicas share GPUs. */
  public enum Devices {
    /** Evenly; without GPUs they train on the CPU. */
    AUTO,
    /** Not at all. */
    EXCLUSIVE;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public static final ConfigOption<String> ENGINE =
      ConfigOptions.key("model.engine")
          .stringType()
          .defaultValue("dl4j")
          .withDescription("The library that trains.");

  public static final ConfigOption<Devices> DEVICES =
      ConfigOptions.key("model.devices")
          .enumType(Devices.class)
          .defaultValue(Devices.AUTO)
          .withDescription(
              "auto: replicas share the GPUs that Flink's external resource gpu names, or all"
                  + " that the engine sees; without GPUs they use the CPU. exclusive: each replica"
                  + " has a GPU of its own, or the job fails. See gpus.md.");

  public static final ConfigOption<String> NAME =
      ConfigOptions.key("model.name")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "A built-in model: lenet (convolutions, for images), mlp (hidden layers) or"
                  + " linear.");

  public static final ConfigOption<String> CONFIGURATION =
      ConfigOptions.key("model.configuration")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "A file with the engine's configuration of a network: DL4J's JSON of a"
                  + " MultiLayerNetwork or ComputationGraph. The weights start as it says.");

  public static final ConfigOption<String> ARCHIVE =
      ConfigOptions.key("model.archive")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "An archive to start from: DL4J's zip, a published or exported model, or a"
                  + " directory of published models, of which the latest is taken. The job starts"
                  + " with its weights, updater state and normalizer.");

  public static final ConfigOption<List<Integer>> HIDDEN =
      ConfigOptions.key("model.hidden")
          .intType()
          .asList()
          .defaultValues(64, 32)
          .withDescription("Neurons of each hidden layer of the built-in mlp.");

  public static final ConfigOption<List<Integer>> IMAGE =
      ConfigOptions.key("model.image")
          .intType()
          .asList()
          .noDefaultValue()
          .withDescription(
              "Height, width and channels of the images of the built-in lenet. Absent: one"
                  + " square channel. With model.configuration it only says that features are"
                  + " images, for input.standardize.");

  public static final ConfigOption<String> UPDATER =
      ConfigOptions.key("model.updater")
          .stringType()
          .defaultValue("adam")
          .withDescription("Rule by which gradients change a built-in model.");

  public static final ConfigOption<Double> LEARNING_RATE =
      ConfigOptions.key("model.learning-rate")
          .doubleType()
          .defaultValue(1e-3)
          .withDescription("Learning rate of a built-in model's updater.");

  public static final ConfigOption<Double> MOMENTUM =
      ConfigOptions.key("model.momentum")
          .doubleType()
          .defaultValue(0.9)
          .withDescription("Momentum of the updater nesterovs.");

  public static final ConfigOption<Double> L2 =
      ConfigOptions.key("model.l2")
          .doubleType()
          .noDefaultValue()
          .withDescription("L2 penalty on the weights of a built-in model. Absent: no penalty.");

  public static final ConfigOption<Long> SEED =
      ConfigOptions.key("model.seed")
          .longType()
          .defaultValue(1L)
          .withDescription("Seed of the initial weights of a built-in model.");

  public static final OptionGroup GROUP =
      new OptionGroup(
          "Model",
          "Exactly one of `model.name`, `model.configuration` and `model.archive` says what is"
              + " trained.",
          List.of(
              Setting.of(ENGINE, Range.text("the name of an engine on the class path")),
              Setting.of(DEVICES, Range.oneOf(Devices.class)),
              Setting.common(NAME, Range.oneOf("lenet", "mlp", "linear")),
              Setting.of(CONFIGURATION, Range.text("a file's path")),
              Setting.common(ARCHIVE, Range.text("a path or URI")),
              Setting.of(HIDDEN, Range.listOf(Range.atLeast(1))),
              Setting.of(IMAGE, Range.listOf(Range.atLeast(1))),
              Setting.of(UPDATER, Range.oneOf("sgd", "nesterovs", "adam", "rmsprop", "adagrad")),
              Setting.common(LEARNING_RATE, Range.above(0)),
              Setting.of(MOMENTUM, Range.between(0, 1)),
              Setting.of(L2, Range.above(0)),
              Setting.of(SEED, Range.anyWholeNumber())));

  private ModelOptions() {}
}
