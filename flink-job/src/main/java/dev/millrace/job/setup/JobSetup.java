package dev.millrace.job.setup;

import dev.millrace.example.Received;
import dev.millrace.example.RejectedRecord;
import dev.millrace.exchange.flink.FaultInjector;
import dev.millrace.job.common.CheckpointSetup;
import dev.millrace.job.common.DiskState;
import dev.millrace.job.common.InputSetup;
import dev.millrace.job.common.JobPart;
import dev.millrace.job.common.ResumedInput;
import dev.millrace.job.common.Resumption;
import dev.millrace.job.options.CheckedOptions;
import dev.millrace.job.options.InputOptions;
import dev.millrace.job.options.LagOptions;
import dev.millrace.job.options.Problems;
import dev.millrace.job.options.Setting;
import dev.millrace.job.score.options.ScoringOptions;
import dev.millrace.job.score.setup.ScoringSetup;
import dev.millrace.job.train.ModelTransport;
import dev.millrace.job.train.OptionsInForce;
import dev.millrace.job.train.TrainingEnvironment;
import dev.millrace.job.train.TrainingOperators;
import dev.millrace.job.train.TrainingSettings;
import dev.millrace.job.train.TrainingTopology;
import dev.millrace.job.train.grow.ResumedGrowth;
import dev.millrace.job.train.history.HistorySetup;
import dev.millrace.job.train.options.JobPreset;
import dev.millrace.job.train.options.MetricsOptions;
import dev.millrace.job.train.options.PresetOptions;
import dev.millrace.job.train.publish.HoldOutSource;
import dev.millrace.job.train.setup.HoldOutSetup;
import dev.millrace.job.train.setup.ModelSetup;
import dev.millrace.job.train.setup.OptionalParts;
import dev.millrace.job.train.setup.SavepointCheck;
import dev.millrace.job.train.setup.StartingModel;
import dev.millrace.job.train.setup.TrainingSetup;
import dev.millrace.job.train.setup.TrainingTopics;
import dev.millrace.kafka.record.ReceivedTypeInfo;
import dev.millrace.kafka.sink.LineTopic;
import dev.millrace.kafka.source.ExampleSource;
import dev.millrace.model.InitialModel;
import dev.millrace.model.device.DeviceRequest;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.sink.LineFile;
import dev.millrace.source.ParkingOperator;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.DataStreamSink;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A job whose options, topics and model have been found to fit together. */
public final class JobSetup {

  private static final Logger LOG = LoggerFactory.getLogger(JobSetup.class);

  private final Configuration options;
  private final List<String> warnings;
  private final InputSetup input;

  /** How many replicas can have something of the topics to read. */
  private final int partitions;

  /** How many files of history there are, each of which one replica reads. */
  private final int files;

  /** Null where it can't be made, until the problem is thrown. */
  private final TrainingSettings settings;

  /** What is learned from before topics are. */
  private final Optional<HistorySetup> history;

  /** Null where the job only trains. */
  private final ScoringSetup scoring;

  /** Checks the model, then the hold-out set, then the topics. */
  JobSetup(JobKind kind, CheckedOptions checked, Problems problems) {
    this.options = checked.values();
    this.warnings = new ArrayList<>(checked.warnings());
    this.input = new InputSetup(options, InputOptions.shape(options));
    warnings.addAll(LagOptions.warnings(options));
    StartingModel model = problems.attempt(() -> ModelSetup.of(options, input.shape()));
    if (model != null) {
      warnings.addAll(model.warnings());
    }
    this.history =
        kind.isWhole() ? problems.attempt(() -> HistorySetup.of(options, input)) : Optional.empty();
    HoldOutSource holdOut = problems.attempt(() -> HoldOutSetup.of(options, input));
    TrainingTopics topics = new TrainingTopics(options, input);
    this.partitions = kind.isWhole() ? topics.partitions() : Integer.MAX_VALUE;
    this.files = history == null ? 0 : history.map(HistorySetup::files).orElse(0);
    int readers = Math.max(partitions, files);
    this.settings =
        model == null
            ? null
            : problems.attempt(
                () -> TrainingSetup.settings(options, inForce(options), model, holdOut, readers));
    this.scoring = ScoringOptions.areGiven(options) ? new ScoringSetup(checked) : null;
    problems.attempt(kind.isWhole() ? topics::check : topics::checkOthers);
    if (scoring != null) {
      problems.attempt(scoring::check);
    }
  }

