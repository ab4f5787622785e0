package dev.millrace.job.train.measure;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.exchange.segment.SegmentRule;
import dev.millrace.exchange.segment.SegmentRule.Kind;
import dev.millrace.exchange.segment.SegmentSamples;
import dev.millrace.model.Measures;
import dev.millrace.model.MeasuresSum;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.metrics.groups.AbstractMetricGroup;
import org.apache.flink.runtime.metrics.groups.GenericMetricGroup;
import org.apache.flink.runtime.metrics.util.TestingMetricRegistry;
import org.junit.jupiter.api.Test;

class SegmentReportsTest {

  private static final SegmentRule RULE = new SegmentRule(Kind.PERIOD, 0.1, 10, 5);

  private final Set<String> registered = new TreeSet<>();

  @Test
  void metricsOfASegmentThatIsGoneEnd() {
    SegmentReports reports =
        new SegmentReports(Target.CLASSIFICATION, RULE, new SegmentSamples(RULE), group());

    tell(reports, 3, 4);
    assertThat(registered).containsExactlyInAnyOrder("period-3", "period-4");
    tell(reports, 4, 5);

    assertThat(registered).containsExactlyInAnyOrder("period-4", "period-5");
  }

  @Test
  void segmentsOfTwoClassesHaveAnArea() throws IOException {
    SegmentReports reports =
        new SegmentReports(Target.MULTI_LABEL, RULE, new SegmentSamples(RULE), group());
    MeasuresSum sum = new MeasuresSum();
    sum.add(
        new ExampleShape(1, 1, Target.MULTI_LABEL),
        new float[] {0.75f, 0.5f},
        new float[] {1, 0},
        null,
        2);

    JsonNode record =
        new ObjectMapper()
            .readTree(
                reports.tell(new ModelVersion(1, 1), List.of(new SegmentResult(3, sum.get())), 0));

    JsonNode segment = record.at("/segments/0");
    assertThat(segment.get("auc").asDouble()).isEqualTo(1);
    assertThat(segment.get("calibrationRatio").asDouble()).isEqualTo(1.25);
    assertThat(segment.has("normalizedEntropy")).isTrue();
  }

  private static void tell(SegmentReports reports, long... segments) {
    List<SegmentResult> results =
        Arrays.stream(segments).mapToObj(one -> new SegmentResult(one, Measures.NONE)).toList();
    assertThat(reports.tell(new ModelVersion(1, 1), results, 0)).contains("segments");
  }

  private MetricGroup group() {
    TestingMetricRegistry registry =
        TestingMetricRegistry.builder()
            .setRegisterConsumer((metric, name, of) -> note(name, of, true))
            .setUnregisterConsumer((metric, name, of) -> note(name, of, false))
            .build();
    return new GenericMetricGroup(registry, null, "test");
  }

  private void note(String name, AbstractMetricGroup<?> of, boolean there) {
    String segment = of.getAllVariables().get("<segment>");
    if (segment != null && name.equals("score")) {
      if (there) {
        registered.add(segment);
      } else {
        registered.remove(segment);
      }
    }
  }
}
