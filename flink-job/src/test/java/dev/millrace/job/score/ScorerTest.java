package dev.millrace.job.score;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.example.Example;
import dev.millrace.example.RejectedRecord;
import dev.millrace.job.follow.ServedModel;
import dev.millrace.model.FeatureCompletion;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.Partition;
import dev.millrace.model.device.DeviceRequest;
import dev.millrace.model.features.Standardization;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.testing.Seeds;
import dev.millrace.model.testing.SummingEngine;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ScorerTest {

  private static final int PARAMETERS = 1000;
  private static final ModelSpec SPEC = SummingEngine.spec(PARAMETERS);
  private static final ExampleShape SHAPE = SPEC.shape();
  private static final Duration MAX_WAIT = Duration.ofMillis(5);

  private final List<Prediction> predictions = new ArrayList<>();
  private final List<RejectedRecord> unusable = new ArrayList<>();

  @Test
  void predictsForABatchInOrderAndEmptiesIt() {
    try (Scorer scorer = scorer(3)) {
      scorer.serve(model(7, SPEC, 0));
      for (int i = 0; i < 3; i++) {
        assertThat(scorer.isFull()).isFalse();
        scorer.add(example(i), 1000 + i, 0);
      }
      assertThat(scorer.isFull()).isTrue();

      scorer.predict(predictions::add, unusable::add);

      assertThat(scorer.isEmpty()).isTrue();
      assertThat(predictions)
          .usingRecursiveFieldByFieldElementComparator()
          .containsExactly(prediction(7, 0), prediction(7, 1), prediction(7, 2));
    }
  }

  @Test
  void keepsWhatItIsGivenThoughTheExampleIsUsedAgain() {
    try (Scorer scorer = scorer(2)) {
      scorer.serve(model(1, SPEC, 0));
      Example example = example(4);
      scorer.add(example, 1004, 0);
      example.features()[0] = 99;
      example.reset();

      scorer.predict(predictions::add, unusable::add);

      assertThat(predictions)
          .usingRecursiveFieldByFieldElementComparator()
          .containsExactly(prediction(1, 4));
    }
  }

  @Test
  void aBatchIsOverdueWhenItsFirstExampleHasWaited() {
    try (Scorer scorer = scorer(3)) {
      scorer.add(example(0), 0, 100);
      scorer.add(example(1), 0, 2_000_000);

      assertThat(scorer.patience(100)).isEqualTo(MAX_WAIT.toNanos());
      assertThat(scorer.patience(MAX_WAIT.toNanos() + 99)).isEqualTo(1);
      assertThat(scorer.patience(MAX_WAIT.toNanos() + 100)).isZero();
    }
  }

  @Test
  void predictsNothingForNothing() {
    try (Scorer scorer = scorer(3)) {
      scorer.predict(predictions::add, unusable::add);

      assertThat(predictions).isEmpty();
    }
  }

  @Test
  void whatAModelCannotComputeWithIsRejectedAndTheRestPredicted() {
    try (Scorer scorer = scorer(3)) {
      scorer.serve(standardized(7, SPEC));
      scorer.add(example(4), 1004, 0);
      Example bad = example(5);
      bad.features()[0] = Float.NEGATIVE_INFINITY;
      scorer.add(bad, 1005, 0);
      scorer.add(example(6), 1006, 0);

      scorer.predict(predictions::add, unusable::add);

      assertThat(predictions).extracting(Prediction::offset).containsExactly(4L, 6L);
      assertThat(predictions)
          .as("each is completed once")
          .extracting(prediction -> prediction.outputs()[0])
          .containsExactly(4f, 6f);
      assertThat(unusable)
          .usingRecursiveFieldByFieldElementComparator()
          .containsExactly(
              new RejectedRecord(
                  new Partition("t", 1),
                  5,
                  1005,
                  bad.key(),
                  new byte[0],
                  "the network can't compute with it: it knows no such number. Have features hold"
                      + " what its layers take, such as ids from 0 to below an embedding's nIn"));
      assertThat(scorer.isEmpty()).isTrue();
    }
  }

  @Test
  void refusesToPredictWithoutAModel() {
    try (Scorer scorer = scorer(3)) {
      scorer.add(example(0), 0, 0);

      assertThatThrownBy(() -> scorer.predict(predictions::add, unusable::add))
          .isInstanceOf(IllegalStateException.class);
    }
  }

  /** Each model's standardization takes off what its parameters put on. */
  @Test
  void eachPredictionIsOfExactlyOneVersionWheneverModelsAreSwapped() {
    long seed = Seeds.next();
    Random random = new Random(seed);
    ModelSpec larger = SummingEngine.spec(2 * PARAMETERS);
    try (Scorer scorer = scorer(16)) {
      scorer.serve(model(0, SPEC, 0));
      int examples = 0;
      for (int step = 1; step < 5000; step++) {
        switch (random.nextInt(12)) {
          case 0 -> scorer.serve(standardized(step, SPEC));
          case 1 -> scorer.serve(standardized(step, larger));
          case 2 -> scorer.predict(predictions::add, unusable::add);
          default -> {
            scorer.add(example(examples++), 0, 0);
            if (scorer.isFull()) {
              scorer.predict(predictions::add, unusable::add);
            }
          }
        }
      }
      scorer.predict(predictions::add, unusable::add);
      assertThat(predictions).as("seed %d", seed).hasSize(examples);
    }
    for (int i = 0; i < predictions.size(); i++) {
      Prediction prediction = predictions.get(i);
      assertThat(prediction.offset()).as("seed %d", seed).isEqualTo(i);
      assertThat(prediction.outputs()).as("seed %d, offset %d", seed, i).containsExactly(i);
    }
  }

  /** SummingEngine predicts the feature plus the sum of its parameters, which is 0 here. */
  @Test
  void featuresAreClippedAsInTraining() {
    Standardization clipping = new Standardization(new float[] {1}, new float[] {2}, 10);
    try (Scorer scorer = scorer(3)) {
      scorer.serve(
          new ServedModel(
              SPEC,
              new ModelVersion(3, 1),
              Instant.EPOCH,
              new float[SPEC.parameters()],
              FeatureCompletion.of(SPEC.shape(), clipping),
              List.of()));
      for (int feature : new int[] {5, 1_000_000, -1_000_000}) {
        scorer.add(example(feature), 0, 0);
      }

      scorer.predict(predictions::add, unusable::add);
    }

    assertThat(predictions)
        .extracting(prediction -> prediction.outputs()[0])
        .containsExactly(2f, 10f, -10f);
  }

  private static Scorer scorer(int batchSize) {
    return new Scorer(SHAPE, DeviceRequest.any(), batchSize, MAX_WAIT);
  }

  private static ServedModel standardized(long round, ModelSpec spec) {
    return model(round, spec, spec.parameters());
  }

  /** All parameters are one number, and so many times that is taken off each feature. */
  private static ServedModel model(long round, ModelSpec spec, int times) {
    int value = (int) (round % 1000);
    float[] parameters = new float[spec.parameters()];
    Arrays.fill(parameters, value);
    return new ServedModel(
        spec,
        new ModelVersion(3, round),
        Instant.EPOCH,
        parameters,
        times == 0
            ? null
            : FeatureCompletion.of(
                spec.shape(), new Standardization(new float[] {value * times}, new float[] {1})),
        List.of());
  }

  private static Example example(int number) {
    Example example = new Example(SHAPE);
    example.features()[0] = number;
    example.setKey(new byte[] {(byte) number});
    example.setId("id-" + number);
    example.setOrigin(new Partition("t", 1), number);
    return example;
  }

  private static Prediction prediction(long round, int number) {
    return new Prediction(
        new ModelVersion(3, round),
        new float[] {number + PARAMETERS * round},
        new byte[] {(byte) number},
        "id-" + number,
        new Partition("t", 1),
        number,
        1000 + number);
  }
}
