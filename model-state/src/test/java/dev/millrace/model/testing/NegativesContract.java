package dev.millrace.model.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.model.IdLists;
import dev.millrace.model.InitialModel;
import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.negatives.NegativesReplica;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** Networks of two inputs that learn with negatives out of the minibatch. */
public abstract class NegativesContract extends EngineContract {

  private static final int DIMENSION = 4;
  private static final int ROWS = 5;

  @Override
  protected Refused refused() {
    throw new UnsupportedOperationException();
  }

  private InitialModel model(Target target) {
    int outputs = target == Target.CLASSIFICATION ? 2 : 1;
    return builtIn(
        "two-tower", RowShapes.twoRows(DIMENSION, outputs, target), List.of(8, 6), "sgd");
  }

  private static Minibatch minibatch(ExampleShape shape, Random random) {
    Minibatch minibatch = new Minibatch(shape, ROWS, 2 * ROWS);
    add(minibatch, ROWS, random);
    return minibatch;
  }

  private static void add(Minibatch minibatch, int rows, Random random) {
    ExampleShape shape = minibatch.shape();
    for (int row = 0; row < rows; row++) {
      float[] features = new float[2 * DIMENSION];
      for (int i = 0; i < features.length; i++) {
        features[i] = (float) (0.5 * random.nextGaussian());
      }
      float[] labels = labels(shape, row == 2 ? 0 : 1);
      minibatch.add(
          features, labels, new String[0], ids(row, 10 + row), 0, 1 + row, Replicas.PARTITION, row);
    }
  }

  private static float[] labels(ExampleShape shape, int label) {
    return shape.outputs() == 1 ? new float[] {label} : new float[] {1 - label, label};
  }

  private static IdLists ids(long user, long item) {
    IdLists ids = new IdLists(2);
    ids.add(user);
    ids.end();
    ids.add(item);
    ids.end();
    return ids;
  }

  /** Of a mean over the examples, as one of all of them with the pairs divides by more. */
  private static Minibatch withAllPairs(Minibatch minibatch, List<int[]> pairs) {
    ExampleShape shape = minibatch.shape();
    for (int row = 0; row < ROWS; row++) {
      for (int other = 0; other < ROWS; other++) {
        if (row != other && row != 2) {
          pairs.add(new int[] {row, other});
        }
      }
    }
    float scale = (float) (ROWS + pairs.size()) / ROWS;
    Minibatch all = new Minibatch(shape, ROWS + pairs.size());
    float[] features = new float[2 * DIMENSION];
    for (int row = 0; row < ROWS; row++) {
      System.arraycopy(minibatch.features(), row * features.length, features, 0, features.length);
      all.add(features, labels(shape, row == 2 ? 0 : 1), scale * (1 + row), Replicas.PARTITION, 0);
    }
    for (int[] pair : pairs) {
      int width = features.length;
      System.arraycopy(minibatch.features(), pair[0] * width, features, 0, DIMENSION);
      System.arraycopy(
          minibatch.features(), pair[1] * width + DIMENSION, features, DIMENSION, DIMENSION);
      all.add(features, labels(shape, 0), scale * (1 + pair[0]), Replicas.PARTITION, 0);
    }
    return all;
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "REGRESSION")
  void aStepIsOneOfTheExamplesAndTheirPairs(Target target) {
    long seed = Seeds.next();
    InitialModel model = model(target);
    Minibatch minibatch = minibatch(model.spec().shape(), new Random(seed));
    List<int[]> pairs = new ArrayList<>();
    Minibatch all = withAllPairs(minibatch, pairs);
    int outputs = model.spec().shape().outputs();
    try (ModelReplica replica = new NegativesReplica(replica(model), 9);
        ModelReplica plain = replica(model)) {
      float[] gradient = new float[model.spec().parameters()];
      float[] expected = new float[model.spec().parameters()];
      replica.gradient(minibatch, gradient);
      plain.gradient(all, expected);
      assertThat(gradient).as("seed %s", seed).containsExactly(expected, within(1e-4f));

      float[] predictions = new float[3 * ROWS * outputs];
      float[] ofAll = new float[all.size() * outputs];
      float[] inputs = InputGradients.fit(replica, minibatch, predictions);
      float[] inputsOfAll = InputGradients.fit(plain, all, ofAll);

      assertThat(Replicas.vector(replica))
          .as("seed %s", seed)
          .containsExactly(Replicas.vector(plain), within(1e-5f));
      for (int i = 0; i < predictions.length; i++) {
        assertThat(predictions[i]).isCloseTo(i < ROWS * outputs ? ofAll[i] : 0, within(1e-6f));
      }
      assertThat(inputs)
          .as("seed %s", seed)
          .containsExactly(folded(inputsOfAll, pairs), within(1e-5f));
      assertThat(replica.steps()).isEqualTo(plain.steps());

      // The next is one without gradients of inputs.
      replica.fit(minibatch, predictions);
      plain.fit(all, ofAll);
      assertThat(Replicas.vector(replica)).containsExactly(Replicas.vector(plain), within(1e-5f));
      assertThat(Replicas.predict(replica, minibatch))
          .containsExactly(Replicas.predict(plain, minibatch), within(1e-5f));
    }
  }

