package dev.millrace.cli.models;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.model.features.LearnedFeatures;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import dev.millrace.model.testing.FieldShapes;
import java.io.IOException;
import org.junit.jupiter.api.Test;

final class FieldsTableTest {

  @Test
  void eachFieldSaysWhatIsLearnedOfIt() throws IOException {
    String text = FieldsTable.text(Inspection.features(FieldShapes.flow(2), FieldShapes.learned()));

    assertThat(text.lines().map(line -> line.replaceAll(" +", " ")))
        .containsExactly(
            "field kind learned",
            "flag boolean",
            "duration number mean 2.500, deviation 1.500, of 2 examples",
            "bytes number mean 2.000, deviation 0.000, of 1 examples, missing in 1",
            "service category 2 of 3 words: smtp, http; 1 others, 1 missing",
            "rate number mean 1.550, deviation 1.450, of 2 examples",
            "host category 0 of 2 words; 1 others, 6 missing");
  }

  @Test
  void arraysOfNumbersHaveNone() throws IOException {
    assertThat(
            Inspection.features(
                new ExampleShape(2, 1, Target.REGRESSION),
                LearnedFeatures.of(new FeatureStatistics(2))))
        .isNull();
  }
}
