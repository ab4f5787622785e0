package dev.millrace.model;

import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.model.features.LearnedFeatures;
import dev.millrace.model.features.Standardization;
import dev.millrace.model.features.Vocabularies;
import dev.millrace.model.features.Vocabulary;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.NumberColumns;
import dev.millrace.model.shape.WordColumn;
import java.io.Serializable;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Completes features by what a model has learned of them: numbers are standardized, a missing one
 * becomes 0, the mean, and words become features by their numbers. What has neither stays as it is.
 *
 * <p>Training, scoring, evaluation and hold-out set all complete features by {@link #apply}. It is
 * immutable: any thread may use it.
 */
public final class FeatureCompletion implements Serializable {

  private final ExampleShape shape;
  private final Standardization standardizationOrNull;
  private final Vocabulary[] vocabularies;
  private final WordColumn[] words;

  /** Which features are numbers, of an example or of a step. */
  private final int[] numbers;

  /** Whether features are one array for each example, all of them numbers. */
  private final boolean whole;

  private FeatureCompletion(
      ExampleShape shape, Standardization standardizationOrNull, List<Vocabulary> vocabularies) {
    this.shape = shape;
    this.standardizationOrNull = standardizationOrNull;
    this.vocabularies = vocabularies.toArray(Vocabulary[]::new);
    this.words = shape.columns().words().toArray(WordColumn[]::new);
    this.numbers =
        NumberColumns.ranges(shape).stream()
            .flatMapToInt(range -> IntStream.range(range.from(), range.to()))
            .toArray();
    this.whole = NumberColumns.areAll(shape);
  }

  /** Returns a completion by what is known now; what is learned later doesn't change it. */
  public static FeatureCompletion of(ExampleShape shape, LearnedFeatures learned) {
    return of(shape, learned.statistics(), learned.vocabularies());
  }

  /**
   * Returns a completion by statistics and vocabularies that aren't together; what is learned later
   * doesn't change it.
   */
  public static FeatureCompletion of(
      ExampleShape shape, FeatureStatistics statistics, Vocabularies vocabularies) {
    List<WordColumn> words = shape.columns().words();
    if (vocabularies.columns() != words.size()) {
      throw new IllegalArgumentException(
          "%s vocabularies, and examples with %s words"
              .formatted(vocabularies.columns(), words.size()));
    }
    return new FeatureCompletion(
        shape,
        statistics.features() == 0 ? null : statistics.standardization(),
        IntStream.range(0, words.size()).mapToObj(vocabularies::of).toList());
  }

  /** Returns the completion before anything is learned, and where nothing is. */
  public static FeatureCompletion none(ExampleShape shape) {
    return of(shape, LearnedFeatures.none(shape, false));
  }

  /** Returns a completion of examples without words. */
  public static FeatureCompletion of(ExampleShape shape, Standardization standardization) {
    return new FeatureCompletion(shape, standardization, List.of());
  }

  /**
   * Completes the first {@code rows} examples in place, once.
   *
   * @param features rows of {@code shape.features()}
   * @param ofExamples words, rows of {@code shape.words()}, null for a missing one
   * @param stepsOrNull of each row's sequence; null where examples are none. What comes behind
   *     stays as it is
   */
  public void apply(float[] features, String[] ofExamples, int[] stepsOrNull, int rows) {
    if (whole) {
      if (standardizationOrNull != null) {
        standardizationOrNull.apply(features, rows);
      }
      return;
    }
    boolean sequence = shape.structure().isSequence();
    for (int row = 0; row < rows; row++) {
      int present = sequence ? stepsOrNull[row] : 1;
      for (int step = 0; step < present; step++) {
        int at = row * shape.features() + step * shape.width();
        numbers(features, at);
        words(features, at, ofExamples, row * shape.words() + step * vocabularies.length);
      }
    }
  }

  /** Completes a minibatch. */
  public void apply(Minibatch minibatch) {
    apply(minibatch.features(), minibatch.words(), minibatch.stepsOrNull(), minibatch.size());
  }

  private void numbers(float[] features, int at) {
    for (int column = 0; column < numbers.length; column++) {
      float value = features[at + numbers[column]];
      if (standardizationOrNull != null) {
        value = standardizationOrNull.apply(column, value);
      }
      features[at + numbers[column]] = Float.isNaN(value) ? 0 : value;
    }
  }

  private void words(float[] features, int at, String[] ofExamples, int from) {
    for (int i = 0; i < words.length; i++) {
      int number = vocabularies[i].number(ofExamples[from + i]);
      int first = at + words[i].from();
      if (words[i].oneHot()) {
        features[first + number] = 1;
      } else {
        features[first] = number;
      }
    }
  }
}
