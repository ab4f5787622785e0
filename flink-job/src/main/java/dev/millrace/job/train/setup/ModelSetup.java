package dev.millrace.job.train.setup;

import dev.millrace.exchange.flink.coordinator.ClassOrder;
import dev.millrace.job.models.LocatedModel;
import dev.millrace.job.options.InputOptions;
import dev.millrace.job.options.LearningOptions;
import dev.millrace.job.options.ModelOptions;
import dev.millrace.job.train.grow.Growing;
import dev.millrace.job.train.options.BatchOptions;
import dev.millrace.model.InitialModel;
import dev.millrace.model.Lineage;
import dev.millrace.model.ModelDefinition;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.model.features.LearnedFeatures;
import dev.millrace.model.features.Vocabularies;
import dev.millrace.model.freeze.FrozenLayers;
import dev.millrace.model.grow.GrownModel;
import dev.millrace.model.grow.Places;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.io.OtherOutputsException;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.IndexRange;
import dev.millrace.model.shape.KeptFields;
import dev.millrace.model.shape.NumberColumns;
import dev.millrace.snapshot.SnapshotDescription;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.flink.configuration.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the model that checked options describe, and decides what goes with it. */
public final class ModelSetup {

  private static final Logger LOG = LoggerFactory.getLogger(ModelSetup.class);

  /** The clip in deviations, where neither the options nor an archive say it. */
  private static final double USUAL_CLIP = 10;

  private final Configuration options;
  private final ExampleShape shape;

  private ModelSetup(Configuration options, ExampleShape shape) {
    this.options = options;
    this.shape = shape;
  }

  /**
   * Makes it.
   *
   * @param shape of the job's examples
   * @throws InvalidModelException if the model can't be made, or doesn't suit the options
   */
  public static StartingModel of(Configuration options, ExampleShape shape) {
    return new ModelSetup(options, shape).make();
  }

  private StartingModel make() {
    ModelEngine engine = ModelEngine.named(options.get(ModelOptions.ENGINE));
    Optional<LocatedModel> archive =
        options
            .getOptional(ModelOptions.ARCHIVE)
            .map(location -> LocatedModel.find(ModelOptions.ARCHIVE.key(), location));
    Optional<Growing> growing = archive.flatMap(found -> growing(found, engine));
    ExampleShape known = growing.map(Growing::places).map(Places::oldShape).orElse(shape);
    InitialModel defined =
        define(
            archive.<ModelDefinition>map(found -> archived(found, known)).orElseGet(this::newModel),
            engine);
    ModelEngine own = ModelEngine.named(defined.spec().engine());
    InitialModel initial =
        frozen(
            own,
            growing
                .map(by -> GrownModel.of(own, defined, by.places(), options.get(ModelOptions.SEED)))
                .orElse(defined));
    if (growing.isEmpty()) {
      archive.ifPresent(this::requireFields);
      archive.ifPresent(this::requireClasses);
    }
    requireRate(own, initial);
    boolean takesIds = own.takesIds(initial.spec());
    boolean standardizes = standardizes(takesIds, initial);
    Double clip = clipOrNull(standardizes);
    return new StartingModel(
        initial,
        standardizes,
        learned(initial, standardizes, clip),
        clip,
        archive.map(LocatedModel::parent).orElse(null),
        grown(archive, growing, initial.spec()),
        warnings(archive, growing, own.normalizesBatches(initial.spec())));
  }

  /** An engine knows no options: an archive of other outputs may be one to transfer from. */
  private InitialModel define(ModelDefinition definition, ModelEngine engine) {
    try {
      return OptionalParts.define(definition, engine, options);
    } catch (OtherOutputsException e) {
      if (!(definition instanceof ModelDefinition.Archive)) {
        throw e;
      }
      throw new InvalidModelException(
          "%s. Or set %s: true, for a new last layer, or %s: true, for more outputs"
              .formatted(
                  e.getMessage(), ModelOptions.REPLACE_OUTPUT.key(), ModelOptions.GROW.key()),
          e);
    }
  }

  private InitialModel frozen(ModelEngine engine, InitialModel initial) {
    ModelSpec spec =
        FrozenLayers.in(
            engine, initial.spec(), options.getOptional(ModelOptions.FREEZE).orElse(List.of()));
    int frozen = spec.frozen().parameters().stream().mapToInt(IndexRange::length).sum();
    if (frozen > 0) {
      LOG.info(
          "{} of the model's {} parameters stay as they are, those of {}",
          frozen,
          spec.parameters(),
          spec.frozen().layers());
    }
    return new InitialModel(
        spec,
        initial.vector(),
        initial.iteration(),
        initial.learnedOrNull(),
        initial.serverOptimizer());
  }

