package dev.millrace.job.train.setup;

import dev.millrace.exchange.flink.coordinator.CoordinatorSettings;
import dev.millrace.exchange.flink.coordinator.InitialGlobalModel;
import dev.millrace.exchange.flink.coordinator.PublicationSettings;
import dev.millrace.exchange.flink.coordinator.ReportSettings;
import dev.millrace.exchange.flink.coordinator.RoundPace;
import dev.millrace.exchange.flink.coordinator.SavedModel;
import dev.millrace.exchange.flink.replica.Batching;
import dev.millrace.exchange.flink.replica.ExampleSettings;
import dev.millrace.exchange.flink.replica.HookSettings;
import dev.millrace.exchange.flink.replica.LearningRates;
import dev.millrace.exchange.flink.replica.ReplicaSettings;
import dev.millrace.exchange.hook.ReplicaHookFactory;
import dev.millrace.exchange.minibatch.BatchSize;
import dev.millrace.exchange.replica.ContributionGuard;
import dev.millrace.exchange.replica.LearningRateScaling;
import dev.millrace.exchange.replica.ReplicaRules;
import dev.millrace.exchange.round.RefusalLimit;
import dev.millrace.exchange.round.WholeRound;
import dev.millrace.exchange.steering.CoordinatorHookFactory;
import dev.millrace.exchange.steering.ExampleSignals;
import dev.millrace.job.common.DeviceSetup;
import dev.millrace.job.options.InvalidOptionsException;
import dev.millrace.job.options.LagOptions;
import dev.millrace.job.options.ModelOptions;
import dev.millrace.job.options.SizeText;
import dev.millrace.job.train.OptionsInForce;
import dev.millrace.job.train.TrainingSettings;
import dev.millrace.job.train.options.BatchOptions;
import dev.millrace.job.train.options.EvaluationOptions;
import dev.millrace.job.train.options.ExchangeOptions;
import dev.millrace.job.train.options.GuardOptions;
import dev.millrace.job.train.options.MetricsOptions;
import dev.millrace.job.train.part.PartContext;
import dev.millrace.job.train.publish.HoldOutSource;
import dev.millrace.job.train.publish.PublisherSettings;
import dev.millrace.model.BlockLayout;
import dev.millrace.model.Lineage;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.device.DeviceRequest;
import dev.millrace.model.negatives.NegativesReplica;
import dev.millrace.model.shape.IdRows;
import java.util.List;
import org.apache.flink.configuration.Configuration;

/** Makes the settings of the training graph of checked options. */
public final class TrainingSetup {

  /** Looks into the network cost more than other measures: only each tenth has one. */
  private static final int DETAILS_EVERY = 10;

  private final Configuration options;
  private final OptionsInForce inForce;
  private final StartingModel model;
  private final HoldOutSource holdOut;
  private final int readers;
  private final ModelSpec spec;
  private final BlockLayout layout;
  private final ExchangeSetup exchange;
  private final CodecSetup codecs;
  private final PartContext part;
  private final CoordinatorHookFactory steering;

  private TrainingSetup(
      Configuration options,
      OptionsInForce inForce,
      StartingModel model,
      HoldOutSource holdOut,
      int readers) {
    this.readers = readers;
    this.options = options;
    this.inForce = inForce;
    this.model = model;
    this.holdOut = holdOut;
    this.spec = model.initial().spec();
    this.layout = layout(options, spec);
    this.exchange = new ExchangeSetup(options);
    this.codecs = new CodecSetup(options);
    this.part = new PartContext(options, spec.shape(), model.standardizes());
    this.steering = OptionalParts.coordinatorHook(part);
  }

  /**
   * Makes them.
   *
   * @param inForce options; those that are given are kept with each model
   * @param holdOut null for none
   * @param readers how many replicas can have something to read at most
   * @throws InvalidOptionsException if they don't suit the model
   */
  public static TrainingSettings settings(
      Configuration options,
      OptionsInForce inForce,
      StartingModel model,
      HoldOutSource holdOut,
      int readers) {
    return new TrainingSetup(options, inForce, model, holdOut, readers).make();
  }

  private static BlockLayout layout(Configuration options, ModelSpec spec) {
    int blockFloats =
        Math.toIntExact(options.get(ExchangeOptions.BLOCK_SIZE).getBytes() / Float.BYTES);
    BlockLayout layout = spec.layout(blockFloats, options.get(ExchangeOptions.AVERAGE_UPDATER));
    int fragments = options.get(ExchangeOptions.FRAGMENTS);
    if (fragments > layout.count()) {
      throw new InvalidOptionsException(
          List.of(
              ("exchange.fragments is '%s', which is above the model's number of blocks, %s of"
                      + " exchange.block-size '%s': take fewer fragments, or smaller blocks")
                  .formatted(
                      fragments,
                      layout.count(),
                      SizeText.of(options.get(ExchangeOptions.BLOCK_SIZE)))));
    }
    return layout;
  }

