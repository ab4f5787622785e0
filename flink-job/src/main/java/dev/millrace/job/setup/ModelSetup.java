package dev.millrace.job.setup;

import dev.millrace.exchange.flink.coordinator.ClassOrder;
import dev.millrace.job.options.CsvOptions;
import dev.millrace.job.options.InputOptions;
import dev.millrace.job.options.ModelOptions;
import dev.millrace.job.publish.ArchiveLocation;
import dev.millrace.model.ExampleShape;
import dev.millrace.model.FeatureStatistics;
import dev.millrace.model.InitialModel;
import dev.millrace.model.InvalidModelException;
import dev.millrace.model.Lineage;
import dev.millrace.model.ModelDefinition;
import dev.millrace.model.ModelEngine;
import dev.millrace.snapshot.ArchiveLabel;
import dev.millrace.snapshot.SnapshotDescription;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.configuration.Configuration;

/** Makes the model that the options describe, and decides what goes with it. */
final class ModelSetup {

  private final Configuration options;
  private final ExampleShape shape;

  /** Null where the model doesn't come from one. */
  private final Path archive;

  private final InitialModel initial;
  private final boolean standardizes;

  /**
   * @throws dev.millrace.model.InvalidModelException if the model can't be made
   */
  ModelSetup(Configuration options) {
    this.options = options;
    this.shape = shape(options);
    this.archive = options.getOptional(ModelOptions.ARCHIVE).map(ModelSetup::fetch).orElse(null);
    ModelEngine engine = ModelEngine.named(options.get(ModelOptions.ENGINE));
    this.initial = engine.define(definition());
    this.standardizes = standardizes(engine.takesIds(initial.spec()));
    if (archive != null) {
      requireClasses();
    }
  }

  /** Training would go on all the same, and learn all classes anew under each other's numbers. */
  private void requireClasses() {
    List<String> trained =
        label().map(label -> ClassOrder.in(label.configuration())).orElse(List.of());
    List<String> own = options.getOptional(CsvOptions.CLASSES).orElse(List.of());
    if (!ClassOrder.agree(trained, own)) {
      throw new InvalidModelException(
          "The classes of the archive %s are %s, and %s is %s; give them in the archive's order"
              .formatted(options.get(ModelOptions.ARCHIVE), trained, ClassOrder.KEY, own));
    }
  }

  private static Path fetch(String archive) {
    try {
      return new ArchiveLocation(archive).fetch();
    } catch (IOException e) {
      throw new InvalidModelException(e.getMessage(), e);
    }
  }

  /** The shape of the job's examples. */
  static ExampleShape shape(Configuration options) {
    return new ExampleShape(
        options.get(InputOptions.FEATURES),
        options.get(InputOptions.OUTPUTS),
        options.get(InputOptions.TARGET));
  }

  private ModelDefinition definition() {
    Optional<String> configuration = options.getOptional(ModelOptions.CONFIGURATION);
    if (archive != null) {
      return new ModelDefinition.Archive(archive, shape);
    }
    if (configuration.isPresent()) {
      return new ModelDefinition.Configuration(Path.of(configuration.get()), shape);
    }
    return new ModelDefinition.BuiltIn(
        options.get(ModelOptions.NAME),
        shape,
        hidden(),
        options.getOptional(ModelOptions.IMAGE).orElse(List.of()),
        options.get(ModelOptions.UPDATER),
        options.get(ModelOptions.LEARNING_RATE),
        options.get(ModelOptions.MOMENTUM),
        options.get(ModelOptions.L2),
        options.get(ModelOptions.SEED));
  }

  /**
   * The default is the mlp's; given to another network, the engine says that it has no use for it.
   */
  private List<Integer> hidden() {
    boolean mlp = options.get(ModelOptions.NAME).equals("mlp");
    return mlp || options.contains(ModelOptions.HIDDEN)
        ? options.get(ModelOptions.HIDDEN)
        : List.of();
  }

  ExampleShape shape() {
    return shape;
  }

  InitialModel initial() {
    return initial;
  }

  boolean standardizes() {
    return standardizes;
  }

  private boolean standardizes(boolean takesIds) {
    InputOptions.Standardize choice = options.get(InputOptions.STANDARDIZE);
    if (takesIds && choice == InputOptions.Standardize.ON) {
      throw new InvalidModelException(
          "input.standardize is on, and the network has an embedding layer, which takes features as"
              + " numbers of things: standardized, they would be the numbers of others. Set it to"
              + " off");
    }
    return switch (choice) {
      case ON -> true;
      case OFF -> false;
      case AUTO -> !takesIds && isTable();
    };
  }

  /** An archive goes on as it was trained; all else is a table unless it holds images. */
  private boolean isTable() {
    if (options.contains(ModelOptions.ARCHIVE)) {
      return initial.statistics().isPresent();
    }
    boolean images =
        options.contains(ModelOptions.IMAGE)
            || options.getOptional(ModelOptions.NAME).filter("lenet"::equals).isPresent();
    return !images && options.get(InputOptions.FORMAT) != InputOptions.Format.UINT8;
  }

  /** Where the model comes from. */
  Lineage lineage(Map<String, String> configuration) {
    return new Lineage(archive == null ? null : parent(), configuration);
  }

  private Optional<SnapshotDescription> label() {
    try {
      return ArchiveLabel.read(archive);
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  private Lineage.Parent parent() {
    try {
      return ArchiveLabel.parent(options.get(ModelOptions.ARCHIVE), archive);
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  private InvalidModelException unreadable(IOException e) {
    return new InvalidModelException(
        "The archive %s can't be read: %s".formatted(archive, e.getMessage()), e);
  }

  /** Feature statistics to start from; of no features where standardization is off. */
  FeatureStatistics statistics() {
    return standardizes()
        ? initial.statistics().orElseGet(() -> new FeatureStatistics(shape.features()))
        : new FeatureStatistics(0);
  }
}