  private static List<Lineage.Grown> grown(
      Optional<LocatedModel> archive, Optional<Growing> growing, ModelSpec spec) {
    Optional<SnapshotDescription> description = archive.flatMap(LocatedModel::description);
    List<Lineage.Grown> before = description.map(SnapshotDescription::grown).orElse(List.of());
    return growing
        .map(by -> by.grown(description.map(SnapshotDescription::version).orElse(null), spec))
        .map(once -> new Lineage(null, Map.of(), before).grown(once).grown())
        .orElse(before);
  }

  /** Finds by what the archive's model has to grow, where the job's examples have more. */
  private Optional<Growing> growing(LocatedModel found, ModelEngine engine) {
    return known(found, engine)
        .flatMap(
            known ->
                Growing.of(
                    new Growing.Examples(known, trainedClasses(found)),
                    new Growing.Examples(shape, InputOptions.classes(options)),
                    options.get(ModelOptions.REPLACE_OUTPUT)))
        .map(
            by ->
                by.require(
                    "The model in the archive " + found.location(),
                    options.get(ModelOptions.GROW)));
  }

  /** Returns the shape that an archive says; one of others is asked for it to grow alone. */
  private Optional<ExampleShape> known(LocatedModel found, ModelEngine engine) {
    Optional<ExampleShape> described = found.description().map(SnapshotDescription::shape);
    if (described.isPresent()) {
      return described;
    }
    if (options.get(ModelOptions.GROW)) {
      return Optional.of(engine.shapeOf(found.archive()));
    }
    return options.get(ModelOptions.REPLACE_OUTPUT)
        ? Optional.of(shape.withOutputs(engine.outputsOf(found.archive())))
        : Optional.empty();
  }

  /** The job would read records and learn nothing. */
  private static void requireRate(ModelEngine engine, InitialModel initial) {
    if (!engine.learnsAfter(initial.spec(), initial.iteration())) {
      throw new InvalidModelException(
          ("The model has made %s steps, and its learning rate is zero from here on, by the"
                  + " schedule cosine. Set %s above that and the steps to come, or %s to constant")
              .formatted(
                  initial.iteration(),
                  LearningOptions.DECAY_STEPS.key(),
                  LearningOptions.DECAY.key()));
    }
  }

  private List<String> warnings(
      Optional<LocatedModel> archive, Optional<Growing> growing, boolean normalizesBatches) {
    return Stream.of(
            archive.filter(ModelSetup::isAverage).map(ModelSetup::warning).stream(),
            growing.map(by -> "The archive's model " + by.inWords()).stream(),
            options.get(BatchOptions.SIZE) == 1 && normalizesBatches
                ? Stream.of(
                    ("%s is 1, and the network has running statistics: one example has no variance,"
                            + " so layers before a batch normalization may learn nothing. Set it to 2"
                            + " or more")
                        .formatted(BatchOptions.SIZE.key()))
                : Stream.<String>empty(),
            negativesOfNothing())
        .flatMap(all -> all)
        .toList();
  }

  /** Replayed examples are in a minibatch, too. */
  private Stream<String> negativesOfNothing() {
    int examples =
        options.getOptional(BatchOptions.LOCAL_SIZE).orElse(options.get(BatchOptions.SIZE));
    return examples == 1 && options.get(ModelOptions.NEGATIVES) > 0
        ? Stream.of(
            ("%s is '%s', and a minibatch has one example: it has negatives out of replayed ones"
                    + " alone. Set %s to 2 or more")
                .formatted(
                    ModelOptions.NEGATIVES.key(),
                    options.get(ModelOptions.NEGATIVES),
                    BatchOptions.SIZE.key()))
        : Stream.empty();
  }

  private static boolean isAverage(LocatedModel archive) {
    return archive.description().filter(SnapshotDescription::movingAverage).isPresent();
  }

  private static String warning(LocatedModel archive) {
    return ("%s is '%s', which holds a moving average of parameters, for serving. The job starts"
            + " from it with new updater state. To train on from the newest parameters, start"
            + " from a savepoint or its export")
        .formatted(ModelOptions.ARCHIVE.key(), archive.location());
  }

