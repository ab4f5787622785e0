package dev.millrace.api;

import dev.millrace.example.Received;
import dev.millrace.exchange.flink.FaultInjector;
import dev.millrace.job.common.OperatorName;
import dev.millrace.job.options.InvalidOptionsException;
import dev.millrace.job.score.ScoringOperator;
import dev.millrace.job.score.StreamScoringOperator;
import dev.millrace.job.score.setup.ScoringSetup;
import dev.millrace.job.setup.JobKind;
import dev.millrace.job.setup.JobOptions;
import dev.millrace.job.setup.JobSetup;
import dev.millrace.job.train.TrainingEnvironment;
import dev.millrace.job.train.TrainingEnvironment.SetBy;
import dev.millrace.job.train.TrainingTopology;
import dev.millrace.kafka.record.ReceivedTypeInfo;
import dev.millrace.source.MappedSource;
import dev.millrace.source.ParkingOperator;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** Training and scoring as parts of a Flink job. docs/guides/in-your-program.md describes them. */
@PublicEvolving
public final class Millrace {

  private static final String REJECTED = "rejected";

  /** What ledgers call the records of a stream. */
  private static final String STREAM = "stream";

  private static final OperatorName STREAM_SCORER =
      new OperatorName("stream-scorer", "predicts with the newest published model");

  private Millrace() {}

  /**
   * Makes the settings in an environment that training needs, and those that make it fast:
   * streaming mode, object reuse, compressed snapshots, and aligned checkpoints that are
   * exactly-once. For a program whose other functions allow object reuse; others make the settings
   * that {@link #train} asks for.
   */
  public static void prepare(StreamExecutionEnvironment environment) {
    TrainingEnvironment.prepare(environment);
  }

  /**
   * Adds training to a job, with as many replicas as the environment's parallelism. Every record of
   * the source is learned or rejected exactly once, failures and changes of parallelism included.
   * The source is held back while replicas can't train. The environment stays as it is; the model
   * to start from is put into the job's distributed cache and deleted when it has been submitted.
   *
   * @param source of any kind that gives its records again after a failure
   * @param mapper says what a record holds; it is copied
   * @param <T> the records
   * @throws InvalidOptionsException if options are wrong, or the environment has a setting that
   *     training can't run with; with all of these problems at once
   * @throws IllegalArgumentException if the mapper isn't serializable, or the source's type of
   *     records can't be told
   */
  public static <T> Training<T> train(
      StreamExecutionEnvironment environment,
      Source<T, ?, ?> source,
      ExampleMapper<T> mapper,
      TrainingOptions options) {
    return train(environment, source, mapper, options, FaultInjector.NONE);
  }

  /** Trains with faults, for tests. */
  static <T> Training<T> train(
      StreamExecutionEnvironment environment,
      Source<T, ?, ?> source,
      ExampleMapper<T> mapper,
      TrainingOptions options,
      FaultInjector faults) {
    requireSettings(environment, source.getBoundedness() == Boundedness.BOUNDED);
    TypeInformation<T> type = RecordType.of(source);
    TypeSerializer<T> serializer = serializer(type, environment);
    JobSetup setup =
        JobSetup.of(JobKind.MAPPED, options.configuration(), environment.getConfiguration());
    return training(
        setup.addTo(
            environment, mapped(source, mapper, setup, serializer), options.uidPrefix(), faults),
        type,
        environment,
        setup,
        options);
  }

  /**
   * Adds training to a job behind a stream, such as what a join gives. Every record that comes is
   * learned or rejected exactly once, failures and changes of parallelism included. A stream can't
   * be held back as a source can: while its replica can't train, each subtask keeps records in its
   * state; from a {@linkplain TrainingOptions.Builder#mostParked number} on the stream waits. In
   * all else it is as with a source.
   *
   * @param mapper says what a record holds; it is copied
   * @param <T> the records
   * @throws InvalidOptionsException if options are wrong, or the environment has a setting that
   *     training can't run with; with all of these problems at once
   * @throws IllegalArgumentException if the mapper isn't serializable
   */
  public static <T> Training<T> train(
      DataStream<T> records, ExampleMapper<T> mapper, TrainingOptions options) {
    return train(records, mapper, options, FaultInjector.NONE);
  }

  /** Trains with faults, for tests. */
  static <T> Training<T> train(
      DataStream<T> records,
      ExampleMapper<T> mapper,
      TrainingOptions options,
      FaultInjector faults) {
    StreamExecutionEnvironment environment = records.getExecutionEnvironment();
    requireSettings(environment, true);
    TypeInformation<T> type = records.getType();
    JobSetup setup =
        JobSetup.of(JobKind.STREAMED, options.configuration(), environment.getConfiguration());
    ParkingOperator<T> parking =
        new ParkingOperator<>(
            AdaptedMapper.of(mapper),
            setup.shape(),
            serializer(type, environment),
            options.uidPrefix().isEmpty() ? STREAM : options.uidPrefix(),
            options.mostParked());
    return training(
        setup.addTo(records, parking, options.uidPrefix(), faults),
        type,
        environment,
        setup,
        options);
  }