  private TrainingSettings make() {
    return new TrainingSettings(
        model.initial(),
        replica(),
        coordinator(),
        new PublisherSettings(
            spec,
            layout,
            holdOut,
            HoldOutSetup.rowsOfSegments(options, spec.shape()),
            DeviceSetup.request(options, DeviceRequest.Use.GUEST),
            ReleaseSetup.settings(options, spec.shape())),
        exchange.aggregator(),
        exchange.serverOptimizer(),
        codecs.feedback(),
        exchange.averaging(),
        OptionalParts.loops(part),
        inForce);
  }

  private ReplicaSettings replica() {
    return new ReplicaSettings(
        spec,
        layout,
        DeviceSetup.training(options),
        new Batching(batchSize(), options.get(BatchOptions.MAX_WAIT), negatives(options, spec)),
        new ReplicaRules(
            exchange.schedule(),
            codecs.contributions(spec, layout),
            model.standardizes(),
            !exchange.aggregator().averages(),
            guard(options)),
        new LearningRates(
            scaling(options),
            options.getOptional(ExchangeOptions.LEARNING_RATE_WARM_UP).orElse(0L)),
        new ExampleSettings(LagOptions.settings(options), HoldOutSetup.segments(options)),
        new HookSettings(
            hooks(), signals(), options.get(MetricsOptions.INTERVAL).multipliedBy(DETAILS_EVERY)));
  }

  /**
   * Returns how many negatives positive examples have out of their minibatches.
   *
   * @throws InvalidOptionsException if examples are no pairs of two classes
   */
  static int negatives(Configuration options, ModelSpec spec) {
    int negatives = options.get(ModelOptions.NEGATIVES);
    if (negatives > 0) {
      NegativesReplica.problem(spec.shape())
          .ifPresent(
              problem -> {
                throw new InvalidOptionsException(
                    List.of(
                        "%s is '%s': %s"
                            .formatted(ModelOptions.NEGATIVES.key(), negatives, problem)));
              });
    }
    return negatives;
  }

  private ExampleSignals signals() {
    return OptionalParts.log(options) ? steering.signals().withLog() : steering.signals();
  }

  private List<ReplicaHookFactory> hooks() {
    List<ReplicaHookFactory> hooks = OptionalParts.replicaHooks(part);
    requireRows(spec, hooks);
    return hooks;
  }

  /**
   * Checks that rows of embedding tables learn, where examples have ids.
   *
   * @throws InvalidOptionsException if no hook has rows, or the engine doesn't tell their gradients
   */
  static void requireRows(ModelSpec spec, List<ReplicaHookFactory> hooks) {
    if (hooks.stream().noneMatch(ReplicaHookFactory::usesInputGradients)) {
      IdRows.problem(
              spec.shape(),
              "This build",
              "take one that has embedding tables, or a category with buckets in its place")
          .ifPresent(
              problem -> {
                throw new InvalidOptionsException(List.of(problem));
              });
    } else if (!ModelEngine.named(spec.engine()).givesInputGradients(spec)) {
      throw new InvalidOptionsException(
          List.of(
              ("Rows of embedding tables learn by the gradients of features, which the engine %s"
                      + " doesn't tell of this network; take a network whose first layer isn't an"
                      + " embedding, or another engine")
                  .formatted(spec.engine())));
    }
  }

  private CoordinatorSettings coordinator() {
    return new CoordinatorSettings(
        new InitialGlobalModel(
            new SavedModel(
                spec, layout, new Lineage(model.parentOrNull(), inForce.given(), model.grown())),
            model.learned(),
            model.clipOrNull(),
            model.initial().iteration()),
        new RoundPace(
            exchange.schedule(),
            options.get(ExchangeOptions.ROUND_TIMEOUT),
            exchange.stragglerWait(),
            scaling(options) == LearningRateScaling.NONE
                ? WholeRound.OF_THOSE_THAT_TRAIN
                : new WholeRound(readers)),
        batchSize(),
        exchange.stopRules(),
        new RefusalLimit(
            options.get(GuardOptions.MAX_REFUSALS),
            "%s is that number; 0 allows any".formatted(GuardOptions.MAX_REFUSALS.key())),
        new PublicationSettings(
            ReleaseSetup.plan(options, holdOut), ReleaseSetup.generations(options)),
        new ReportSettings(
            options.get(EvaluationOptions.WINDOW),
            options.get(MetricsOptions.INTERVAL),
            options.get(MetricsOptions.TIMELINE)),
        exchange.gathers(),
        steering);
  }

  private BatchSize batchSize() {
    return new BatchSize(
        options.get(BatchOptions.SIZE),
        options.getOptional(BatchOptions.LOCAL_SIZE).orElse(0),
        readers);
  }

  private static LearningRateScaling scaling(Configuration options) {
    return switch (options.get(ExchangeOptions.LEARNING_RATE_SCALING)) {
      case AUTO -> LearningRateScaling.AUTO;
      case NONE -> LearningRateScaling.NONE;
      case LINEAR -> LearningRateScaling.LINEAR;
      case SQUARE_ROOT -> LearningRateScaling.SQUARE_ROOT;
    };
  }

  private static ContributionGuard guard(Configuration options) {
    double mostChange = options.get(GuardOptions.MAX_CHANGE);
    return new ContributionGuard(mostChange == 0 ? Double.POSITIVE_INFINITY : mostChange);
  }
}
