package dev.millrace.job.score.setup;

import dev.millrace.exchange.flink.FaultInjector;
import dev.millrace.job.common.CheckpointSetup;
import dev.millrace.job.common.DeviceSetup;
import dev.millrace.job.common.InputSetup;
import dev.millrace.job.common.JobPart;
import dev.millrace.job.common.ResumedInput;
import dev.millrace.job.common.Resumption;
import dev.millrace.job.follow.ModelDirectory;
import dev.millrace.job.follow.ModelPlace;
import dev.millrace.job.follow.ModelTrust;
import dev.millrace.job.follow.ModelsOfTopic;
import dev.millrace.job.follow.RowPlace;
import dev.millrace.job.follow.TrustedModels;
import dev.millrace.job.follow.UpdatePlace;
import dev.millrace.job.options.CheckedOptions;
import dev.millrace.job.options.DeadLetterOptions;
import dev.millrace.job.options.InputOptions;
import dev.millrace.job.options.InvalidOptionsException;
import dev.millrace.job.options.KafkaOptions;
import dev.millrace.job.options.LagOptions;
import dev.millrace.job.options.ModelOptions;
import dev.millrace.job.options.OutputOptions;
import dev.millrace.job.options.Problems;
import dev.millrace.job.options.SnapshotOptions;
import dev.millrace.job.score.ScoringOperators;
import dev.millrace.job.score.ScoringSettings;
import dev.millrace.job.score.ScoringTopology;
import dev.millrace.job.score.ServingSettings;
import dev.millrace.job.score.options.ScoringOptions;
import dev.millrace.kafka.record.ExampleDeserializer;
import dev.millrace.kafka.record.ReceivedTypeInfo;
import dev.millrace.kafka.sink.KeyedRecord;
import dev.millrace.kafka.sink.KeyedTopic;
import dev.millrace.kafka.source.ExampleSource;
import dev.millrace.kafka.topic.SourceSettings;
import dev.millrace.kafka.topic.TopicCheck;
import dev.millrace.kafka.topic.Topics;
import dev.millrace.model.device.DeviceRequest;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import dev.millrace.snapshot.TrustedKeys;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Scoring, as options that have been checked say it: a job of its own, or part of another. */
public final class ScoringSetup {

  private static final Logger LOG = LoggerFactory.getLogger(ScoringSetup.class);

  /** How often a scorer looks for a newer model. */
  public static final Duration POLL_INTERVAL = Duration.ofMillis(200);

  private static final JobPart DEAD_LETTERS =
      new JobPart(
          "dead letters of scoring",
          DeadLetterOptions.TOPIC.key(),
          options -> options.contains(DeadLetterOptions.TOPIC),
          List.of(ScoringOperators.DEAD_LETTERS));

  private final Configuration options;
  private final List<String> warnings;
  private final ExampleShape shape;
  private final InputSetup input;
  private final ModelPlace models;

  /** Sets up scoring of options that are known to be right; topics aren't looked at. */
  public ScoringSetup(CheckedOptions checked) {
    this.options = checked.values();
    this.warnings =
        new ArrayList<>(
            Stream.concat(
                    checked.warnings().stream(),
                    LagOptions.scoringWarnings(checked.values()).stream())
                .toList());
    this.shape = InputOptions.shape(options);
    this.input = new InputSetup(options, shape);
    this.models = models(options);
  }

  /**
   * The place that models are followed in.
   *
   * @param options checked; of a topic they say how Kafka is reached
   * @throws InvalidOptionsException if trusted keys can't be read
   */
  public static ModelPlace models(Configuration options) {
    return trusted(options, place(options));
  }

  /**
   * Says which models are read.
   *
   * @param options checked
   * @throws InvalidOptionsException if trusted keys can't be read
   */
  public static ModelTrust trust(Configuration options) {
    String engine =
        options
            .getOptional(ScoringOptions.ENGINE)
            .orElseGet(() -> options.get(ModelOptions.ENGINE));
    List<Path> keys =
        options.getOptional(ScoringOptions.TRUSTED_KEYS).orElse(List.of()).stream()
            .map(Path::of)
            .toList();
    try {
      return new ModelTrust(engine, ScoringOptions.ENGINE.key(), TrustedKeys.read(keys));
    } catch (IOException e) {
      throw new InvalidOptionsException(
          List.of(
              "%s can't be read: %s".formatted(ScoringOptions.TRUSTED_KEYS.key(), e.getMessage())));
    }
  }

  private static ModelPlace trusted(Configuration options, ModelPlace models) {
    ModelTrust trust = trust(options);
    // What isn't committed may be taken back, and updates are made of the newest.
    boolean committed = options.get(ScoringOptions.SERVE) == ScoringOptions.Serve.COMMITTED;
    return new TrustedModels(
        models,
        trust,
        RowPlace.of(options).orElse(null),
        committed ? null : UpdatePlace.of(options, trust.keys()).orElse(null));
  }

  private static ModelPlace place(Configuration options) {
    return options
        .getOptional(ScoringOptions.MODELS_TOPIC)
        .<ModelPlace>map(topic -> new ModelsOfTopic(KafkaOptions.cluster(options), topic))
        .orElseGet(
            () ->
                ModelDirectory.of(
                    options
                        .getOptional(ScoringOptions.MODELS)
                        .orElseGet(() -> options.get(SnapshotOptions.DIRECTORY)),
                    options.get(ScoringOptions.SERVE) == ScoringOptions.Serve.COMMITTED));
  }

