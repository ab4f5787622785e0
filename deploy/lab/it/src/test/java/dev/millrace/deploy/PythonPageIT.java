package dev.millrace.deploy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.millrace.kafka.testing.Broker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The snippets of docs/guides/score-and-serve.md, in their order, around a job of the shipped
 * command. Skipped where Python lacks what they import.
 */
@Tag("slow")
class PythonPageIT {

  private static final Path PAGE = Path.of("../../../docs/guides/score-and-serve.md");
  private static final Pattern SNIPPET =
      Pattern.compile("^```(python|yaml)\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);

  /** With the packages that the snippets import; {@code -Dmillrace.python} names another. */
  private static final String PYTHON = System.getProperty("millrace.python", "python3");

  private final Path directory = Distribution.workDirectory("python");

  @Test
  void recordsAndPredictionsOfPythonProgramsAreAsThePageSays() throws Exception {
    assumeTrue(
        start(PYTHON, "-c", "import confluent_kafka, numpy, onnxruntime").exitCode() == 0,
        "python3 has no confluent_kafka, numpy and onnxruntime");
    Path models = directory.resolve("models");
    Path onnx = directory.resolve("flowers.onnx");
    String topic = Broker.topic(2);
    String predictions = Broker.topic(1);
    Map<String, String> names =
        Map.of(
            "BROKER", Broker.cluster().bootstrapServers(),
            "TOPIC", topic,
            "MODELS", models.toString(),
            "ONNX", onnx.toString(),
            "PREDICTIONS", predictions);
    Iterator<String> snippets = snippets().iterator();

    python(names, snippets.next());
    Path training = directory.resolve("train.yaml");
    Files.writeString(
        training,
        snippets
            .next()
            .replace("BROKER", names.get("BROKER"))
            .replace("TOPIC", topic)
            .replace("directory: models", "directory: " + models));
    millrace("train", "--config", training.toString(), "--work-dir", directory + "/train");
    assertThat(python(names, snippets.next()))
        .matches("(?s)Version \\d+\\.\\d+ has learned 6000 records; accuracy 0\\.\\d+\\s*");
    millrace("export", "--from", models.toString(), "--to", onnx.toString(), "--format", "onnx");
    assertThat(python(names, snippets.next())).isEqualToIgnoringNewLines("It is setosa");
    millrace(
        "score",
        "--config",
        training.toString(),
        "--work-dir",
        directory + "/score",
        "--scoring.topics",
        topic,
        "--input.bounded",
        "true",
        "--scoring.models",
        models.toString(),
        "--scoring.output-topic",
        predictions);
    assertThat(python(names, snippets.next()))
        .matches("(?s)(setosa|versicolor|virginica) says version \\d+\\.\\d+\\s*");
    assertThat(snippets).isExhausted();
  }

  private static List<String> snippets() throws IOException {
    List<String> snippets = new ArrayList<>();
    Matcher matcher = SNIPPET.matcher(Files.readString(PAGE));
    while (matcher.find()) {
      snippets.add(matcher.group(2));
    }
    return snippets;
  }

  private String python(Map<String, String> names, String snippet) throws Exception {
    StringBuilder program = new StringBuilder();
    names.forEach((name, value) -> program.append("%s = \"%s\"\n".formatted(name, value)));
    Answer answer = start(PYTHON, "-c", program.append(snippet).toString());
    assertThat(answer.exitCode()).as(answer.output()).isZero();
    return answer.output();
  }

  private void millrace(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(Distribution.script("millrace").toString()));
    command.addAll(List.of(arguments));
    Answer answer = start(command.toArray(String[]::new));
    assertThat(answer.exitCode()).as(answer.output()).isZero();
  }

  private record Answer(int exitCode, String output) {}

  private Answer start(String... command) throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.directory(directory.toFile());
    builder.environment().put("MILLRACE_BUILD", "never");
    builder.environment().put("MILLRACE_JAVA_OPTS", "-XX:TieredStopAtLevel=1");
    Process process = builder.start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    return new Answer(process.waitFor(), output);
  }
}
