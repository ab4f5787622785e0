package dev.millrace.deploy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.millrace.fields.FieldsDescription;
import dev.millrace.model.GlobalModel;
import dev.millrace.model.InitialModel;
import dev.millrace.model.Ledger;
import dev.millrace.model.Lineage;
import dev.millrace.model.Measures;
import dev.millrace.model.ModelDefinition;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import dev.millrace.snapshot.Retention;
import dev.millrace.snapshot.SnapshotStore;
import dev.millrace.snapshot.SnapshotWriter;
import dev.millrace.snapshot.Writers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** The command as a process, from the distribution. */
class ServeIT {

  private static final Path SERVING =
      Path.of("..", "..", "..", "docs", "guides", "score-and-serve.md");
  private static final Pattern ADDRESS = Pattern.compile("at (http://127\\.0\\.0\\.1:\\d+)/v2");
  private static final Pattern HEALTH =
      Pattern.compile("at http://127\\.0\\.0\\.1:(\\d+)$", Pattern.MULTILINE);
  private static final Pattern EXAMPLE =
      Pattern.compile("(?ms)^\\$ (curl [^\\n]*?/infer.*?)\\n(\\{.*?)\\n```");
  private static final FieldsDescription ORDERS =
      FieldsDescription.parse(
          """
          [{"path": "amount", "kind": "number"},
           {"path": "country", "kind": "category", "values": ["DE", "FR"]},
           {"path": "at", "kind": "time", "parts": ["hour-of-day"]}]\
          """,
          null);
  private static final JsonMapper JSON = JsonMapper.builder().build();

  /** Whatever figures a model gives: the example in the documents has those of another. */
  @Test
  @DisabledOnOs(OS.WINDOWS)
  void theExampleInTheDocumentsWorksUntilTheServerIsAskedToStop() throws Exception {
    Path directory = Distribution.workDirectory("serve");
    Path models = directory.resolve("models");
    publish(
        models, new ModelVersion(2, 300), ORDERS.shape(Target.CLASSIFICATION, 2), "genuine;fraud");
    Path output = directory.resolve("output");
    Process server = start(directory, models, output, "");
    try {
      String address = address(server, output);
      Matcher example = EXAMPLE.matcher(Files.readString(SERVING));
      assertThat(example.find()).isTrue();
      String curl = example.group(1).replace("http://localhost:8080", address);
      awaitReady(address);

      JsonNode told = JSON.readTree(example.group(2));
      JsonNode given = JSON.readTree(shell(curl));

      assertThat(given.path("id")).isEqualTo(told.path("id"));
      assertThat(names(given)).isEqualTo(names(told));
      assertThat(given.path("model_version").asText()).isEqualTo("2.300");
      assertThat(given.path("outputs").findValuesAsText("name"))
          .isEqualTo(told.path("outputs").findValuesAsText("name"));
      assertThat(given.path("outputs").findValuesAsText("datatype"))
          .isEqualTo(told.path("outputs").findValuesAsText("datatype"));
      assertThat(shell("curl -fs " + address + "/metrics"))
          .contains("millrace_serve_model_round 300.0");
    } finally {
      server.destroy();
    }
    assertThat(server.waitFor(2, TimeUnit.MINUTES)).isTrue();
    assertThat(server.exitValue()).isEqualTo(143);
    assertThat(Files.readString(output)).contains("Stopping").doesNotContain("Exception");
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void javaAloneIsAClient() throws Exception {
    Path directory = Distribution.workDirectory("serve-java");
    Path models = directory.resolve("models");
    publish(models, new ModelVersion(2, 300));
    Path output = directory.resolve("output");
    Process server = start(directory, models, output, "");
    try {
      String address = address(server, output);
      awaitReady(address);

      JsonNode asked = JSON.readTree(ask(address));

      assertThat(asked.path("model_version").asText()).isEqualTo("2.300");
      assertThat(names(asked)).contains("outputs");
    } finally {
      server.destroy();
    }
  }

  private static void awaitReady(String address) {
    await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> shell("curl -fs " + address + "/v2/health/ready").contains("true"));
  }

  /** As its comment says, with Java alone. */
  private static String ask(String address) throws Exception {
    return shell(
        "'%s' -XX:TieredStopAtLevel=1 ../../examples/serving/Ask.java %s 5.1 3.5 1.4 0.2"
            .formatted(Path.of(System.getProperty("java.home"), "bin", "java"), address));
  }

  private static List<String> names(JsonNode object) {
    return object.properties().stream().map(Map.Entry::getKey).toList();
  }

  /** Without further options for Java and the command, or with some. */
  static Process start(
      Path directory, Path models, Path output, String javaOptions, String... options)
      throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Distribution.script("millrace").toString(),
                "serve",
                "--port",
                "0",
                "--scoring.models",
                models.toString(),
                "--work-dir",
                directory.resolve("work").toString()));
    command.addAll(List.of(options));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
    builder.environment().put("MILLRACE_BUILD", "never");
    builder.environment().put("MILLRACE_JAVA_OPTS", "-XX:TieredStopAtLevel=1 " + javaOptions);
    return builder.start();
  }

  static String address(Process server, Path output) {
    return said(server, output, ADDRESS);
  }

  static int healthPort(Process server, Path output) {
    return Integer.parseInt(said(server, output, HEALTH));
  }

  private static String said(Process server, Path output, Pattern pattern) {
    return await()
        .atMost(Duration.ofMinutes(1))
        .until(
            () -> {
              String text = Files.readString(output);
              assertThat(server.isAlive()).as(text).isTrue();
              Matcher matcher = pattern.matcher(text);
              return matcher.find() ? Optional.of(matcher.group(1)) : Optional.<String>empty();
            },
            Optional::isPresent)
        .orElseThrow();
  }

  private static String shell(String command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder("bash", "-c", command).start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    process.waitFor();
    return output;
  }

  /** A network of random weights. */
  static void publish(Path models, ModelVersion version) throws IOException {
    publish(
        models,
        version,
        new ExampleShape(4, 3, Target.CLASSIFICATION),
        "setosa;versicolor;virginica");
  }

  private static void publish(Path models, ModelVersion version, ExampleShape shape, String classes)
      throws IOException {
    ModelEngine engine = ModelEngine.named("dl4j");
    InitialModel model =
        engine.define(
            new ModelDefinition.BuiltIn(
                "mlp", shape, List.of(8), List.of(), "sgd", 0.1, 0.9, 0, 1));
    new SnapshotWriter(
            SnapshotStore.directory(models),
            engine,
            Optional.empty(),
            new Retention(3, 0, 0),
            InstantSource.system(),
            new Writers(List.of("one"), -1),
            Optional.empty())
        .write(
            new GlobalModel(
                model.spec(),
                version,
                version.round(),
                Arrays.copyOf(model.vector(), model.spec().parameters()),
                new FeatureStatistics(0),
                new Ledger(),
                Measures.NONE,
                new Lineage(null, Map.of("input.classes", classes))),
            Optional.empty());
  }
}
