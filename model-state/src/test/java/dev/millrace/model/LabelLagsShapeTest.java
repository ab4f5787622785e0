package dev.millrace.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.model.features.LearnedFeatures;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.ExampleStructure;
import dev.millrace.model.shape.FeatureColumns;
import dev.millrace.model.shape.NumberColumns;
import dev.millrace.model.shape.Target;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class LabelLagsShapeTest {

  private static final ExampleShape PLAIN = new ExampleShape(2, 3, Target.CLASSIFICATION);

  @Test
  void labelsOfRecordsBeforeAreTheLastFeatures() {
    ExampleShape shape = PLAIN.withLabelLags(4);

    assertThat(shape.features()).isEqualTo(14);
    assertThat(shape.recordFeatures()).isEqualTo(2);
    assertThat(shape.ofRecords()).isEqualTo(PLAIN);
    assertThat(PLAIN.withLabelLags(0)).isSameAs(PLAIN);
    assertThat(PLAIN.ofRecords()).isSameAs(PLAIN);
    assertThat(shape).isNotEqualTo(new ExampleShape(14, 3, Target.CLASSIFICATION));
  }

  @Test
  void classesStayAsTheyAreAndTheRecordsOwnNumbersAreStandardized() {
    ExampleShape shape = PLAIN.withLabelLags(1);
    FeatureStatistics known = FeatureStatistics.of(100, new double[] {10, 20}, new double[] {2, 4});
    float[] features = {12, 16, 0, 1, 0};

    FeatureCompletion.of(shape, LearnedFeatures.of(known)).apply(features, new String[0], null, 1);

    assertThat(NumberColumns.count(shape)).isEqualTo(2);
    assertThat(features).containsExactly(1, -1, 0, 1, 0);
  }

  @Test
  void numbersAreStandardizedAsOtherFeatures() {
    assertThat(NumberColumns.count(new ExampleShape(2, 1, Target.REGRESSION).withLabelLags(3)))
        .isEqualTo(5);
  }

  @Test
  void descriptionsSayItAndThoseWithoutStayAsTheyWere() throws IOException {
    JsonMapper mapper = new JsonMapper();

    assertThat(mapper.writeValueAsString(PLAIN)).doesNotContain("labelLags");
    ExampleShape shape = PLAIN.withLabelLags(2);
    String json = mapper.writeValueAsString(shape);
    assertThat(json).contains("\"labelLags\":2");
    assertThat(mapper.readValue(json, ExampleShape.class)).isEqualTo(shape);
  }

  @Test
  void sequencesHaveNone() {
    ExampleShape sequences =
        new ExampleShape(
            6,
            3,
            Target.CLASSIFICATION,
            FeatureColumns.PLAIN,
            new ExampleStructure(3, false, List.of(), List.of()));

    assertThatIllegalArgumentException().isThrownBy(() -> sequences.withLabelLags(1));
  }
}
