package dev.millrace.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.evaluation.ModelEvaluation;
import dev.millrace.job.evaluate.report.EvaluationReport;
import dev.millrace.job.evaluate.report.Findings;
import dev.millrace.job.evaluate.report.ReportSubject;
import dev.millrace.job.testing.Reports;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.io.IOException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ReportPageTest {

  private static final Pattern CHART =
      Pattern.compile("<figure class=\"plot\"><script type=\"application/json\">([^<]+)</script>");

  @ParameterizedTest
  @EnumSource
  void aPageNeedsNothingElse(Target target) {
    String page = page(Reports.of(target));

    assertThat(page)
        .startsWith("<!DOCTYPE html>")
        .endsWith("</html>\n")
        .contains(
            "model-2.300.zip",
            "topic:animals",
            "Left out are 1 of 3 examples",
            "Rejected are 1 of 4",
            "offset 17")
        .contains("&lt;cat&gt; &amp; &quot;dog&quot;")
        .doesNotContain("src=", "<cat>");
    assertThat(content(page)).doesNotContain("http", "NaN", "Infinity", "null");
  }

  @ParameterizedTest
  @EnumSource
  void aPageOfNoExampleSaysSo(Target target) {
    String page = page(Reports.ofNoExample(target));

    assertThat(page).contains("There is no example to measure");
    assertThat(content(page)).doesNotContain("NaN", "Infinity", "null");
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
        page(
            EvaluationReport.of(
                new ReportSubject(
                    Reports.model(), new ReportSubject.Data("csv:x", null), shape, names),
                findings));

    assertThat(page)
        .contains("The 100 of 300 with the least F1", "Most frequent mistakes")
        .doesNotContain("<td style");
  }

  @ParameterizedTest
  @EnumSource
  void itsChartsShowTheMeasures(Target target) throws IOException {
    Matcher charts = CHART.matcher(page(Reports.of(target)));

    int found = 0;
    for (; charts.find(); found++) {
      JsonNode chart = new ObjectMapper().readTree(charts.group(1));
      assertThat(chart.path("mostX").asDouble()).isPositive();
      assertThat(chart.at("/series/0/points").size()).isPositive();
      for (JsonNode series : chart.path("series")) {
        double last = 0;
        for (JsonNode point : series.path("points")) {
          assertThat(point.get(0).asDouble()).isGreaterThanOrEqualTo(last);
          last = point.get(0).asDouble();
        }
      }
    }
    assertThat(found)
        .isEqualTo(target == Target.REGRESSION ? 1 : target == Target.CLASSIFICATION ? 2 : 3);
  }

  /** Without scripts and styles. */
  private static String content(String page) {
    return page.substring(page.indexOf("<main>"), page.indexOf("</main>"));
  }

  private static String page(EvaluationReport report) {
    return new ReportPage(report).write();
  }
}