  /** All pairs of all examples that this minibatch may have don't fit in any memory. */
  @Test
  void roomIsMadeForThePairsThatThereAre() {
    long seed = Seeds.next();
    InitialModel model = model(Target.CLASSIFICATION);
    Minibatch large = new Minibatch(model.spec().shape(), 1 << 17);
    Minibatch small = minibatch(model.spec().shape(), new Random(seed));
    try (ModelReplica grown = new NegativesReplica(replica(model), 1 << 17);
        ModelReplica replica = new NegativesReplica(replica(model), ROWS)) {
      float[] predictions = new float[2 * ROWS];
      add(large, 2, new Random(seed));
      InputGradients.fit(grown, large, predictions);
      grown.write(0, model.vector(), 0, model.vector().length);
      large.clear();
      add(large, ROWS, new Random(seed));

      float[] expected = new float[2 * ROWS];
      assertThat(InputGradients.fit(grown, large, predictions))
          .as("seed %s", seed)
          .isEqualTo(InputGradients.fit(replica, small, expected));
      assertThat(predictions).as("seed %s", seed).isEqualTo(expected);
      assertThat(Replicas.vector(grown)).as("seed %s", seed).isEqualTo(Replicas.vector(replica));
    }
  }

  private static float[] folded(float[] ofAll, List<int[]> pairs) {
    int width = 2 * DIMENSION;
    float[] folded = new float[ROWS * width];
    System.arraycopy(ofAll, 0, folded, 0, folded.length);
    for (int pair = 0; pair < pairs.size(); pair++) {
      for (int i = 0; i < width; i++) {
        int row = pairs.get(pair)[i < DIMENSION ? 0 : 1];
        folded[row * width + i] += ofAll[(ROWS + pair) * width + i];
      }
    }
    return folded;
  }

  @Test
  void aMinibatchWithoutPairsIsLearnedToTheBitAsWithoutNegatives() {
    InitialModel model = model(Target.CLASSIFICATION);
    Minibatch minibatch = minibatch(model.spec().shape(), new Random(4));
    Minibatch one = new Minibatch(model.spec().shape(), 1);
    one.add(
        new float[2 * DIMENSION],
        new float[] {0, 1},
        new String[0],
        ids(1, 2),
        0,
        1,
        Replicas.PARTITION,
        0);
    for (int row = 0; row < ROWS; row++) {
      System.arraycopy(new float[] {1, 0}, 0, minibatch.labels(), 2 * row, 2);
    }
    try (ModelReplica replica = new NegativesReplica(replica(model), 3);
        ModelReplica plain = replica(model)) {
      for (Minibatch each : List.of(minibatch, one)) {
        float[] predictions = new float[2 * ROWS];
        float[] expected = new float[2 * ROWS];
        assertThat(InputGradients.fit(replica, each, predictions))
            .isEqualTo(InputGradients.fit(plain, each, expected));
        assertThat(predictions).isEqualTo(expected);
        assertThat(Replicas.vector(replica)).isEqualTo(Replicas.vector(plain));
      }
    }
  }

  @Test
  void otherExamplesAndTooLittleRoomAreRefusedBeforeAStep() {
    ExampleShape rows = RowNetworksContract.shape(2, Target.CLASSIFICATION);
    try (ModelReplica replica = replica(builtIn("deepfm", rows, List.of(4), "sgd"))) {
      assertThatThrownBy(() -> new NegativesReplica(replica, 1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(
              "the fields are for []; give each field one, such as 'input: user'");
    }
    assertThat(NegativesReplica.problem(RowShapes.twoRows(2, 3, Target.CLASSIFICATION)))
        .hasValueSatisfying(
            problem -> assertThat(problem).contains("3 outputs for classification"));
    InitialModel model = model(Target.CLASSIFICATION);
    Minibatch minibatch = minibatch(model.spec().shape(), new Random(4));
    try (ModelReplica replica = new NegativesReplica(replica(model), 1)) {
      assertThatThrownBy(() -> replica.fit(minibatch, new float[2 * ROWS - 1]))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> replica.fit(minibatch, new float[2 * ROWS], new float[1]))
          .isInstanceOf(IllegalArgumentException.class);
      assertThat(Replicas.vector(replica)).isEqualTo(model.vector());
    }
  }

  @Test
  void aStreamOfPositivesAloneIsLearnedWithNegatives() {
    long seed = Seeds.next();
    PlantedClicks clicks = new PlantedClicks(0, seed);
    InitialModel model = adam(clicks.shape());

    double without = clicks.learn(replica(model), PlantedClicks.Negatives.NONE).auc();
    double with = clicks.learn(replica(model), PlantedClicks.Negatives.WEIGHED).auc();

    System.out.printf(
        "%s: AUC %.3f without, %.3f with; seed %s%n", engine().name(), without, with, seed);
    assertThat(without).as("seed %s", seed).isCloseTo(0.5, within(0.1));
    assertThat(with).as("seed %s", seed).isGreaterThan(0.75);
  }

  /** Items of which the most popular comes two hundred times as often as the least. */
  @Test
  void scoresRankItemsByHowOftenTheyAreChosenNotByHowMuchMoreOftenThanByOthers() {
    long seed = Seeds.next();
    PlantedClicks clicks = new PlantedClicks(1, seed);
    InitialModel model = adam(clicks.shape());

    double asOften = clicks.learn(replica(model), PlantedClicks.Negatives.AS_OFTEN).agreement();
    double weighed = clicks.learn(replica(model), PlantedClicks.Negatives.WEIGHED).agreement();

    System.out.printf(
        "%s: agreement %.3f as often, %.3f weighed; seed %s%n",
        engine().name(), asOften, weighed, seed);
    assertThat(weighed).as("seed %s", seed).isGreaterThan(0.6).isGreaterThan(asOften + 0.2);
  }

  private InitialModel adam(ExampleShape shape) {
    return builtIn("two-tower", shape, List.of(16, 8), "adam");
  }
}
