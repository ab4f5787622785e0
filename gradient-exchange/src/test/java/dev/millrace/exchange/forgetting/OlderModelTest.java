package dev.millrace.exchange.forgetting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.exchange.forgetting.OlderModelPenalty.Moment;
import dev.millrace.exchange.round.JobProgress;
import dev.millrace.exchange.round.RoundHead;
import dev.millrace.model.Minibatch;
import dev.millrace.model.Partition;
import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.model.shape.IndexRange;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class OlderModelTest {

  private static final OlderModelPenalty ALIKE =
      new OlderModelPenalty(Moment.INITIAL, 1, 0.25, 0, 0);
  private static final OlderModelPenalty WEIGHED =
      new OlderModelPenalty(Moment.PERIODIC, 10, 0.35, 1, 0.5);

  private final Quadratic model = new Quadratic(2);

  @Test
  void eachStepGoesBackAShareOfTheDistanceToTheInitialModel() {
    OlderModel kept = keeping(ALIKE);
    kept.begin(new float[] {1, 2});
    model.set(2, 0);

    kept.afterStep(minibatch(), new float[0]);
    assertThat(model.values()).containsExactly(1.75f, 0.5f);
    kept.afterStep(minibatch(), new float[0]);
    assertThat(model.values()).containsExactly(1.5625f, 0.875f);
  }

  @Test
  void nothingGoesBackBeforeAModelIsKept() {
    model.set(5, 7);
    OlderModel periodic = keeping(WEIGHED);
    periodic.begin(new float[] {1, 2});
    periodic.accept(head(9));
    assertThat(periodic.isDue()).isFalse();
    periodic.afterStep(minibatch(), new float[0]);

    assertThat(model.values()).containsExactly(5f, 7f);
  }

  /** It has been kept by then, for a job whose checkpoint has none. */
  @Test
  void aJobThatBeganWithoutKeepsTheFirstModelThatItSees() {
    OlderModel kept = keeping(ALIKE);
    kept.accept(head(1_000));
    assertThat(kept.isDue()).isTrue();
    kept.keep(new float[] {0, 0});
    assertThat(kept.isDue()).isFalse();
  }

  /** Schwarz et al. (2018): squares of gradients add up, and those of before decay. */
  @Test
  void importanceIsTheMeanOfSquaredGradientsAndDecays() {
    OlderModel kept = keeping(WEIGHED);
    model.gradientIs(1, 2);
    kept.afterStep(minibatch(), new float[0]);
    model.gradientIs(3, 0);
    kept.afterStep(minibatch(), new float[0]);
    model.gradientIs(Float.NaN, 0);
    kept.afterStep(minibatch(), new float[0]);
    kept.accept(head(10));
    kept.keep(new float[] {0, 0});

    // (1 + 9) / 2 and 4 / 2: of their mean, 3.5, 0.35 is a tenth.
    model.gradientIs(0, 4);
    model.set(1, 1);
    kept.afterStep(minibatch(), new float[0]);
    assertThat(model.values()).containsExactly(0.5f, 0.8f);

    kept.accept(head(20));
    kept.keep(new float[] {0, 0});
    model.set(1, 1);
    kept.afterStep(minibatch(), new float[0]);
    // 0.5 · 5 + 0 and 0.5 · 2 + 16.
    float mean = (2.5f + 17) / 2;
    assertThat(model.values()[0]).isCloseTo(1 - 0.35f * 2.5f / mean, within(1e-6f));
    assertThat(model.values()[1]).isCloseTo(1 - 0.35f * 17 / mean, within(1e-6f));
  }

  @Test
  void aMinibatchCountsByItsExamples() {
    OlderModel kept = keeping(WEIGHED);
    model.gradientIs(1, 2);
    kept.afterStep(minibatch(1), new float[0]);
    model.gradientIs(3, 0);
    kept.afterStep(minibatch(3), new float[0]);
    kept.accept(head(10));
    kept.keep(new float[] {0, 0});
    model.gradientIs(0, 0);
    model.set(1, 1);

    kept.afterStep(minibatch(1), new float[0]);

    // (1 + 3 · 9) / 2 and 4 / 2, of which the mean is 8.
    assertThat(model.values()[0]).isCloseTo(1 - 0.35f * 14 / 8, within(1e-6f));
    assertThat(model.values()[1]).isCloseTo(1 - 0.35f * 2 / 8, within(1e-6f));
  }

  /** They tell what was seen, which is not what the older model saw. */
  @Test
  void runningStatisticsDoNotGoBack() {
    Quadratic normalizing = new Quadratic(5, new IndexRange(1, 2), new IndexRange(3, 4));
    OlderModel kept = new OlderModel(normalizing, ALIKE, ALIKE.strength());
    kept.begin(new float[5]);
    normalizing.set(4, 4, 4, 4, 4);

    kept.afterStep(minibatch(), new float[0]);

    assertThat(normalizing.values()).containsExactly(3, 4, 3, 4, 3);
  }

  /** A parameter that matters much stays, however far a new task calls it. */
  @Test
  void betweenTwoTasksAParameterSettlesWhereBothPullsAreAlike() {
    OlderModel kept = keeping(new OlderModelPenalty(Moment.PERIODIC, 10, 0.02, 1, 1));
    model.gradientIs(3, 1);
    kept.afterStep(minibatch(), new float[0]);
    kept.accept(head(10));
    kept.keep(new float[] {1, 1});
    model.set(1, 1);

    double rate = 0.05;
    for (int step = 0; step < 2_000; step++) {
      model.descendTo(rate, 3, 3);
      kept.afterStep(minibatch(), new float[0]);
    }

    for (int i = 0; i < 2; i++) {
      double share = 0.02 * (i == 0 ? 9 : 1) / 5;
      double settled = ((1 - share) * rate * 3 + share * 1) / (1 - (1 - share) * (1 - rate));
      assertThat((double) model.values()[i]).isCloseTo(settled, within(1e-4));
    }
    assertThat(model.values()[0]).isLessThan(2.2f);
    assertThat(model.values()[1]).isGreaterThan(2.8f);
  }

  @Test
  void moreThanTheDistanceIsNeverGone() {
    OlderModel kept = keeping(new OlderModelPenalty(Moment.PERIODIC, 10, 0.9, 1, 1));
    model.gradientIs(10, 0.1f);
    kept.afterStep(minibatch(), new float[0]);
    kept.accept(head(10));
    kept.keep(new float[] {1, 1});
    model.set(5, 5);

    kept.afterStep(minibatch(), new float[0]);

    assertThat(model.values()[0]).isEqualTo(1);
  }

  @Test
  void continuesFromACheckpointInTheMiddleOfAMeasurement() throws IOException {
    OlderModel undisturbed = halfMeasured();
    OlderModel restored = keeping(WEIGHED);
    restored.restore(1, saved(undisturbed, 1));
    restored.accept(head(20));
    undisturbed.accept(head(20));
    assertThat(restored.isDue()).isTrue();

    float[] expected = afterAMoment(undisturbed);
    assertThat(afterAMoment(restored)).isEqualTo(expected);
    restored.accept(head(29));
    assertThat(restored.isDue()).isFalse();
  }

  @Test
  void aNewcomerStaysNearTheModelOfTheOthers() throws IOException {
    OlderModel newcomer = keeping(WEIGHED);
    newcomer.restore(2, saved(halfMeasured(), 1));
    newcomer.accept(head(15));
    assertThat(newcomer.isDue()).isFalse();
    model.gradientIs(0, 0);
    model.set(2, 2);

    newcomer.afterStep(minibatch(), new float[0]);

    assertThat(model.values()).containsExactly(1.5f, 2f);
  }

  /** It was kept 100 examples ago, and 2 or 5 moments ago, however they are counted. */
  @Test
  void momentsOfOtherOptionsDontKeepItFromBeingReplaced() throws IOException {
    OlderModel before = keeping(new OlderModelPenalty(Moment.PERIODIC, 10, 0.5, 0, 0));
    before.accept(head(100));
    before.keep(new float[] {1, 2});
    OlderModel rarer = keeping(new OlderModelPenalty(Moment.PERIODIC, 50, 0.5, 0, 0));
    rarer.restore(0, saved(before, 0));
    OlderModel again = keeping(new OlderModelPenalty(Moment.PERIODIC, 50, 0.5, 0, 0));
    again.restore(0, saved(rarer, 0));

    for (OlderModel kept : List.of(rarer, again)) {
      kept.accept(head(120));
      assertThat(kept.isDue()).as("it stays").isFalse();
      model.set(3, 2);
      kept.afterStep(minibatch(), new float[0]);
      assertThat(model.values()).containsExactly(2f, 2f);
      kept.accept(head(149));
      assertThat(kept.isDue()).isFalse();
      kept.accept(head(150));
      assertThat(kept.isDue()).as("a moment of today's options").isTrue();
    }
  }

  @Test
  void aJobThatHadKeptNoneYetKeepsOneAtOtherMoments() throws IOException {
    OlderModel before = keeping(new OlderModelPenalty(Moment.PERIODIC, 1_000, 0.5, 0, 0));
    before.accept(head(100));
    OlderModel initial = keeping(ALIKE);
    initial.restore(0, saved(before, 0));
    initial.accept(head(100));

    assertThat(initial.isDue()).isTrue();
  }

  /** What another was measuring is that one's to count. */
  @Test
  void aNewcomerTakesOverNoMeasurementUnderWay() throws IOException {
    OlderModel newcomer = keeping(WEIGHED);
    newcomer.restore(2, saved(halfMeasured(), 1));
    newcomer.accept(head(20));
    newcomer.keep(new float[] {0, 0});
    model.gradientIs(0, 0);
    model.set(1, 1);

    newcomer.afterStep(minibatch(), new float[0]);

    assertThat(model.values()).containsExactly(0.5f, 0.8f);
  }

  /** Near {1, 2}, by the importance {5, 2}; with one measurement since. */
  private OlderModel halfMeasured() {
    OlderModel kept = keeping(WEIGHED);
    model.gradientIs(1, 2);
    kept.afterStep(minibatch(), new float[0]);
    model.gradientIs(3, 0);
    kept.afterStep(minibatch(), new float[0]);
    kept.accept(head(10));
    kept.keep(new float[] {1, 2});
    model.gradientIs(7, 1);
    kept.afterStep(minibatch(), new float[0]);
    return kept;
  }

  private float[] afterAMoment(OlderModel kept) {
    model.gradientIs(1, 5);
    kept.afterStep(minibatch(), new float[0]);
    kept.keep(new float[] {0, 0});
    model.set(1, 1);
    kept.afterStep(minibatch(), new float[0]);
    return model.values();
  }

  private OlderModel keeping(OlderModelPenalty attraction) {
    return new OlderModel(model, attraction, attraction.strength());
  }

  private static DataInputStream saved(OlderModel kept, int replica) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    kept.save(replica).write(new DataOutputStream(bytes));
    return new DataInputStream(new ByteArrayInputStream(bytes.toByteArray()));
  }

  private Minibatch minibatch() {
    return minibatch(1);
  }

  private Minibatch minibatch(int rows) {
    Minibatch minibatch = new Minibatch(model.spec().shape(), rows);
    for (int row = 0; row < rows; row++) {
      minibatch.add(new float[1], new float[1], 1, new Partition("t", 0), row);
    }
    return minibatch;
  }

  private static RoundHead head(long examples) {
    return new RoundHead(
        1, JobProgress.NONE.plus(examples, 1), 0, new FeatureStatistics(0), 1, false);
  }
}
