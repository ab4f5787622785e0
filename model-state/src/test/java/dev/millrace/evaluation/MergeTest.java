package dev.millrace.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import dev.millrace.model.testing.Seeds;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class MergeTest {

  private static final int OUTPUTS = 5;
  private static final List<String> NAMES =
      IntStream.range(0, OUTPUTS).mapToObj(Integer::toString).toList();

  @ParameterizedTest
  @CsvSource({
    "CLASSIFICATION, 5",
    "CLASSIFICATION, 2",
    "MULTI_LABEL, 5",
    "MULTI_LABEL, 1",
    "REGRESSION, 5"
  })
  void anyPartsMergedAreOnePass(Target target, int outputs) throws IOException {
    long seed = Seeds.next();
    RandomRows rows = new RandomRows(new ExampleShape(1, outputs, target), seed);
    ModelEvaluation onePass = ModelEvaluation.of(rows.shape());
    ModelEvaluation merged = ModelEvaluation.of(rows.shape());
    for (int part = 0; part < 7; part++) {
      ModelEvaluation ofPart = ModelEvaluation.of(rows.shape());
      for (int batch = 0; batch < part; batch++) {
        rows.next();
        onePass.add(rows.predictions(), rows.labels(), rows.count());
        ofPart.add(rows.predictions(), rows.labels(), rows.count());
      }
      // The first part is empty, and each goes through its bytes.
      merged.merge(copy(ofPart));
    }

    assertThat(merged.examples()).as("seed %d", seed).isPositive();
    assertThat(merged.unusable()).as("seed %d", seed).isEqualTo(onePass.unusable());
    List<String> names = NAMES.subList(0, outputs);
    assertThat(merged.result(names))
        .as("seed %d", seed)
        .usingRecursiveComparison()
        .isEqualTo(onePass.result(names));
  }

  @Test
  void whatIsMergedInStaysAsItIs() {
    RandomRows rows = new RandomRows(new ExampleShape(1, OUTPUTS, Target.CLASSIFICATION), 1);
    ModelEvaluation part = ModelEvaluation.of(rows.shape());
    rows.next();
    part.add(rows.predictions(), rows.labels(), rows.count());
    EvaluationResult before = part.result(NAMES);
    ModelEvaluation merged = ModelEvaluation.of(rows.shape());
    merged.merge(part);
    merged.merge(part);

    assertThat(part.result(NAMES)).usingRecursiveComparison().isEqualTo(before);
    assertThat(merged.examples()).isEqualTo(2 * part.examples());
  }

  @Test
  void otherShapesAreRefused() {
    ModelEvaluation one = ModelEvaluation.of(new ExampleShape(1, 2, Target.CLASSIFICATION));
    ModelEvaluation other = ModelEvaluation.of(new ExampleShape(1, 3, Target.CLASSIFICATION));

    assertThatThrownBy(() -> one.merge(other)).isInstanceOf(IllegalArgumentException.class);
  }

  private static ModelEvaluation copy(ModelEvaluation evaluation) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    var wire = ModelEvaluation.wire(evaluation.shape());
    wire.write(evaluation, new DataOutputStream(bytes));
    return wire.read(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));
  }
}
