package dev.millrace.job.evaluate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.millrace.example.Example;
import dev.millrace.example.Received;
import dev.millrace.example.RejectedRecord;
import dev.millrace.job.evaluate.report.EvaluatedModel;
import dev.millrace.job.evaluate.report.Evaluator;
import dev.millrace.job.evaluate.report.ReportSubject;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.Partition;
import dev.millrace.model.testing.SummingEngine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The operators that measure, at parallelism 2, and the one that puts together what they found. The
 * model predicts the feature plus 10.
 */
@SuppressWarnings("try") // A harness may be interrupted while it closes: no test is.
class EvaluatorOperatorTest {

  private static final ModelSpec SPEC = SummingEngine.spec(1);
  private static final Partition FILE = new Partition("examples.csv", 0);
  private static final int EXAMPLES = 1_000;

  @TempDir private Path directory;

  @Test
  void anEvaluatorTellsWhatItFoundOnceWhenItsInputEnds() throws Exception {
    try (var evaluator = evaluator(1, 0)) {
      for (int i = 0; i < EXAMPLES; i++) {
        evaluator.processElement(new StreamRecord<>(example(i)));
      }
      assertThat(evaluator.getOutput()).isEmpty();

      evaluator.endInput();

      assertThat(evaluator.getOutput()).hasSize(1);
      assertThat(
              evaluator
                  .getOperator()
                  .getRuntimeContext()
                  .getLongCounter(EvaluationTopology.RECORDS)
                  .getLocalValuePrimitive())
          .isEqualTo(EXAMPLES);
    }
  }

  @Test
  void twoEvaluatorsAndOneReportOfAllThatBothFound() throws Exception {
    String json = report("evaluation.json", evaluate(2, 0), evaluate(2, 1));

    JsonNode report = new JsonMapper().readTree(json);
    assertThat(report.get("examples").asLong()).isEqualTo(EXAMPLES);
    assertThat(report.at("/rejected/count").asLong()).isEqualTo(2);
    assertThat(report.at("/rejected/first"))
        .extracting(reason -> reason.get("where").asText())
        .containsExactly("line 1000", "line 1001");
    assertThat(report.at("/mean/meanAbsoluteError").asDouble()).isEqualTo(10);
  }

  @Test
  void howManyEvaluatorsThereAreMakesNoDifference() throws Exception {
    String one = report("one.json", evaluate(1, 0));

    assertThat(report("two.json", evaluate(2, 1), evaluate(2, 0))).isEqualTo(one);
  }

  @Test
  void noReportIsWrittenBeforeAllHaveEnded() throws Exception {
    try (var report = report(directory.resolve("early.json"))) {
      report.processElement(new StreamRecord<>(evaluate(2, 0)));

      assertThat(report.getOutput()).isEmpty();
      assertThat(directory).isEmptyDirectory();
    }
  }

  @Test
  void aReportThatCannotBeWrittenFailsTheTask() throws Exception {
    Path inTheWay = Files.writeString(directory.resolve("file"), "in the way");
    try (var report = report(inTheWay.resolve("evaluation.json"))) {
      assertThatThrownBy(report::endInput)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("The report can't be written")
          .hasMessageContaining("evaluation.json");
    }
  }

  /** Has an evaluator measure its part, batch by batch in turns, and one rejected record. */
  private static byte[] evaluate(int parallelism, int index) throws Exception {
    try (var evaluator = evaluator(parallelism, index)) {
      for (int i = 0; i < EXAMPLES; i++) {
        if (i / Evaluator.BATCH % parallelism == index) {
          evaluator.processElement(new StreamRecord<>(example(i)));
        }
      }
      for (int line = EXAMPLES; line < EXAMPLES + 2; line++) {
        if (line % parallelism == index) {
          evaluator.processElement(
              new StreamRecord<>(new RejectedRecord(FILE, line, 0, null, null, "no number")));
        }
      }
      evaluator.endInput();
      return evaluator.extractOutputValues().get(0);
    }
  }

  /** The report of what evaluators found, as JSON. */
  private String report(String name, byte[]... found) throws Exception {
    Path file = directory.resolve(name);
    try (var report = report(file)) {
      for (byte[] findings : found) {
        report.processElement(new StreamRecord<>(findings));
      }
      report.endInput();
      assertThat(report.extractOutputValues()).containsExactly(file.toUri().toString());
    }
    return Files.readString(file);
  }

  private static OneInputStreamOperatorTestHarness<Received, byte[]> evaluator(
      int parallelism, int index) throws Exception {
    OneInputStreamOperatorTestHarness<Received, byte[]> harness =
        new OneInputStreamOperatorTestHarness<>(
            new EvaluatorOperator(new EvaluatedModel(SPEC, new float[] {10}, null), null),
            parallelism,
            parallelism,
            index);
    harness.open();
    return harness;
  }

  private static OneInputStreamOperatorTestHarness<byte[], String> report(Path file)
      throws Exception {
    ReportSubject subject =
        new ReportSubject(
            new ReportSubject.Model("model.zip", null, SummingEngine.NAME, "sum", 1, false),
            new ReportSubject.Data("examples.csv", null),
            SPEC.shape(),
            List.of("y"));
    OneInputStreamOperatorTestHarness<byte[], String> harness =
        new OneInputStreamOperatorTestHarness<>(
            new ReportOperator(subject, file.toUri().toString()));
    harness.open();
    return harness;
  }

  /** The label is the feature. */
  private static Example example(int number) {
    Example example = new Example(SPEC.shape());
    example.features()[0] = number;
    example.labels()[0] = number;
    example.setOrigin(FILE, number);
    return example;
  }
}
