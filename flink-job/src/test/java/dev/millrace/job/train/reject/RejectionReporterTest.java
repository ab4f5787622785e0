package dev.millrace.job.train.reject;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Reasons, counted by kind and told after a while. */
class RejectionReporterTest {

  private OneInputStreamOperatorTestHarness<Rejection, String> harness;

  @BeforeEach
  void open() throws Exception {
    harness =
        new OneInputStreamOperatorTestHarness<>(new RejectionReporter(Duration.ofMillis(100)));
    harness.open();
  }

  @AfterEach
  void close() throws Exception {
    harness.close();
  }

  private void reject(long offset, String reason) throws Exception {
    harness.processElement(new Rejection("orders", 3, offset, reason), 0);
  }

  @Test
  void reasonsThatDifferInValuesAloneAreOne() throws Exception {
    reject(7, "field \"amount\": a number expected, \"abc\" found");
    reject(8, "field \"amount\": a number expected, \"x \\\"y\" found");
    reject(9, "field \"color\": a number expected, \"abc\" found");
    reject(10, "label 12 is out of range 0 to 6");
    reject(11, "label -3.5e7 is out of range 0 to 6");
    reject(12, "label 4 is out of range 0 to 6");

    harness.setProcessingTime(100);

    JsonNode told = told().get(0);
    assertThat(told.path("type").asText()).isEqualTo("rejections");
    assertThat(told.path("time").asLong()).isEqualTo(100);
    assertThat(told.path("reasons").findValuesAsText("count")).containsExactly("3", "2", "1");
    assertThat(told.at("/reasons/0/reason").asText()).isEqualTo("label … is out of range … to …");
    assertThat(told.at("/reasons/0/example").asText()).contains("label 12");
    assertThat(told.at("/reasons/0/offset").asLong()).isEqualTo(10);
    assertThat(told.at("/reasons/1/reason").asText())
        .isEqualTo("field \"amount\": a number expected, … found");
  }

  @Test
  void itTellsOnceAnIntervalAndAtTheEnd() throws Exception {
    harness.setProcessingTime(1_000);
    assertThat(told()).isEmpty();
    reject(1, "no label");
    harness.setProcessingTime(1_099);
    assertThat(told()).isEmpty();
    harness.setProcessingTime(1_100);
    harness.setProcessingTime(5_000);
    assertThat(told()).hasSize(1);

    reject(2, "no label");
    harness.endInput();
    assertThat(told()).hasSize(2);
    assertThat(told().get(1).at("/reasons/0/count").asLong()).isEqualTo(2);
    harness.setProcessingTime(9_000);
    assertThat(told()).hasSize(2);
  }

  /** Whatever producers write. */
  @Test
  void thereAreNotAnyNumberOfKinds() throws Exception {
    for (int i = 0; i < 1_000; i++) {
      reject(
          i,
          "reason"
              + "abcdefghij".charAt(i % 10)
              + "klmnopqrst".charAt(i / 10 % 10)
              + (char) ('A' + i / 100));
    }
    harness.endInput();

    JsonNode told = told().get(0);
    assertThat(told.path("reasons").size()).isEqualTo(20);
    assertThat(told.at("/reasons/0/reason").asText()).isEqualTo("others");
    assertThat(told.at("/reasons/0/count").asLong()).isEqualTo(900);
  }

  private List<JsonNode> told() {
    return harness.extractOutputValues().stream().map(RejectionReporterTest::parse).toList();
  }

  private static JsonNode parse(String text) {
    try {
      return new ObjectMapper().readTree(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