  private static <T> Training<T> training(
      TrainingTopology.Outputs outputs,
      TypeInformation<T> type,
      StreamExecutionEnvironment environment,
      JobSetup setup,
      TrainingOptions options) {
    TypeSerializer<T> serializer = serializer(type, environment);
    String uid = options.uidPrefix().isEmpty() ? REJECTED : options.uidPrefix() + "-" + REJECTED;
    List<String> warnings = new ArrayList<>(setup.warnings());
    warnings.addAll(TrainingEnvironment.advice(environment));
    return new Training<>(
        outputs.rejected(),
        rejected -> Rejected.of(rejected, type, serializer, uid),
        outputs.records(),
        warnings);
  }

  private static <T> TypeSerializer<T> serializer(
      TypeInformation<T> type, StreamExecutionEnvironment environment) {
    return type.createSerializer(environment.getConfig().getSerializerConfig());
  }

  /**
   * Makes the environment's job the one that {@code flink run} makes of the same options: examples
   * from Kafka's topics, and the sinks, checkpoints and scoring that the options have. It
   * {@linkplain #prepare prepares} the environment, and sets its checkpoints.
   *
   * @throws InvalidOptionsException if options are wrong, or say something of a part of a job
   */
  public static Training<byte[]> train(
      StreamExecutionEnvironment environment, TrainingOptions options) {
    options.requireWholeJob();
    JobSetup setup =
        JobSetup.of(JobKind.TRAINING, options.configuration(), environment.getConfiguration());
    TrainingTopology.Outputs outputs = setup.build(environment, FaultInjector.NONE);
    TypeInformation<byte[]> bytes = PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO;
    return new Training<>(
        outputs.rejected(),
        rejected -> Rejected.ofBytes(rejected, bytes, REJECTED),
        outputs.records(),
        setup.warnings());
  }

  /**
   * Scores as {@link #score(DataStream, ModelFeed, ExampleMapper, ScoringOptions)} does, by
   * defaults.
   */
  public static <T> Scoring<T> score(
      DataStream<T> records, ModelFeed models, ExampleMapper<T> mapper) {
    return score(records, models, mapper, ScoringOptions.builder().build());
  }

  /**
   * Predicts for each record of a stream, with the newest model. Examples are what the first model
   * takes; later models that take others are refused. Until there is a model, each subtask keeps
   * records in its state; from a {@linkplain ScoringOptions.Builder#mostWaiting number} on the
   * stream waits.
   *
   * @param mapper gives an example's features; labels aren't looked at
   * @param <T> the records
   * @throws InvalidOptionsException if options are wrong
   * @throws IllegalArgumentException if the mapper isn't serializable
   */
  public static <T> Scoring<T> score(
      DataStream<T> records, ModelFeed models, ExampleMapper<T> mapper, ScoringOptions options) {
    JobOptions.checkEach(options.configuration());
    TypeInformation<T> type = records.getType();
    TypeSerializer<T> serializer = serializer(type, records.getExecutionEnvironment());
    OperatorName name = STREAM_SCORER.of(options.uidPrefix());
    SingleOutputStreamOperator<Prediction<T>> predictions =
        name.on(
            records.transform(
                name.uid(),
                Prediction.type(type),
                new StreamScoringOperator<>(
                    ScoringSetup.ofStream(options.configuration(), models.place()),
                    options.mostWaiting(),
                    AdaptedMapper.of(mapper),
                    serializer,
                    Prediction::new)));
    return new Scoring<>(
        predictions,
        () ->
            Rejected.of(
                predictions.getSideOutput(ScoringOperator.REJECTED),
                type,
                serializer,
                name.uid() + "-" + REJECTED));
  }

  /**
   * Makes the environment's job one that only scores, as {@code flink run} makes it of the same
   * options: examples from Kafka's topics, and the sinks and checkpoints that the options have.
   *
   * @return what doesn't keep the job from being started: options without effect
   * @throws InvalidOptionsException if options are wrong, or say something of a part of a job
   */
  public static List<String> score(StreamExecutionEnvironment environment, ScoringOptions options) {
    options.requireWholeJob();
    ScoringSetup setup =
        new ScoringSetup(
            JobOptions.check(
                JobKind.SCORING, options.configuration(), environment.getConfiguration()));
    setup.check();
    setup.build(environment);
    return setup.warnings();
  }

  private static <T, S extends SourceSplit, E> Source<Received, ?, ?> mapped(
      Source<T, S, E> source,
      ExampleMapper<T> mapper,
      JobSetup setup,
      TypeSerializer<T> serializer) {
    return MappedSource.of(
        source, AdaptedMapper.of(mapper), setup.shape(), serializer, new ReceivedTypeInfo());
  }

  private static void requireSettings(StreamExecutionEnvironment environment, boolean bounded) {
    List<String> problems = TrainingEnvironment.problems(environment, bounded, SetBy.PROGRAM);
    if (!problems.isEmpty()) {
      throw new InvalidOptionsException(problems);
    }
  }
}
