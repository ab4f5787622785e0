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
          .withDescription(
              "The library that trains: dl4j, or torch for PyTorch's TorchScript models.");

  public static final ConfigOption<Device> DEVICE =
      ConfigOptions.key("model.device")
          .enumType(Device.class)
          .defaultValue(Device.AUTO)
          .withDescription(
              "auto: GPUs where the engine can use them, else the CPU. cpu, cuda: these alone."
                  + " Replicas share GPUs. exclusive: a GPU for each replica, or the job fails. See"
                  + " gpus.md.");

  public static final ConfigOption<Boolean> DETERMINISTIC =
      ConfigOptions.key("model.deterministic")
          .booleanType()
          .defaultValue(false)
          .withDescription(
              "Whether replicas on GPUs compute the same bits from the same minibatches, with slower"
                  + " kernels where need be. On the CPU they always do.");

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
              "An archive to start from: DL4J's zip, a TorchScript file, a published or exported"
                  + " model, or a directory of published models, of which the latest is taken. Weights,"
                  + " updater state and normalizer are kept.");

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
              Setting.of(DEVICE, Range.oneOf(Device.class)),
              Setting.of(DETERMINISTIC, Range.trueOrFalse()),
              Setting.common(NAME, Range.oneOf("lenet", "mlp", "linear")),
              Setting.of(CONFIGURATION, Range.text("a file's path")),
              Setting.common(ARCHIVE, Range.text("a path or URI")),
              Setting.of(HIDDEN, Range.listOf(Range.atLeast(1))),
              Setting.of(IMAGE, Range.listOf(Range.atLeast(1))),
              Setting.of(SEED, Range.anyWholeNumber())));

  private ModelOptions() {}
}
