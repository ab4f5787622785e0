package dev.millrace.job.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.millrace.example.Example;
import dev.millrace.file.DataSpec;
import dev.millrace.file.ExampleSequence;
import dev.millrace.job.EvaluationJob;
import dev.millrace.job.evaluate.setup.EvaluationArguments;
import dev.millrace.job.options.InvalidOptionsException;
import dev.millrace.job.setup.OptionReader;
import dev.millrace.job.testing.Blobs;
import dev.millrace.job.testing.EachEngine;
import dev.millrace.job.testing.TestEngine;
import dev.millrace.job.testing.TestEnvironment;
import dev.millrace.job.testing.TestModels;
import dev.millrace.job.train.measure.HoldOut;
import dev.millrace.kafka.KafkaAccessException;
import dev.millrace.kafka.testing.Broker;
import dev.millrace.model.GlobalModel;
import dev.millrace.model.InitialModel;
import dev.millrace.model.Ledger;
import dev.millrace.model.Lineage;
import dev.millrace.model.Measures;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.device.DeviceRequest;
import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The evaluation job on files and topics. */
class EvaluationIT {

  @TempDir Path directory;

  @EachEngine
  void howManyTasksShareAFileMakesNoDifference(TestEngine engine) throws Exception {
    Path table = directory.resolve("blobs.csv");
    Files.write(table, lines(new Blobs(5).next(1500)));
    // Rows that are no examples: too short, no number, no class.
    Files.write(table, List.of("1,2", "1,2,3,4,5,6,7,?,0", "1,2,3,4,5,6,7,8,"), append());
    Files.write(table, lines(new Blobs(6).next(100)), append());
    Path model = blobModel(engine);

    String one = evaluate(1, model, "csv:" + table, Map.of("model.engine", engine.option()));
    String three = evaluate(3, model, "csv:" + table, Map.of("model.engine", engine.option()));

    assertThat(three).isEqualTo(one);
    JsonNode json = new JsonMapper().readTree(one);
    assertThat(json.get("examples").asLong()).isEqualTo(1600);
    assertThat(json.get("accuracy").asDouble()).isGreaterThan(0.8);
    assertThat(json.at("/rejected/count").asLong()).isEqualTo(3);
    assertThat(json.at("/rejected/first/1/where").asText()).isEqualTo("line 1502");
    assertThat(json.at("/rejected/first/1/reason").asText())
        .isEqualTo("column 8: expected a finite decimal number, got \"?\"");
    assertThat(directory).isDirectoryNotContaining("glob:**.unfinished*");
  }

  @Test
  void howManyTasksShareATopicMakesNoDifference() throws Exception {
    String topic = Broker.topic(3);
    for (int partition = 0; partition < 3; partition++) {
      Broker.produce(
          topic, partition, Blobs.encode(new Blobs(partition).next(300 + 200 * partition)));
    }
    Broker.produce(topic, 1, List.of("no example".getBytes(UTF_8)));
    Map<String, String> options =
        Map.of(
            "kafka.bootstrap.servers",
            Broker.cluster().bootstrapServers(),
            "input.format",
            "float32");
    Path model = blobModel(TestEngine.DL4J);

    String one = evaluate(1, model, "topic:" + topic, options);
    String three = evaluate(3, model, "topic:" + topic, options);

    assertThat(three).isEqualTo(one);
    JsonNode json = new JsonMapper().readTree(one);
    assertThat(json.get("examples").asLong()).isEqualTo(1500);
    assertThat(json.at("/rejected/count").asLong()).isEqualTo(1);
    assertThat(json.at("/rejected/first/0/where").asText()).isEqualTo(topic + "-1, offset 500");
  }

  @Test
  void linesOfJsonAreOfTheModelsShape() throws Exception {
    ExampleShape shape = new ExampleShape(2, 2, Target.MULTI_LABEL);
    Path model =
        TestModels.write(
            TestModels.linear(shape, 4, 0, 0, 4, 0, 0), directory.resolve("labels.zip"));
    Path lines = directory.resolve("lines.json");
    Files.writeString(
        lines,
        """
        {"features":[1,-1],"labels":[1,0]}
        {"features":[1,1],"labels":[1,0]}
        not json
        """);

    JsonNode json = read(evaluate(2, model, "json:" + lines, Map.of()));

    assertThat(json.get("accuracy").asDouble()).isEqualTo(0.5);
    assertThat(json.at("/labels/1/falsePositives").asLong()).isEqualTo(1);
    assertThat(json.at("/rejected/first/0/where").asText()).isEqualTo("line 3");
  }