  /**
   * Checks the options, then the model, then the topics; the first of them that fails throws.
   *
   * @param kind one of those that train
   * @param cluster Flink's configuration
   */
  public static JobSetup of(JobKind kind, Configuration given, ReadableConfig cluster) {
    JobSetup setup = new JobSetup(kind, JobOptions.check(kind, given, cluster), Problems.THROWN);
    new TrainingTopics(setup.options, setup.input).make();
    return setup;
  }

  /** The model of checked options alone; topics and hold-out set aren't looked at. */
  public static InitialModel model(Configuration given) {
    Configuration options = JobOptions.check(JobKind.TRAINING, given, new Configuration()).values();
    return ModelSetup.of(options, InputOptions.shape(options)).initial();
  }

  /**
   * The settings of checked options alone; topics and hold-out set aren't looked at.
   *
   * @param readers how many replicas can have something to read at most
   */
  public static TrainingSettings settings(Configuration options, int readers) {
    StartingModel model = ModelSetup.of(options, InputOptions.shape(options));
    return TrainingSetup.settings(options, inForce(options), model, null, readers);
  }

  /** Returns what doesn't keep the job from being started, such as options without effect in it. */
  public List<String> warnings() {
    return warnings;
  }

  /** The model that the job starts from. */
  public InitialModel initialModel() {
    return settings.initial();
  }

  /** Returns the shape of examples. */
  public ExampleShape shape() {
    return input.shape();
  }

  /**
   * Adds training to a program's job, whose environment stays as it is.
   *
   * @param prefix of the operators' names; empty for none
   */
  public TrainingTopology.Outputs addTo(
      StreamExecutionEnvironment environment,
      Source<Received, ?, ?> source,
      String prefix,
      FaultInjector faults) {
    requireRoomAndSavepoint(environment, prefix);
    TrainingTopology.Outputs outputs =
        new TrainingTopology(settings, prefix, ModelTransport.CACHE, faults)
            .build(environment, source, new ReceivedTypeInfo());
    keep(outputs, prefix);
    return outputs;
  }

  /**
   * Adds training behind a stream of a program's job.
   *
   * @param parking makes examples of its records
   * @param <T> the records
   */
  public <T> TrainingTopology.Outputs addTo(
      DataStream<T> records, ParkingOperator<T> parking, String prefix, FaultInjector faults) {
    TrainingTopology.Outputs outputs =
        behind(records, parking, prefix, ModelTransport.CACHE, faults);
    keep(outputs, prefix);
    return outputs;
  }

  /**
   * Adds training to a table of SQL, in whose job only those operators run that the returned sink
   * needs.
   *
   * @param readable makes the value of a dead letter of the bytes of a record
   */
  public <T> DataStreamSink<?> addTo(
      DataStream<T> rows,
      ParkingOperator<T> parking,
      String prefix,
      MapFunction<byte[], byte[]> readable) {
    return new CombinedSink(options, input, prefix)
        .of(behind(rows, parking, prefix, ModelTransport.GRAPH, FaultInjector.NONE), readable);
  }

  private <T> TrainingTopology.Outputs behind(
      DataStream<T> records,
      ParkingOperator<T> parking,
      String prefix,
      ModelTransport transport,
      FaultInjector faults) {
    StreamExecutionEnvironment environment = records.getExecutionEnvironment();
    requireRoomAndSavepoint(environment, prefix);
    return new TrainingTopology(settings, prefix, transport, faults)
        .build(environment, records, parking, new ReceivedTypeInfo());
  }

