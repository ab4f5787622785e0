package dev.millrace.benchmark.peer;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PeerMainTest {

  @TempDir Path directory;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @Test
  void printsFigures() throws Exception {
    WorkloadFiles.write(directory, Workloads.tiny());

    assertThat(run("plain-fit", directory.toString(), "0.1")).isZero();

    JsonNode figures = new ObjectMapper().readTree(out.toByteArray());
    assertThat(figures.get("examples").asLong()).isPositive();
    // No milliseconds, which would be 100 at least.
    assertThat(figures.get("seconds").asDouble()).isBetween(0.1, 99.0);
  }

  @ParameterizedTest
  @CsvSource({
    "'', There are 1 arguments; give PEER WORKLOAD-DIRECTORY SECONDS",
    "fit nowhere 1, There is no peer 'fit'; there are parallel-wrapper",
    "limit nowhere soon, SECONDS is 'soon'; it is a number above 0",
    "limit nowhere NaN, SECONDS is 'NaN'; it is a number above 0",
    "limit nowhere 1, nowhere",
    "accuracy limit nowhere nowhere 0.9 1, The accuracy of 'limit' is not measured",
    "accuracy plain-fit nowhere nowhere 90 1, TARGET is '90'; it is a number above 0, at most 1",
  })
  void wrongArgumentsGiveOneMessage(String args, String message) throws Exception {
    assertThat(run(args.split(" ", -1))).isEqualTo(2);

    assertThat(err.toString(StandardCharsets.UTF_8).lines())
        .singleElement()
        .asString()
        .contains(message);
    assertThat(out.size()).isZero();
  }

  private int run(String... args) throws Exception {
    try (PrintStream stdout = new PrintStream(out, true, StandardCharsets.UTF_8);
        PrintStream stderr = new PrintStream(err, true, StandardCharsets.UTF_8)) {
      return PeerMain.run(args, stdout, stderr);
    }
  }
}
