package dev.millrace.job.setup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ExampleConfigurationsTest {

  private static final Path DIRECTORY = Path.of("..", "deploy", "conf");

  static List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(DIRECTORY)) {
      return files.filter(file -> file.toString().endsWith(".yaml")).sorted().toList();
    }
  }

  @Test
  void thereAreSome() throws IOException {
    assertThat(files()).isNotEmpty();
  }

  @ParameterizedTest
  @MethodSource("files")
  void everyExampleIsRight(Path file) {
    Configuration options = OptionReader.read(List.of("--config", file.toString()));
    String name = file.getFileName().toString();

    assertThatCode(
            () -> {
              if (name.startsWith("score")) {
                JobOptions.check(JobKind.SCORING, options, new Configuration());
              } else if (name.startsWith("join")) {
                JobOptions.check(JobKind.JOINING, options, new Configuration());
              } else {
                JobOptions.check(JobKind.TRAINING, options, new Configuration());
              }
            })
        .doesNotThrowAnyException();
  }

  @Test
  void theReadmesExampleIsRight(@TempDir Path directory) throws IOException {
    String readme = Files.readString(Path.of("..", "README.md"));
    String yaml = readme.split("```yaml\n", 2)[1].split("```", 2)[0];

    everyExampleIsRight(Files.writeString(directory.resolve("train.yaml"), yaml));
  }
}
