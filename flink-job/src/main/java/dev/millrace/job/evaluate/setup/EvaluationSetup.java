package dev.millrace.job.evaluate.setup;

import dev.millrace.job.common.InputSetup;
import dev.millrace.job.evaluate.EvaluationTopology;
import dev.millrace.job.evaluate.SequenceSource;
import dev.millrace.job.evaluate.report.EvaluatedModel;
import dev.millrace.job.evaluate.report.ReportSubject;
import dev.millrace.job.follow.RowPlace;
import dev.millrace.job.models.LocatedModel;
import dev.millrace.job.options.InputOptions;
import dev.millrace.job.options.ModelOptions;
import dev.millrace.kafka.record.ReceivedTypeInfo;
import dev.millrace.kafka.source.ExampleSource;
import dev.millrace.model.FeatureCompletion;
import dev.millrace.model.InitialModel;
import dev.millrace.model.ModelDefinition;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.features.LearnedFeatures;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.ExampleStructure.Output;
import dev.millrace.snapshot.SnapshotDescription;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** An evaluation job whose model and data have been found to fit together. */
public final class EvaluationSetup {

  private final EvaluationTopology topology;
  private final SequenceSource files;
  private final InputSetup topicOrNull;

  private EvaluationSetup(
      EvaluationTopology topology, SequenceSource files, InputSetup topicOrNull) {
    this.topology = topology;
    this.files = files;
    this.topicOrNull = topicOrNull;
  }

  /**
   * Checks the model, then the data; the first of them that fails throws.
   *
   * @param given how examples are written, and how Kafka is reached; each is known to be right
   * @throws dev.millrace.job.options.InvalidOptionsException if options or data are wrong
   * @throws dev.millrace.model.io.InvalidModelException if the model can't be used
   * @throws dev.millrace.kafka.KafkaAccessException if the topic can't be read
   */
  public static EvaluationSetup of(EvaluationArguments arguments, Configuration given) {
    DataChoice data = DataChoice.parse(arguments.data());
    LocatedModel located = LocatedModel.find("--model", arguments.model());
    Configuration options = TrainedInput.complete(given, located.description());
    InitialModel model = read(located, options);
    requireOneOutput(model.spec().shape());
    EvaluationData examples =
        EvaluationData.of(data, model.spec().shape(), classes(located, options), options);
    ReportSubject subject =
        new ReportSubject(
            describe(located, model),
            new ReportSubject.Data(data.source(), examples.part()),
            model.spec().shape(),
            examples.classes().isEmpty() ? numbers(model.spec().shape()) : examples.classes());
    EvaluationTopology topology =
        new EvaluationTopology(
            evaluated(model, options), subject, EvaluationArguments.uri(arguments.json()));
    return new EvaluationSetup(topology, examples.files(), examples.topicOrNull());
  }

  /** Adds the job to an environment: as many evaluators as its parallelism. */
  public void build(StreamExecutionEnvironment environment) {
    if (topicOrNull == null) {
      topology.ofFiles(environment, files, new ReceivedTypeInfo());
    } else {
      topology.ofSource(
          environment,
          ExampleSource.of(topicOrNull.toItsEnd(), topicOrNull.deserializer()),
          topicOrNull.lags(),
          new ReceivedTypeInfo());
    }
  }

  private static void requireOneOutput(ExampleShape shape) {
    if (shape.structure().outputs().size() > 1) {
      throw new InvalidModelException(
          ("The model has the outputs %s, and an evaluation is of one; have the job score the"
                  + " examples, and compare its predictions with their labels")
              .formatted(shape.structure().outputs().stream().map(Output::name).toList()));
    }
  }

  private static InitialModel read(LocatedModel located, Configuration options) {
    ModelEngine engine =
        ModelEngine.named(
            located
                .description()
                .map(SnapshotDescription::engine)
                .orElse(options.get(ModelOptions.ENGINE)));
    ExampleShape shape =
        located
            .description()
            .map(SnapshotDescription::shape)
            .or(() -> InputOptions.shapeIfGiven(options))
            .orElseGet(() -> engine.shapeOf(located.archive()));
    if (RowPlace.of(options).isEmpty()) {
      RowPlace.requireNoNeed(shape, "An evaluation");
    }
    return engine.define(new ModelDefinition.Archive(located.archive(), shape));
  }

  /** The model's classes: by the options of this job, or of the one that it was trained by. */
  private static List<String> classes(LocatedModel located, Configuration options) {
    return options
        .getOptional(InputOptions.CLASSES)
        .or(() -> located.description().flatMap(EvaluationSetup::trainedClasses))
        .orElse(List.of());
  }

  private static Optional<List<String>> trainedClasses(SnapshotDescription description) {
    return Configuration.fromMap(description.configuration()).getOptional(InputOptions.CLASSES);
  }

  private static ReportSubject.Model describe(LocatedModel located, InitialModel model) {
    return new ReportSubject.Model(
        located.archive().toString(),
        located.description().map(described -> described.version().toString()).orElse(null),
        model.spec().engine(),
        model.spec().kind(),
        model.spec().parameters(),
        model.statistics().isPresent());
  }

  private static EvaluatedModel evaluated(InitialModel model, Configuration options) {
    float[] parameters = new float[model.spec().parameters()];
    System.arraycopy(model.vector(), 0, parameters, 0, parameters.length);
    return new EvaluatedModel(
        model.spec(),
        parameters,
        FeatureCompletion.of(
            model.spec().shape(),
            model.learned().orElseGet(() -> LearnedFeatures.none(model.spec().shape(), false))),
        model.spec().shape().columns().ids().isEmpty() ? null : RowPlace.of(options).orElseThrow());
  }

  private static List<String> numbers(ExampleShape shape) {
    return IntStream.range(0, shape.outputs()).mapToObj(Integer::toString).toList();
  }
}
