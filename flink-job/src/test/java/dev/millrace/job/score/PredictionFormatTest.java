package dev.millrace.job.score;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.model.ModelVersion;
import dev.millrace.model.Partition;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.ExampleStructure;
import dev.millrace.model.shape.ExampleStructure.Output;
import dev.millrace.model.shape.FeatureColumns;
import dev.millrace.model.shape.IndexRange;
import dev.millrace.model.shape.Target;
import java.util.List;
import org.junit.jupiter.api.Test;

/** As docs/internals/formats.md has it. */
class PredictionFormatTest {

  private static final String ORIGIN =
      "\"version\":\"2.300\",\"topic\":\"flowers\",\"partition\":3,\"offset\":42,\"latency_ms\":7}";

  @Test
  void aClassHasItsNameOrItsNumber() {
    assertThat(write(Target.CLASSIFICATION, List.of("setosa", "versicolor"), 0.25f, 0.75f))
        .isEqualTo(
            "{\"id\":\"a\\\"1\",\"class\":\"versicolor\",\"probabilities\":[0.25,0.75]," + ORIGIN);
    assertThat(write(Target.CLASSIFICATION, List.of(), 0.5f, 0.5f))
        .isEqualTo("{\"id\":\"a\\\"1\",\"class\":0,\"probabilities\":[0.5,0.5]," + ORIGIN);
  }

  @Test
  void labelsHaveScoresAndRegressionHasValues() {
    assertThat(write(Target.MULTI_LABEL, List.of(), 1e-3f, 1f))
        .isEqualTo("{\"id\":\"a\\\"1\",\"scores\":[0.001,1.0]," + ORIGIN);
    assertThat(write(Target.REGRESSION, List.of(), -1e10f, 3f))
        .isEqualTo("{\"id\":\"a\\\"1\",\"values\":[-1.0E10,3.0]," + ORIGIN);
  }

  @Test
  void whatIsNoNumberIsNull() {
    assertThat(write(Target.CLASSIFICATION, List.of(), Float.NaN, Float.NaN))
        .contains("\"class\":null,\"probabilities\":[null,null]");
    assertThat(write(Target.REGRESSION, List.of(), Float.POSITIVE_INFINITY, 1))
        .contains("\"values\":[null,1.0]");
  }

  @Test
  void leavesOutIdAndLatencyWhereThereIsNone() {
    PredictionFormat format = format(Target.REGRESSION, List.of());
    Prediction bare = prediction(null, -1, 1f, 2f);

    assertThat(new String(format.write(bare, 107), UTF_8))
        .isEqualTo(
            "{\"values\":[1.0,2.0],\"version\":\"2.300\",\"topic\":\"flowers\",\"partition\":3,"
                + "\"offset\":42}");
  }

  @Test
  void clocksThatDisagreeMakeNoNegativeLatency() {
    PredictionFormat format = format(Target.REGRESSION, List.of());

    assertThat(new String(format.write(prediction("a", 200, 1f, 2f), 107), UTF_8))
        .contains("\"latency_ms\":0");
  }

  @Test
  void eachStepOfASequenceHasItsOwn() {
    ExampleShape shape =
        new ExampleShape(
            8, 2, Target.CLASSIFICATION, FeatureColumns.PLAIN, new ExampleStructure(4, true));
    PredictionFormat format = new PredictionFormat(shape, List.of("no", "yes"));

    assertThat(new String(format.write(prediction(null, -1, 1, 0, 0.25f, 0.75f), 0), UTF_8))
        .startsWith(
            "{\"class\":[\"no\",\"yes\"],\"probabilities\":[[1.0,0.0],[0.25,0.75]],\"version\"");
  }

  @Test
  void eachOutputHasItsName() {
    ExampleShape shape =
        new ExampleShape(
            8,
            3,
            Target.REGRESSION,
            FeatureColumns.PLAIN,
            new ExampleStructure(
                0,
                false,
                List.of(),
                List.of(
                    new Output("amount", new IndexRange(0, 1), Target.REGRESSION),
                    new Output("kind", new IndexRange(1, 3), Target.CLASSIFICATION))));
    PredictionFormat format = new PredictionFormat(shape, List.of());

    assertThat(new String(format.write(prediction(null, -1, 5, 0.25f, 0.75f), 0), UTF_8))
        .startsWith(
            "{\"outputs\":{\"amount\":{\"values\":[5.0]},"
                + "\"kind\":{\"class\":1,\"probabilities\":[0.25,0.75]}},\"version\"");
  }

  private static String write(Target target, List<String> classes, float... outputs) {
    return new String(format(target, classes).write(prediction("a\"1", 100, outputs), 107), UTF_8);
  }

  private static PredictionFormat format(Target target, List<String> classes) {
    return new PredictionFormat(new ExampleShape(4, 2, target), classes);
  }

  private static Prediction prediction(String id, long appended, float... outputs) {
    return new Prediction(
        new ModelVersion(2, 300), outputs, null, id, new Partition("flowers", 3), 42, appended);
  }
}
