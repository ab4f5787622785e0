package dev.millrace.model.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.model.InitialModel;
import dev.millrace.model.LayerActivations;
import dev.millrace.model.LayerDescription;
import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelDefinition.BuiltIn;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.Steps;
import dev.millrace.model.UnusableExamplesException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the exchange relies on, of replicas of every engine. A subclass names the engine, and what
 * is special to it.
 */
public abstract class ModelReplicaContract extends InputGradientContract {

  private static final int STEPS = 5;
  private static final int BATCH = 8;

  @ParameterizedTest
  @MethodSource("models")
  void theSameCallsGiveTheSameBits(InitialModel model) {
    try (ModelReplica one = replica(model);
        ModelReplica other = replica(model)) {
      for (Minibatch minibatch : minibatches(model, 1, BATCH, 3, 1, BATCH)) {
        assertThat(Replicas.predict(one, minibatch)).isEqualTo(Replicas.predict(other, minibatch));
        assertThat(Replicas.fit(one, minibatch)).isEqualTo(Replicas.fit(other, minibatch));
        assertThat(Replicas.vector(one)).isEqualTo(Replicas.vector(other));
      }
      assertThat(Replicas.vector(one)).isNotEqualTo(model.vector());
    }
  }

  @ParameterizedTest
  @MethodSource("models")
  void replicasOfTwoThreadsLearnAsEachDoesAlone(InitialModel model) throws Exception {
    List<float[]> alone = List.of(trained(model, 1), trained(model, 2));

    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      List<Callable<float[]>> both = List.of(() -> trained(model, 1), () -> trained(model, 2));
      List<float[]> together = new ArrayList<>();
      for (Future<float[]> one : threads.invokeAll(both)) {
        together.add(one.get());
      }
      assertThat(together.get(0)).isEqualTo(alone.get(0));
      assertThat(together.get(1)).isEqualTo(alone.get(1));
    } finally {
      threads.shutdownNow();
    }
  }

  private float[] trained(InitialModel model, long seed) {
    try (ModelReplica replica = replica(model)) {
      minibatches(model, seed, BATCH, BATCH, BATCH, BATCH, BATCH)
          .forEach(minibatch -> Replicas.fit(replica, minibatch));
      return Replicas.vector(replica);
    }
  }

  /** As after a restart: by the spec out of a checkpoint, the vector and the steps. */
  @ParameterizedTest
  @MethodSource("models")
  void continuesBitForBitFromVectorAndSteps(InitialModel model) throws Exception {
    List<Minibatch> minibatches = minibatches(model, 1, BATCH, BATCH, BATCH, BATCH, BATCH);
    try (ModelReplica first = replica(model);
        ModelReplica second = replica(reread(model))) {
      first.setSteps(new Steps(40, 7));
      minibatches.forEach(minibatch -> Replicas.fit(first, minibatch));
      float[] middle = Replicas.vector(first);
      second.write(0, middle, 0, middle.length);
      second.setSteps(first.steps());

      minibatches.forEach(minibatch -> Replicas.fit(first, minibatch));
      minibatches.forEach(minibatch -> Replicas.fit(second, minibatch));

      assertThat(Replicas.vector(second)).isEqualTo(Replicas.vector(first)).isNotEqualTo(middle);
      assertThat(second.steps()).isEqualTo(first.steps());
    }
  }

  @ParameterizedTest
  @MethodSource("models")
  void countsItsSteps(InitialModel model) {
    Minibatch minibatch = minibatches(model, 1, BATCH).get(0);
    try (ModelReplica replica = replica(model)) {
      Replicas.fit(replica, minibatch);
      assertThat(replica.steps()).isEqualTo(Steps.of(1));

      replica.setSteps(new Steps(100, 30));
      assertThat(replica.steps()).isEqualTo(new Steps(100, 30));
      Replicas.fit(replica, minibatch);
      assertThat(replica.steps()).isEqualTo(new Steps(101, 31));
    }
  }

  @ParameterizedTest
  @MethodSource("models")
  void predictionsChangeNothing(InitialModel model) {
    Minibatch minibatch = minibatches(model, 1, BATCH).get(0);
    try (ModelReplica asked = replica(model);
        ModelReplica unasked = replica(model)) {
      for (int step = 0; step < STEPS; step++) {
        float[] predictions = Replicas.predict(asked, minibatch);
        assertThat(Replicas.predict(asked, minibatch)).isEqualTo(predictions);
        Replicas.fit(asked, minibatch);
        Replicas.fit(unasked, minibatch);
      }

      assertThat(Replicas.vector(asked)).isEqualTo(Replicas.vector(unasked));
      assertThat(asked.steps()).isEqualTo(unasked.steps());
    }
  }

  /** Rows of the minibatch before, and room for more, don't count. */
  @ParameterizedTest
  @MethodSource("models")
  void aMinibatchIsTheRowsThatItHas(InitialModel model) {
    Minibatch exact = minibatches(model, 1, 3).get(0);
    Minibatch roomy = minibatches(model, 2, BATCH).get(0);
    roomy.clear();
    for (int row = 0; row < exact.size(); row++) {
      roomy.add(
          part(exact.features(), row, exact.shape().features()),
          part(exact.labels(), row, exact.shape().outputs()),
          1,
          exact.partition(row),
          row);
    }
    int outputs = exact.shape().outputs();
    float[] predictions = new float[BATCH * outputs];
    predictions[3 * outputs] = -7;
    try (ModelReplica one = replica(model);
        ModelReplica other = replica(model)) {
      float[] expected = Replicas.fit(one, exact);
      other.fit(roomy, predictions);

      assertThat(predictions).startsWith(expected);
      assertThat(predictions[3 * outputs]).isEqualTo(-7);
      assertThat(Replicas.vector(other)).isEqualTo(Replicas.vector(one));
    }
  }

  private static float[] part(float[] rows, int row, int columns) {
    float[] part = new float[columns];
    System.arraycopy(rows, row * columns, part, 0, columns);
    return part;
  }

  @ParameterizedTest
  @MethodSource("models")
  void aStepNeedsAnExample(InitialModel model) {
    try (ModelReplica replica = replica(model)) {
      Minibatch empty = new Minibatch(model.spec().shape(), BATCH);
      assertThatThrownBy(() -> replica.fit(empty, new float[BATCH * 10]))
          .isInstanceOf(IllegalArgumentException.class);
      replica.predict(empty.features(), 0, new float[0]);

      assertThat(Replicas.vector(replica)).isEqualTo(model.vector());
      assertThat(replica.steps()).isEqualTo(Steps.NONE);
    }
  }

  @Test
  void afterExamplesThatItCannotComputeWithItIsWhatItWas() throws Exception {
    Refused refused = refused();
    InitialModel model = refused.model();
    Minibatch bad = refused.minibatch();
    try (ModelReplica replica = replica(model);
        ModelReplica undisturbed = replica(model)) {
      Minibatch good = Replicas.ofOneFeature(model.spec().shape(), 1, 2, 3);
      Replicas.fit(replica, good);
      Replicas.fit(undisturbed, good);

      assertThatThrownBy(() -> Replicas.predict(replica, bad))
          .isInstanceOf(UnusableExamplesException.class);
      assertThatThrownBy(() -> Replicas.fit(replica, bad))
          .isInstanceOf(UnusableExamplesException.class);

      assertThat(Replicas.vector(replica)).isEqualTo(Replicas.vector(undisturbed));
      assertThat(replica.steps()).isEqualTo(undisturbed.steps());
      Replicas.fit(replica, good);
      Replicas.fit(undisturbed, good);
      assertThat(Replicas.vector(replica)).isEqualTo(Replicas.vector(undisturbed));
    }
  }

  @ParameterizedTest
  @MethodSource("models")
  void readsAndWritesAnyRangeOfTheVector(InitialModel model) {
    int length = model.spec().vectorLength();
    int boundary = model.spec().parameters();
    float[] expected = new float[length];
    Random random = new Random(5);
    for (int i = 0; i < length; i++) {
      expected[i] = random.nextFloat();
    }
    try (ModelReplica replica = replica(model)) {
      int first = boundary - 3;
      int second = Math.min(length, boundary + 7);
      replica.write(second, expected, second, length - second);
      replica.write(0, expected, 0, first);
      replica.write(first, expected, first, second - first);
      assertThat(Replicas.vector(replica)).isEqualTo(expected);

      float[] part = new float[12];
      replica.read(boundary - 5, part, 2, 5);
      assertThat(part).startsWith(0, 0, expected[boundary - 5]);
      assertThat(part[6]).isEqualTo(expected[boundary - 1]);
      assertThat(part[7]).isZero();
      assertThatThrownBy(() -> replica.read(length - 1, part, 0, 2))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> replica.write(0, part, 10, 3))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> replica.read(-1, part, 0, 2))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThat(Replicas.vector(replica)).isEqualTo(expected);
    }
  }

  /** In place of any factor before: of the kind that the updater is, and of no other. */
  @ParameterizedTest
  @ValueSource(strings = {"sgd", "adam"})
  void learningRatesScaleByTheFactorOfTheUpdatersKind(String updater) {
    if (!hasLearningRates()) {
      return;
    }
    InitialModel model = builtIn("linear", TABLE, List.of(), updater);
    Minibatch minibatch = minibatches(model, 3, BATCH).get(0);
    boolean proportional = updater.equals("sgd");
    float[] whole = change(model, minibatch, 1, 1);

    float[] half = change(model, minibatch, proportional ? 0.5 : 1, proportional ? 1 : 0.5);
    float[] other = change(model, minibatch, proportional ? 1 : 0.5, proportional ? 0.5 : 1);

    assertThat(other).isEqualTo(whole);
    for (int i = 0; i < whole.length; i++) {
      assertThat(half[i]).isCloseTo(whole[i] / 2, within(1e-6f + Math.abs(whole[i]) / 1000));
    }
  }

  private float[] change(InitialModel model, Minibatch minibatch, double sgd, double adam) {
    try (ModelReplica replica = replica(model)) {
      replica.scaleLearningRates(3, 3);
      replica.scaleLearningRates(sgd, adam);
      Replicas.fit(replica, minibatch);
      float[] change = new float[model.spec().parameters()];
      replica.read(0, change, 0, change.length);
      for (int i = 0; i < change.length; i++) {
        change[i] -= model.vector()[i];
      }
      return change;
    }
  }

  /** A step of plain gradient descent is the gradient times the rate, of examples of any weight. */
  @Test
  void tellsTheGradientThatAStepFollows() {
    if (!hasLearningRates()) {
      return;
    }
    InitialModel model =
        engine()
            .define(new BuiltIn("mlp", TABLE, List.of(16, 8), List.of(), "sgd", 0.5, 0.9, 0, 42));
    Minibatch some = minibatches(model, 3, BATCH).get(0);
    Minibatch minibatch = new Minibatch(TABLE, BATCH + 1);
    for (int row = 0; row < BATCH; row++) {
      minibatch.add(
          part(some.features(), row, TABLE.features()),
          part(some.labels(), row, TABLE.outputs()),
          0.5f + row,
          some.partition(row),
          row);
    }
    float[] gradient = new float[model.spec().parameters()];
    try (ModelReplica replica = replica(model)) {
      replica.gradient(minibatch, gradient);
      assertThat(Replicas.vector(replica)).isEqualTo(model.vector());
    }

    float[] change = change(model, minibatch, 1, 1);

    for (int i = 0; i < change.length; i++) {
      assertThat(change[i]).isCloseTo(-gradient[i] / 2, within(1e-6f));
    }
    assertThat(greatest(gradient)).isGreaterThan(0.01f);
  }

  private static float greatest(float[] values) {
    float greatest = 0;
    for (float value : values) {
      greatest = Math.max(greatest, Math.abs(value));
    }
    return greatest;
  }

  @ParameterizedTest
  @MethodSource("models")
  void gradientsChangeNothing(InitialModel model) {
    if (!hasLearningRates()) {
      return;
    }
    float[] gradient = new float[model.spec().parameters()];
    try (ModelReplica asked = replica(model);
        ModelReplica unasked = replica(model)) {
      for (Minibatch minibatch : minibatches(model, 1, BATCH, 1, 3)) {
        asked.gradient(minibatch, gradient);
        assertThat(greatest(gradient)).isPositive();
        assertThat(Replicas.fit(asked, minibatch)).isEqualTo(Replicas.fit(unasked, minibatch));
        asked.gradient(minibatch, gradient);
      }

      assertThat(Replicas.vector(asked)).isEqualTo(Replicas.vector(unasked));
      assertThat(asked.steps()).isEqualTo(unasked.steps());
    }
  }

  /** Of rectified layers, so none is below zero. */
  @Test
  void tellsWhatInnerLayersGive() {
    if (!hasLearningRates()) {
      return;
    }
    InitialModel model = builtIn("mlp", TABLE, List.of(16, 8), "sgd");
    Minibatch minibatch = minibatches(model, 3, BATCH).get(0);
    try (ModelReplica replica = replica(model)) {
      List<LayerActivations> layers =
          replica.activations(minibatch).stream()
              .sorted(Comparator.comparing(LayerActivations::layer))
              .toList();

      assertThat(layers).extracting(LayerActivations::units).containsExactly(16, 8);
      List<String> names =
          engine().describe(model.spec().kind(), model.spec().configuration()).stream()
              .map(LayerDescription::name)
              .toList();
      for (LayerActivations layer : layers) {
        assertThat(names).contains(layer.layer());
        assertThat(layer.rows()).isEqualTo(BATCH);
        float most = 0;
        for (float value : layer.values()) {
          assertThat(value).isNotNegative();
          most = Math.max(most, value);
        }
        assertThat(most).isPositive();
      }
      assertThat(Replicas.vector(replica)).isEqualTo(model.vector());
    }
  }

  @ParameterizedTest
  @MethodSource("models")
  void isClosedTwiceAndThenNotRead(InitialModel model) {
    ModelReplica replica = replica(model);
    replica.close();
    replica.close();

    assertThatThrownBy(() -> replica.read(0, new float[1], 0, 1))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> Replicas.fit(replica, minibatches(model, 1, BATCH).get(0)))
        .isInstanceOf(IllegalStateException.class);
  }
}