  private void requireRoomAndSavepoint(StreamExecutionEnvironment environment, String prefix) {
    CheckpointSetup.requireRoom(options, initialModel().spec(), environment.getConfiguration());
    warnings.addAll(
        Resumption.check(
            environment.getConfiguration(),
            Problems.THROWN,
            LOG::info,
            resumption ->
                SavepointCheck.require(resumption, settings.coordinator(), prefix, true)));
  }

  /**
   * Makes the environment's job this one: source, sinks, checkpoints and scoring as the options
   * have it. It sets what training depends on.
   *
   * @param faults for tests
   */
  public TrainingTopology.Outputs build(
      StreamExecutionEnvironment environment, FaultInjector faults) {
    if (environment.getParallelism() > 1 && PresetOptions.isStreaming(options)) {
      warnings.add(
          ("%s is '%s', and the job has %s replicas: each sees a part of the records, and hears of"
                  + " the rest a round later. One time series is learned best by one replica")
              .formatted(
                  PresetOptions.PRESET.key(), JobPreset.STREAMING, environment.getParallelism()));
    }
    int useful = scoring == null ? partitions : Math.max(partitions, scoring.partitions());
    if (environment.getParallelism() > useful) {
      boolean history = files > useful;
      warnings.add(
          ("The job has %s replicas, and its topics have %s: one replica reads a partition, so %sthe"
                  + " others learn nothing. Give the topics more partitions, or %s-p %s")
              .formatted(
                  environment.getParallelism(),
                  useful == 1 ? "1 partition" : useful + " partitions",
                  history ? "once input.history is read " : "",
                  history ? "go on from a savepoint then with " : "",
                  useful));
    }
    CheckpointSetup.apply(options, initialModel().spec(), environment);
    if (OptionalParts.needDisk(options)) {
      DiskState.prefer(environment);
    }
    grow(environment);
    warnings.addAll(OptionalParts.warnings(options));
    warnings.addAll(resume(environment.getConfiguration(), Problems.THROWN, LOG::info));
    if (environment.getConfiguration().get(StateRecoveryOptions.SAVEPOINT_PATH) == null) {
      warnings.addAll(new TrainingTopics(options, input).leftovers());
    }
    history(environment.getConfiguration(), Problems.THROWN, LOG::info);
    TrainingEnvironment.prepare(environment);
    TrainingTopology.Outputs outputs =
        new TrainingTopology(settings, faults).build(environment, source(), new ReceivedTypeInfo());
    Sink<RejectedRecord> deadLetters = input.deadLetters("dead-letters");
    if (deadLetters != null) {
      TrainingOperators.DEAD_LETTERS.on(outputs.rejected().sinkTo(deadLetters));
    }
    keep(outputs, "");
    if (scoring != null) {
      scoring.addTo(environment, DeviceRequest.Use.GUEST, faults);
    }
    return outputs;
  }

  private Source<Received, ?, ?> source() {
    Source<Received, ?, ?> topics =
        input.shape().labelLags() > 0
            ? ExampleSource.withLabelLags(input.source(), input.deserializer())
            : ExampleSource.of(input.source(), input.deserializer());
    return history.isPresent() ? history.get().before(topics) : topics;
  }

  /** Has the job go on from a savepoint of a larger model, where its own has to grow. */
  private void grow(StreamExecutionEnvironment environment) {
    warnings.addAll(
        Resumption.check(
            environment.getConfiguration(),
            Problems.THROWN,
            LOG::info,
            resumption -> {
              Optional<ResumedGrowth> growth =
                  ResumedGrowth.of(resumption.states(), options, settings);
              if (growth.isPresent()) {
                growth.get().apply(environment);
              }
              return growth.map(ResumedGrowth::inWords).stream().toList();
            }));
  }

