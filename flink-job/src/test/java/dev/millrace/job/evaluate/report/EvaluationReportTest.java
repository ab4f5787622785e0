package dev.millrace.job.evaluate.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.millrace.job.testing.Reports;
import dev.millrace.model.shape.Target;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class EvaluationReportTest {

  @Test
  void jsonHasTheMeasuresAtItsTop() throws IOException {
    JsonNode json = json(Reports.of(Target.CLASSIFICATION));

    assertThat(json.get("format").asInt()).isEqualTo(1);
    assertThat(json.at("/model/version").asText()).isEqualTo("2.300");
    assertThat(json.at("/data/source").asText()).isEqualTo("topic:animals");
    assertThat(json.at("/shape/target").asText()).isEqualTo("CLASSIFICATION");
    assertThat(json.get("examples").asLong()).isEqualTo(2);
    assertThat(json.get("unusable").asLong()).isEqualTo(1);
    assertThat(json.get("accuracy").asDouble()).isEqualTo(0.5);
    assertThat(json.at("/classes/0/name").asText()).isEqualTo("<cat> & \"dog\"");
    assertThat(json.at("/classes/0/roc/thresholds/0").asDouble()).isEqualTo(1);
    assertThat(json.at("/confusion/0/1").asLong()).isEqualTo(1);
    assertThat(json.at("/confusion/1/1").asLong()).isEqualTo(1);
  }

  @Test
  void undefinedMeasuresAreNull() throws IOException {
    JsonNode json = json(Reports.ofNoExample(Target.CLASSIFICATION));

    assertThat(json.get("examples").asLong()).isZero();
    assertThat(json.get("accuracy").isNull()).isTrue();
    assertThat(json.at("/classes/0/auc").isNull()).isTrue();
  }

  @Test
  void rejectedRecordsSayWhereTheyAre() throws IOException {
    JsonNode rejected = json(Reports.of(Target.CLASSIFICATION)).get("rejected");

    assertThat(rejected.get("count").asLong()).isEqualTo(1);
    assertThat(rejected.at("/first/0/where").asText()).isEqualTo("animals-3, offset 17");
    assertThat(rejected.at("/first/0/reason").asText()).isEqualTo("2 features expected, 1 found");
  }

  @ParameterizedTest
  @EnumSource
  void whatIsReadIsWhatWasWritten(Target target) throws IOException {
    String json = Reports.of(target).toJson();

    assertThat(EvaluationReport.parse(json).toJson()).isEqualTo(json);
  }

  @Test
  void whatIsNoReportIsRefused() {
    assertThatIOException()
        .isThrownBy(() -> EvaluationReport.parse("{\"format\": 2}"))
        .withMessage("it is no evaluation of format 1");
    assertThatIOException().isThrownBy(() -> EvaluationReport.parse("no json"));
    assertThatIOException().isThrownBy(() -> EvaluationReport.parse(""));
    assertThatIOException().isThrownBy(() -> EvaluationReport.parse("{\"format\": 1}"));
  }

  private static JsonNode json(EvaluationReport report) throws IOException {
    return new JsonMapper().readTree(report.toJson());
  }
}
