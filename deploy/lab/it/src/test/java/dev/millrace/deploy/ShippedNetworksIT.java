package dev.millrace.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Networks with parts that DL4J has none like, where its classes come from the engine's folder: it
 * finds those parts by their names, and not by the class loader that Millrace has.
 */
class ShippedNetworksIT {

  private static final String OPTIONS =
      """
      kafka.bootstrap.servers: localhost:1
      input:
        topics: [clicks]
        format: json
        fields:
          - {path: user, kind: id, input: users}
          - {path: item, kind: id, input: items}
          - {path: clicked, role: label}
        outputs: 2
      model: {engine: dl4j, name: %s, hidden: [8]}
      """;

  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"wide-deep", "two-tower"})
  void dl4jReadsThem(String model) throws Exception {
    String fields = model.equals("two-tower") ? OPTIONS : OPTIONS.replaceAll(", input: \\w+", "");
    Path config = Files.writeString(directory.resolve("train.yaml"), fields.formatted(model));
    ProcessBuilder builder =
        new ProcessBuilder(
                Distribution.script("millrace").toString(), "check", "--config", config.toString())
            .redirectErrorStream(true);
    builder.environment().put("MILLRACE_BUILD", "never");
    builder.environment().put("MILLRACE_JAVA_OPTS", "-XX:TieredStopAtLevel=1");
    Process process = builder.start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    // Topics can't be checked, and nothing else is wrong.
    assertThat(process.waitFor()).as(output).isEqualTo(3);
    assertThat(output).contains("Model:     ComputationGraph");
  }
}
