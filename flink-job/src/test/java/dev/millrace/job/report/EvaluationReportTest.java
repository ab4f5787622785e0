package dev.millrace.job.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.millrace.evaluation.ModelEvaluation;
import dev.millrace.example.RejectedRecord;
import dev.millrace.job.evaluation.Findings;
import dev.millrace.model.ExampleShape;
import dev.millrace.model.Partition;
import dev.millrace.model.Target;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class EvaluationReportTest {

  @Test
  void jsonHasTheMeasuresAtItsTop() throws IOException {
    JsonNode json = json(report(Target.CLASSIFICATION));

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
    JsonNode json = json(EvaluationReport.of(subject(Target.CLASSIFICATION), none()));

    assertThat(json.get("examples").asLong()).isZero();
    assertThat(json.get("accuracy").isNull()).isTrue();
    assertThat(json.at("/classes/0/auc").isNull()).isTrue();
  }

  @Test
  void rejectedRecordsSayWhereTheyAre() throws IOException {
    JsonNode rejected = json(report(Target.CLASSIFICATION)).get("rejected");

    assertThat(rejected.get("count").asLong()).isEqualTo(1);
    assertThat(rejected.at("/first/0/where").asText()).isEqualTo("animals-3, offset 17");
    assertThat(rejected.at("/first/0/reason").asText()).isEqualTo("2 features expected, 1 found");
  }

  @ParameterizedTest
  @EnumSource
  void aPageNeedsNothingElse(Target target) {
    String page = report(target).toPage();

    assertThat(page)
        .startsWith("<!DOCTYPE html>")
        .endsWith("</html>\n")
        .contains(
            "model-2.300.zip",
            "topic:animals",
            "Left out are 1 of 3 examples",
            "Rejected are 1 of 4",
            "offset 17")
        .contains("<svg", "&lt;cat&gt; &amp; &quot;dog&quot;")
        .doesNotContain("<script", "http", "<cat>", "NaN", "Infinity", "null");
  }

  @ParameterizedTest
  @EnumSource
  void aPageOfNoExampleSaysSo(Target target) {
    String page =
        EvaluationReport.of(subject(target), Findings.none(new ExampleShape(2, 2, target)))
            .toPage();

    assertThat(page)
        .contains("There is no example to measure")
        .doesNotContain("NaN", "Infinity", "null");
  }

  @Test
  void ofVeryManyClassesTheWorstAreShown() {
    ExampleShape shape = new ExampleShape(1, 300, Target.CLASSIFICATION);
    ModelEvaluation evaluation = ModelEvaluation.of(shape);
    for (int label = 0; label < 300; label++) {
      float[] labels = new float[300];
      float[] predictions = new float[300];
      labels[label] = 1;
      predictions[label % 2 == 0 ? label : 1] = 1;
      evaluation.add(predictions, labels, 1);
    }
    List<String> names = IntStream.range(0, 300).mapToObj(i -> "class-" + i).toList();
    Findings findings = Findings.none(shape);
    findings.evaluation().merge(evaluation);
    String page =
        EvaluationReport.of(
                new ReportSubject(model(), new ReportSubject.Data("csv:x", null), shape, names),
                findings)
            .toPage();

    assertThat(page)
        .contains("The 100 of 300 with the least F1", "Most frequent mistakes")
        .doesNotContain("<td style");
  }

  private static JsonNode json(EvaluationReport report) throws IOException {
    return new JsonMapper().readTree(report.toJson());
  }

  private static Findings none() {
    return Findings.none(new ExampleShape(2, 2, Target.CLASSIFICATION));
  }

  private static EvaluationReport report(Target target) {
    ReportSubject subject = subject(target);
    Findings findings = Findings.none(subject.shape());
    findings
        .evaluation()
        .add(
            new float[] {0.25f, 0.75f, 0.25f, 0.75f, Float.NaN, 0},
            new float[] {1, 0, 0, 1, 1, 0},
            3);
    findings
        .rejected()
        .add(
            new RejectedRecord(
                new Partition("animals", 3), 17, 0, null, null, "2 features expected, 1 found"));
    return EvaluationReport.of(subject, findings);
  }

  private static ReportSubject subject(Target target) {
    return new ReportSubject(
        model(),
        new ReportSubject.Data("topic:animals", null),
        new ExampleShape(2, 2, target),
        List.of("<cat> & \"dog\"", "emu"));
  }

  private static ReportSubject.Model model() {
    return new ReportSubject.Model(
        "models/model-2.300.zip", "2.300", "dl4j", "MultiLayerNetwork", 30, true);
  }
}
