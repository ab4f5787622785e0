package dev.millrace.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The Dockerfiles in the distribution, as far as they can be judged without a Docker engine. */
class DockerfileIT {

  private static final List<String> ENGINES = List.of("dl4j", "torch");
  private static final Path HOME = Path.of(System.getProperty("millrace.distribution"));

  @ParameterizedTest
  @ValueSource(strings = {"Dockerfile", "Dockerfile.flink"})
  void copiesWhatTheDistributionHas(String name) throws IOException {
    List<String> sources =
        instructions(name, "COPY")
            // Those of another stage aren't of the build context.
            .filter(words -> words.stream().noneMatch(word -> word.startsWith("--from=")))
            .map(words -> words.stream().filter(word -> !word.startsWith("--")).toList())
            .flatMap(words -> words.subList(0, words.size() - 1).stream())
            .flatMap(source -> ENGINES.stream().map(engine -> source.replace("${ENGINE}", engine)))
            .distinct()
            .toList();

    assertThat(sources)
        .contains("job/millrace-job.jar")
        .containsAnyOf("conf/flink/config.yaml", "conf/");
    assertThat(sources).anyMatch(source -> source.startsWith("engines/"));
    assertThat(sources)
        .allSatisfy(source -> assertThat(HOME.resolve(source)).exists())
        .filteredOn(source -> source.endsWith("/"))
        .allSatisfy(source -> assertThat(HOME.resolve(source)).isNotEmptyDirectory());
  }

  @Test
  void isOnThisFlink() throws IOException {
    assertThat(instructions("Dockerfile.flink", "ARG"))
        .contains(List.of("BASE=flink:%s-java17".formatted(System.getProperty("flink.version"))));
  }

  /** Neither name of a user is known to Kubernetes, which asks for a number that isn't root's. */
  @ParameterizedTest
  @ValueSource(strings = {"Dockerfile", "Dockerfile.flink"})
  void runsWithoutBeingRoot(String name) throws IOException {
    assertThat(instructions(name, "USER").toList()).last().isEqualTo(List.of("9999:9999"));
  }

  /** The words after each instruction of one kind. */
  private static Stream<List<String>> instructions(String dockerfile, String kind)
      throws IOException {
    return Files.readString(HOME.resolve("docker").resolve(dockerfile))
        .replace("\\\n", " ")
        .lines()
        .map(line -> Arrays.asList(line.strip().split("\\s+")))
        .filter(words -> words.get(0).equals(kind))
        .map(words -> words.subList(1, words.size()));
  }
}