  @EachEngine
  void saysTheSameAsTheHoldOutSetOfATrainingJob(TestEngine engine) throws Exception {
    Path table = directory.resolve("table.csv");
    Files.write(table, lines(new Blobs(5).next(700)));
    FeatureStatistics statistics = new FeatureStatistics(Blobs.SHAPE.features());
    new Blobs(6).next(100).forEach(example -> statistics.add(example.features(), 1));
    InitialModel model = TestModels.random(engine, "mlp", Blobs.SHAPE);
    Path archive = TestModels.write(engine, model, statistics, directory.resolve("model.zip"));
    String data = "csv:" + table + ",holdout=300";

    JsonNode json = read(evaluate(2, archive, data, Map.of("model.engine", engine.option())));

    Measures holdOut;
    try (ModelReplica replica = engine.engine().build(model.spec(), DeviceRequest.guest());
        ExampleSequence examples = DataSpec.parse(data).open().holdOut()) {
      GlobalModel global =
          new GlobalModel(
              model.spec(),
              new ModelVersion(0, 1),
              0,
              model.vector(),
              statistics,
              new Ledger(),
              Measures.NONE,
              Lineage.NONE);
      holdOut = HoldOut.read(examples).evaluate(global, replica);
    }
    assertThat(json.at("/data/part").asText()).isEqualTo("holdout");
    assertThat(json.at("/model/standardized").asBoolean()).isTrue();
    assertThat(json.get("examples").asLong()).isEqualTo(300);
    assertThat(json.get("accuracy").asDouble()).isEqualTo(holdOut.accuracy());
    assertThat(json.get("loss").asDouble()).isCloseTo(holdOut.meanLoss(), within(1e-6));
  }

  @Test
  void whatDoesNotFitTogetherIsNamedAndNothingIsWritten() throws Exception {
    Path model = blobModel(TestEngine.DL4J);

    assertThatThrownBy(() -> evaluate(1, model, "digits:10", Map.of()))
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContaining("the data has 784 features and 10 outputs (classification)")
        .hasMessageContaining("the model 8 and 3 (classification)");
    assertThatThrownBy(() -> evaluate(1, model, "csv:" + directory + "/absent.csv", Map.of()))
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContaining("absent.csv");
    assertThatThrownBy(
            () ->
                evaluate(
                    1,
                    model,
                    "topic:no-such-topic",
                    Map.of("kafka.bootstrap.servers", Broker.cluster().bootstrapServers())))
        .isInstanceOf(KafkaAccessException.class)
        .hasMessageContaining("There is no topic 'no-such-topic'");
    assertThatThrownBy(
            () ->
                evaluate(
                    1,
                    model,
                    "topic:examples",
                    Map.of("kafka.bootstrap.servers", "localhost:1", "input.start", "latest")))
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContaining("input.start is 'latest'");
    assertThatThrownBy(() -> evaluate(1, model, "topic:examples", Map.of()))
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContaining("kafka.bootstrap.servers is missing");
    assertThatThrownBy(
            () ->
                evaluate(
                    1, model, "json:" + model, Map.of("input.features", "8", "input.outputs", "4")))
        .isInstanceOf(InvalidModelException.class)
        .hasMessageContainingAll(model.toString(), "the examples have 4 outputs");
    assertThat(directory).isDirectoryNotContaining("glob:**evaluation.json");
  }

  @Test
  void aFileThatEndsEarlyFailsTheJobAndNothingIsWritten() throws Exception {
    Path images = Files.createDirectory(directory.resolve("idx"));
    for (String part : List.of("train", "t10k")) {
      Files.write(
          images.resolve(part + "-labels-idx1-ubyte"), new byte[] {0, 0, 8, 1, 0, 0, 0, 2, 0, 2});
      Files.write(
          images.resolve(part + "-images-idx3-ubyte"),
          new byte[] {0, 0, 8, 3, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 4, 1, 2, 3});
    }
    Path model = blobModel(TestEngine.DL4J);

    assertThatThrownBy(() -> evaluate(2, model, "idx:" + images, Map.of()))
        .hasStackTraceContaining("the file is truncated")
        .hasStackTraceContaining("t10k-images-idx3-ubyte");
    assertThat(directory).isDirectoryNotContaining("glob:**evaluation.json");
  }

  /** A class is where the features that make it are high, as {@link Blobs} have it. */
  private Path blobModel(TestEngine engine) throws IOException {
    ExampleShape shape = Blobs.SHAPE;
    float[] weights = new float[shape.features() * shape.outputs() + shape.outputs()];
    for (int output = 0; output < shape.outputs(); output++) {
      for (int i = output; i < shape.features(); i += shape.outputs()) {
        weights[output * shape.features() + i] = 1;
      }
    }
    // The last class has but two features of its own.
    weights[weights.length - 1] = 1;
    return TestModels.write(
        engine, TestModels.linear(engine, shape, weights), directory.resolve("blobs.zip"));
  }

  private static List<String> lines(List<Example> examples) {
    return Blobs.encode(examples, "csv").stream().map(line -> new String(line, UTF_8)).toList();
  }

  private static OpenOption append() {
    return StandardOpenOption.APPEND;
  }

  private static JsonNode read(String json) throws IOException {
    return new JsonMapper().readTree(json);
  }

  private String evaluate(int parallelism, Path model, String data, Map<String, String> options)
      throws Exception {
    Path json = directory.resolve("evaluation.json");
    StreamExecutionEnvironment environment = TestEnvironment.local(parallelism, "hashmap", null, 0);
    EvaluationJob.build(
        environment,
        new EvaluationArguments(model.toString(), data, json.toString()),
        OptionReader.configuration(new TreeMap<>(options)));
    environment.execute();
    String written = Files.readString(json);
    Files.delete(json);
    return written;
  }
}