  /** Returns what came with an archive, as far as this job goes on with it. */
  private LearnedFeatures learned(InitialModel initial, boolean standardizes, Double clipOrNull) {
    LearnedFeatures none = LearnedFeatures.none(shape, standardizes);
    if (standardizes) {
      none.statistics().setClip(USUAL_CLIP);
    }
    LearnedFeatures learned =
        new LearnedFeatures(
            standardizes
                ? initial.statistics().map(FeatureStatistics::copy).orElse(none.statistics())
                : none.statistics(),
            initial
                .learned()
                .map(LearnedFeatures::vocabularies)
                .filter(vocabularies -> vocabularies.columns() == none.vocabularies().columns())
                .map(Vocabularies::copy)
                .orElse(none.vocabularies()));
    if (standardizes && clipOrNull != null) {
      learned.statistics().setClip(clipOrNull);
    }
    return learned;
  }

  /** A model may have learned nothing of its features, and still means others by them. */
  private void requireFields(LocatedModel archive) {
    archive
        .description()
        .map(SnapshotDescription::shape)
        .ifPresent(
            trained ->
                KeptFields.require(
                    trained.columns().description(),
                    shape.columns().description(),
                    "The model in the archive " + archive.location()));
  }

  private Double clipOrNull(boolean standardizes) {
    Double clip = options.getOptional(InputOptions.CLIP).orElse(null);
    if (clip != null && clip != 0 && !standardizes) {
      throw new InvalidModelException(
          "%s is %s, and features aren't standardized here, so they aren't clipped. Leave it out, or"
                  .formatted(InputOptions.CLIP.key(), clip)
              + " standardize them (%s), which embedding layers don't allow"
                  .formatted(InputOptions.STANDARDIZE.key()));
    }
    return clip != null && clip == 0 ? Double.valueOf(Double.POSITIVE_INFINITY) : clip;
  }

  private ModelDefinition archived(LocatedModel found, ExampleShape known) {
    return new ModelDefinition.Archive(found.archive(), known, LearningSetup.ofArchive(options));
  }

  private ModelDefinition newModel() {
    return options
        .getOptional(ModelOptions.CONFIGURATION)
        .<ModelDefinition>map(file -> new ModelDefinition.Configuration(Path.of(file), shape))
        .orElseGet(this::builtIn);
  }

  private ModelDefinition builtIn() {
    String name = options.get(ModelOptions.NAME);
    return new ModelDefinition.BuiltIn(
        name,
        shape,
        ModelOptions.WITH_HIDDEN.contains(name) ? options.get(ModelOptions.HIDDEN) : List.of(),
        options.getOptional(ModelOptions.IMAGE).orElse(List.of()),
        LearningSetup.ofBuiltIn(options),
        options.get(ModelOptions.SEED));
  }

  /** Training would work all the same, and learn every class under the number of another one. */
  private void requireClasses(LocatedModel archive) {
    List<String> trained = trainedClasses(archive);
    List<String> own = InputOptions.classes(options);
    if (!ClassOrder.agree(trained, own)) {
      throw new InvalidModelException(
          "The classes of the archive %s are %s, and %s is %s; give them in the archive's order"
              .formatted(archive.location(), trained, ClassOrder.KEY, own));
    }
  }

  private static List<String> trainedClasses(LocatedModel archive) {
    return archive
        .description()
        .map(SnapshotDescription::configuration)
        .map(ClassOrder::in)
        .orElse(List.of());
  }

  private boolean standardizes(boolean takesIds, InitialModel initial) {
    InputOptions.Standardize choice = options.get(InputOptions.STANDARDIZE);
    if (!shape.columns().isPlain()) {
      return choice != InputOptions.Standardize.OFF && NumberColumns.count(shape) > 0;
    }
    if (takesIds && choice == InputOptions.Standardize.ON) {
      throw new InvalidModelException(
          "input.standardize is on, and the network has an embedding layer, which takes features as"
              + " numbers of things: standardized, they would be the numbers of others. Set it to"
              + " off");
    }
    return switch (choice) {
      case ON -> true;
      case OFF -> false;
      case AUTO -> !takesIds && isTable(initial);
    };
  }

  /** An archive stays as it was trained; all else is a table unless it holds images. */
  private boolean isTable(InitialModel initial) {
    if (options.contains(ModelOptions.ARCHIVE)) {
      return initial.statistics().isPresent();
    }
    boolean images =
        options.contains(ModelOptions.IMAGE)
            || options.getOptional(ModelOptions.NAME).filter("lenet"::equals).isPresent();
    return !images && !options.get(InputOptions.FORMAT).equals("uint8");
  }
}