  /**
   * Returns how a program's stream is scored.
   *
   * @param options each right by itself
   */
  public static ServingSettings ofStream(Configuration options, ModelPlace models) {
    return serving(options, trusted(options, models), DeviceRequest.Use.SHARED);
  }

  private static ServingSettings serving(
      Configuration options, ModelPlace models, DeviceRequest.Use use) {
    return new ServingSettings(
        models,
        POLL_INTERVAL,
        options.get(ScoringOptions.BATCH_SIZE),
        options.get(ScoringOptions.MAX_WAIT),
        DeviceSetup.request(options, use));
  }

  /** Options that have no effect in a job that only scores, each with the reason. */
  public List<String> warnings() {
    return warnings;
  }

  /** Has the environment run a job that only scores. */
  public void build(StreamExecutionEnvironment environment) {
    build(environment, FaultInjector.NONE);
  }

  /** Has the environment run a job that only scores, with faults, for tests. */
  public void build(StreamExecutionEnvironment environment, FaultInjector faults) {
    CheckpointSetup.apply(options, environment);
    warnings.addAll(resume(environment.getConfiguration(), Problems.THROWN, LOG::info));
    addTo(environment, DeviceRequest.Use.SHARED, faults);
  }

  /**
   * Adds scoring to a job.
   *
   * @param device how scorers share devices with what else the job has
   */
  public void addTo(
      StreamExecutionEnvironment environment, DeviceRequest.Use device, FaultInjector faults) {
    new ScoringTopology(settings(device), faults)
        .build(
            environment,
            ExampleSource.of(scored(), deserializer()),
            new ReceivedTypeInfo(),
            predictions(),
            input.deadLetters("scoring-dead-letters"));
  }

  /**
   * Checks the examples, and asks the cluster whether all topics can be used.
   *
   * @throws dev.millrace.model.io.InvalidModelException if examples have ids, and no topic has rows
   * @throws dev.millrace.kafka.KafkaAccessException if not, saying what to do
   */
  public void check() {
    if (models.rows().isEmpty()) {
      RowPlace.requireNoNeed(shape, "A prediction");
    }
    TopicCheck.source(scored(), deserializer(), InputSetup.CHECK_LIMIT);
    List<String> deadLetters = options.getOptional(DeadLetterOptions.TOPIC).stream().toList();
    List<String> outputs = new ArrayList<>(deadLetters);
    outputs.add(options.get(ScoringOptions.OUTPUT_TOPIC));
    TopicCheck.outputs(input.cluster(), outputs, InputSetup.CHECK_LIMIT);
    if (!deadLetters.isEmpty()) {
      TopicCheck.keyless(input.cluster(), deadLetters, InputSetup.CHECK_LIMIT);
    }
  }

  /**
   * Counts the partitions that are scored.
   *
   * @throws dev.millrace.kafka.KafkaAccessException if that can't be found out
   */
  public int partitions() {
    return TopicCheck.partitionCount(scored(), InputSetup.CHECK_LIMIT);
  }

  /**
   * Returns the source of what is scored, in a consumer group of its own: it may be a topic that is
   * learned from, too.
   */
  private SourceSettings scored() {
    return input
        .source(Topics.named(options.get(ScoringOptions.TOPICS)))
        .inGroup(KafkaOptions.group(options, "-scoring"))
        .startingAt(InputSetup.start(options.get(ScoringOptions.START)))
        .bounded(options.get(InputOptions.BOUNDED));
  }

  /**
   * Looks at the savepoint that the job is to go on from, where there is one.
   *
   * @param flink says whether there is
   * @param unread told why it can't be looked at
   * @return what a person should know
   */
  public List<String> resume(ReadableConfig flink, Problems problems, Consumer<String> unread) {
    return Resumption.check(
        flink,
        problems,
        unread,
        resumption -> JobPart.requireAll(List.of(DEAD_LETTERS), resumption, options),
        resumption ->
            new ResumedInput(
                    ScoringOperators.SOURCE.uid(), InputOptions.BOUNDED, ScoringOptions.START)
                .check(resumption, options, scored()));
  }

  private ScoringSettings settings(DeviceRequest.Use use) {
    return new ScoringSettings(
        shape,
        shape.target() == Target.CLASSIFICATION ? InputOptions.classes(options) : List.of(),
        serving(options, models, use));
  }

  private ExampleDeserializer deserializer() {
    return new ExampleDeserializer(
        shape,
        InputOptions.unlabelledFormat(options, shape),
        options.get(InputOptions.MAX_RECORD_SIZE));
  }

  private Sink<KeyedRecord> predictions() {
    KeyedTopic topic = new KeyedTopic(input.cluster(), options.get(ScoringOptions.OUTPUT_TOPIC));
    return switch (options.get(OutputOptions.GUARANTEE)) {
      case NONE -> topic.unguaranteed();
      case AT_LEAST_ONCE -> topic.atLeastOnce();
      case EXACTLY_ONCE -> topic.exactlyOnce(KafkaOptions.transactions(options, "-predictions"));
    };
  }
}
