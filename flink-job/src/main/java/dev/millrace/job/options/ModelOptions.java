package dev.millrace.job.options;

import java.util.List;
import java.util.Locale;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;

/** Which model is trained, and from where it starts. */
public final class ModelOptions {

  /** What replicas are computed on. */
  public enum Device {
    /** GPUs, shared evenly; where there are none, the processor. */
    AUTO,
    /** The processor. */
    CPU,
    /** GPUs, shared evenly. */
    CUDA,
    /** A GPU for each replica. */
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
          .withDescription("Library that trains: dl4j, or torch (TorchScript).");

  public static final ConfigOption<Device> DEVICE =
      ConfigOptions.key("model.device")
          .enumType(Device.class)
          .defaultValue(Device.AUTO)
          .withDescription(
              "auto: GPUs if the engine can use them. exclusive: a GPU for each replica.");

  public static final ConfigOption<Boolean> DETERMINISTIC =
      ConfigOptions.key("model.deterministic")
          .booleanType()
          .defaultValue(false)
          .withDescription("true: GPUs compute the same bits each time, with slower kernels.");

  public static final ConfigOption<String> NAME =
      ConfigOptions.key("model.name")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "A built-in model: with convolutions, with hidden layers, with neither, or for ids.");

  /** Names of built-in models that have hidden layers. */
  public static final List<String> WITH_HIDDEN =
      List.of("mlp", "deepfm", "wide-deep", "dcn", "two-tower");

  public static final ConfigOption<String> CONFIGURATION =
      ConfigOptions.key("model.configuration")
          .stringType()
          .noDefaultValue()
          .withDescription("DL4J's JSON of a network. Its weights start as it says.");

  public static final ConfigOption<String> ARCHIVE =
      ConfigOptions.key("model.archive")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "A model to start from: DL4J zip, TorchScript file, or a published, exported or"
                  + " latest model.");

  public static final ConfigOption<Boolean> GROW =
      ConfigOptions.key("model.grow")
          .booleanType()
          .defaultValue(false)
          .withDescription(
              "true: a model that knows fewer fields, words or classes than the job grows by"
                  + " them.");

  public static final ConfigOption<Boolean> REPLACE_OUTPUT =
      ConfigOptions.key("model.replace-output")
          .booleanType()
          .defaultValue(false)
          .withDescription(
              "true: the last layer is a new one, for other classes; the others keep what they"
                  + " know.");

  public static final ConfigOption<List<String>> FREEZE =
      ConfigOptions.key("model.freeze")
          .stringType()
          .asList()
          .noDefaultValue()
          .withDescription("Layers that stay as they are, as `layer0;layer1` or `all-but-output`.");

  public static final ConfigOption<List<Integer>> HIDDEN =
      ConfigOptions.key("model.hidden")
          .intType()
          .asList()
          .defaultValues(64, 32)
          .withDescription("Neurons of each hidden layer, of all but lenet and linear.");

  public static final ConfigOption<List<Integer>> IMAGE =
      ConfigOptions.key("model.image")
          .intType()
          .asList()
          .noDefaultValue()
          .withDescription("Height, width and channels of images. Absent: one square channel.");

  public static final ConfigOption<Long> SEED =
      ConfigOptions.key("model.seed")
          .longType()
          .defaultValue(1L)
          .withDescription("Seed of the initial weights.");

  public static final ConfigOption<Integer> NEGATIVES =
      ConfigOptions.key("model.negatives")
          .intType()
          .defaultValue(0)
          .withDescription(
              "two-tower: negatives of each positive example, out of its minibatch. 0: none.");

  public static final OptionGroup GROUP =
      new OptionGroup(
          "Model",
          "Give one of `model.name`, `model.configuration` and `model.archive`.",
          List.of(
              Setting.of(ENGINE, Range.text("the name of an engine on the class path")),
              Setting.of(DEVICE, Range.oneOf(Device.class)),
              Setting.of(DETERMINISTIC, Range.trueOrFalse()),
              Setting.common(
                  NAME,
                  Range.oneOf("lenet", "mlp", "linear", "deepfm", "wide-deep", "dcn", "two-tower")),
              Setting.of(CONFIGURATION, Range.text("a file's path")),
              Setting.common(ARCHIVE, Range.text("a path or URI")),
              Setting.of(GROW, Range.trueOrFalse()),
              Setting.of(REPLACE_OUTPUT, Range.trueOrFalse()),
              Setting.of(FREEZE, Range.listOf(Range.text("a layer's name"))),
              Setting.of(HIDDEN, Range.listOf(Range.atLeast(1))),
              Setting.of(IMAGE, Range.listOf(Range.atLeast(1))),
              Setting.of(NEGATIVES, Range.wholeNumbers(0, 1_000)),
              Setting.of(SEED, Range.anyWholeNumber())));

  private ModelOptions() {}
}
