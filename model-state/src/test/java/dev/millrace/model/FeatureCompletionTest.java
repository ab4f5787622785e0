package dev.millrace.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.model.features.LearnedFeatures;
import dev.millrace.model.features.Standardization;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.NumberColumns;
import dev.millrace.model.shape.Target;
import dev.millrace.model.testing.FieldShapes;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class FeatureCompletionTest {

  private static final float NONE = Float.NaN;

  private final ExampleShape shape = FieldShapes.flow(2);
  private final LearnedFeatures learned = FieldShapes.learned();

  @Test
  void numbersAreStandardizedAndWordsNumbered() {
    float[] features = {1, 3, 2, 0, 0, 0, 0, 0, 5, 0};

    FeatureCompletion.of(shape, learned).apply(features, new String[] {"http", "ü"}, null, 1);

    Standardization standardization = learned.statistics().standardization();
    float[] numbers = {3, 2, 5};
    standardization.apply(numbers, 1);
    // smtp was more frequent than http. The other word was seen once, so it waits.
    assertThat(features).containsExactly(1, numbers[0], numbers[1], 0, 0, 0, 1, 0, numbers[2], 0);
  }

  @Test
  void whatIsMissingIsTheMeanAndANumberOfItsOwn() {
    float[] features = {0, NONE, NONE, 0, 0, 0, 0, 0, NONE, 0};

    FeatureCompletion.of(shape, learned).apply(features, new String[2], null, 1);

    assertThat(features).containsExactly(0, 0, 0, 0, 1, 0, 0, 0, 0, 1);
  }

  @Test
  void beforeAnythingIsLearnedNumbersStayAndWordsAreOthers() {
    float[] features = {0, 7, NONE, 0, 0, 0, 0, 0, -1, 0};

    FeatureCompletion.none(shape).apply(features, new String[] {"http", "http"}, null, 1);

    assertThat(features).containsExactly(0, 7, 0, 1, 0, 0, 0, 0, -1, 0);
  }

  @Test
  void whatComesAfterASequencesEndStaysAsItIs() {
    ExampleShape sequences = FieldShapes.flows(3);
    float[] features = new float[2 * sequences.features()];
    float[] before = features.clone();
    String[] words = new String[2 * sequences.words()];
    int[] steps = {1, 3};

    FeatureCompletion.of(sequences, learned).apply(features, words, steps, 2);

    int width = FieldShapes.WIDTH;
    assertThat(Arrays.copyOfRange(features, width, 3 * width))
        .containsExactly(Arrays.copyOfRange(before, width, 3 * width));
    assertThat(Arrays.copyOfRange(features, 3 * width, 4 * width))
        .containsExactly(Arrays.copyOfRange(features, 5 * width, 6 * width))
        .isNotEqualTo(Arrays.copyOf(before, width));
  }

  @Test
  void stepsHaveWordsOfTheirOwn() {
    ExampleShape sequences = FieldShapes.flows(2);
    float[] features = new float[sequences.features()];

    FeatureCompletion.of(sequences, learned)
        .apply(features, new String[] {"http", null, "smtp", null}, new int[] {2}, 1);

    assertThat(Arrays.copyOfRange(features, 3, 8)).containsExactly(0, 0, 0, 1, 0);
    assertThat(Arrays.copyOfRange(features, 13, 18)).containsExactly(0, 0, 1, 0, 0);
  }

  /** As ever, bit by bit. */
  @Test
  void arraysOfNumbersAreStandardizedWhole() {
    Random random = new Random(5);
    ExampleShape plain = new ExampleShape(6, 1, Target.REGRESSION);
    FeatureStatistics statistics = new FeatureStatistics(6);
    float[] features = new float[60];
    for (int i = 0; i < features.length; i++) {
      features[i] = random.nextFloat() * 100;
    }
    statistics.add(features, 10);
    float[] expected = features.clone();
    statistics.standardization().apply(expected, 10);

    FeatureCompletion.of(plain, LearnedFeatures.of(statistics))
        .apply(features, new String[0], null, 10);

    assertThat(features).containsExactly(expected);
  }

  @Test
  void vocabulariesOfOtherExamplesAreRefused() {
    LearnedFeatures none = LearnedFeatures.of(new FeatureStatistics(3));

    assertThatThrownBy(() -> FeatureCompletion.of(shape, none))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("0 vocabularies, and examples with 2 words");
  }

  @Test
  void numbersAreGatheredWithoutWhatComesAfterASequencesEnd() {
    ExampleShape sequences = FieldShapes.flows(2);
    float[] features = new float[2 * sequences.features()];
    for (int i = 0; i < features.length; i++) {
      features[i] = i;
    }
    int[] steps = {1, 2};
    NumberColumns numbers = new NumberColumns(sequences);

    int rows = numbers.gather(features, steps, 2);

    assertThat(rows).isEqualTo(3);
    assertThat(Arrays.copyOf(numbers.values(), 9)).containsExactly(1, 2, 8, 21, 22, 28, 31, 32, 38);
    assertThat(NumberColumns.feature(sequences, 2)).isEqualTo(8);
    assertThat(NumberColumns.count(sequences)).isEqualTo(3);
  }
}