  /**
   * Looks at the files that are learned from before topics are, where there are any.
   *
   * @param flink says whether there is a savepoint, which knows them
   * @param unread told why they can't be looked at
   * @return what there is, in words
   */
  Optional<String> history(ReadableConfig flink, Problems problems, Consumer<String> unread) {
    return history == null || history.isEmpty()
        ? Optional.empty()
        : Optional.ofNullable(
            problems.attempt(() -> history.get().check(flink, unread).orElse(null)));
  }

  private List<String> checkModel(Resumption resumption) throws IOException {
    Optional<ResumedGrowth> growth = ResumedGrowth.of(resumption.states(), options, settings);
    return growth.isPresent()
        ? List.of(growth.get().inWords())
        : SavepointCheck.require(resumption, settings.coordinator());
  }

  /**
   * Looks at the savepoint that the job is to go on from, where there is one.
   *
   * @param flink says whether there is
   * @param unread told why it can't be looked at
   * @return what a person should know
   */
  List<String> resume(ReadableConfig flink, Problems problems, Consumer<String> unread) {
    List<String> told =
        Resumption.check(
            flink,
            problems,
            unread,
            this::checkModel,
            resumption -> JobPart.requireAll(TrainingParts.ALL, resumption, options),
            resumption -> HistorySetup.check(resumption, options),
            resumption ->
                new ResumedInput(
                        TrainingOperators.SOURCE.uid(), InputOptions.BOUNDED, InputOptions.START)
                    .check(resumption, options, input.source()));
    if (scoring != null) {
      told.addAll(scoring.resume(flink, problems, unread));
    }
    return told;
  }

  /** Names of sinks stay the same across submissions. */
  private void keep(TrainingTopology.Outputs outputs, String prefix) {
    outputs.written().stream()
        .reduce((one, other) -> one.union(other))
        .ifPresent(
            written ->
                TrainingOperators.WRITTEN
                    .of(prefix)
                    .on(
                        written
                            .sinkTo(CombinedSink.topics(options, input, prefix))
                            // What one operator writes stays in order.
                            .setParallelism(
                                outputs.written().stream()
                                    .mapToInt(DataStream::getParallelism)
                                    .min()
                                    .getAsInt())));
    metrics()
        .forEach(
            (name, sink) ->
                TrainingOperators.metrics(name)
                    .of(prefix)
                    .on(outputs.records().sinkTo(sink).setParallelism(1)));
  }

  /** The job's own options without secrets, which those of Kafka's clients may be, too. */
  private static Map<String, String> own(Configuration options) {
    Map<String, String> own = new TreeMap<>(options.toMap());
    own.keySet()
        .removeIf(
            key -> MillraceOptions.named(key).filter(setting -> !setting.isSecret()).isEmpty());
    return own;
  }

  private static OptionsInForce inForce(Configuration options) {
    Map<String, String> own = own(options);
    Map<String, String> defaults =
        MillraceOptions.settings()
            .filter(setting -> !own.containsKey(setting.key()) && !setting.isSecret())
            .filter(setting -> setting.option().hasDefaultValue())
            .collect(Collectors.toMap(Setting::key, OptionText::defaultOf));
    return new OptionsInForce(own, defaults);
  }

  /** Null where the model can't be made. */
  TrainingSettings settingsOrNull() {
    return settings;
  }

  private Map<String, Sink<String>> metrics() {
    Map<String, Sink<String>> sinks = new TreeMap<>();
    options
        .getOptional(MetricsOptions.TOPIC)
        .ifPresent(topic -> sinks.put("topic", LineTopic.sink(input.cluster(), topic)));
    options
        .getOptional(MetricsOptions.FILE)
        .ifPresent(file -> sinks.put("file", new LineFile(Path.of(file))));
    return sinks;
  }
}
