package dev.millrace.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.evaluation.ModelEvaluation;
import dev.millrace.job.evaluate.report.EvaluationReport;
import dev.millrace.job.evaluate.report.Findings;
import dev.millrace.job.evaluate.report.ReportSubject;
import dev.millrace.job.testing.Reports;
import dev.millrace.model.ExampleShape;
import dev.millrace.model.Target;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ReportPageTest {

  private static final Pattern PICTURE = Pattern.compile("base64,([^\"]+)");

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
        .contains("data:image/png;base64,", "&lt;cat&gt; &amp; &quot;dog&quot;")
        .doesNotContain("<script", "http", "Not drawn", "<cat>", "NaN", "Infinity", "null");
  }

  @ParameterizedTest
  @EnumSource
  void aPageOfNoExampleSaysSo(Target target) {
    String page = page(Reports.ofNoExample(target));

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
  void itsPicturesShowTheMeasures(Target target) throws IOException {
    Matcher pictures = PICTURE.matcher(page(Reports.of(target)));

    int found = 0;
    for (; pictures.find(); found++) {
      byte[] png = Base64.getDecoder().decode(pictures.group(1));
      BufferedImage picture = ImageIO.read(new ByteArrayInputStream(png));
      int first = 0;
      for (int y = 0; y < picture.getHeight(); y++) {
        for (int x = 0; x < picture.getWidth(); x++) {
          first += (picture.getRGB(x, y) & 0xFFFFFF) == 0x0072B2 ? 1 : 0;
        }
      }
      assertThat(first).as("pixels of the first line").isGreaterThan(20);
    }
    assertThat(found)
        .isEqualTo(target == Target.REGRESSION ? 1 : target == Target.CLASSIFICATION ? 2 : 3);
  }

  private static String page(EvaluationReport report) {
    return new ReportPage(report).write();
  }
}
