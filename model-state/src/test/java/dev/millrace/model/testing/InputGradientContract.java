package dev.millrace.model.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.millrace.model.InitialModel;
import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.Steps;
import dev.millrace.model.UnusableExamplesException;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is learned outside of a network relies on, of gradients of inputs. */
abstract class InputGradientContract extends EngineContract {

  private static final int ROOM = 8;
  private static final int FEATURES = 40;

  /** A model that tells them, and a minibatch that it can't compute with, if it has such. */
  protected Optional<Refused> refusedWithInputGradients() {
    return Optional.empty();
  }

  @ParameterizedTest
  @MethodSource("models")
  void aStepThatTellsGradientsOfInputsIsTheSameStep(InitialModel model) {
    if (!engine().givesInputGradients(model.spec())) {
      return;
    }
    try (ModelReplica telling = replica(model);
        ModelReplica silent = replica(model)) {
      int step = 0;
      for (Minibatch minibatch : minibatches(model, 1, ROOM, 3, 1, ROOM, ROOM)) {
        weigh(minibatch, step % 2 == 0);
        float[] predictions = new float[minibatch.size() * minibatch.shape().labels()];
        InputGradients.fit(telling, minibatch, predictions);
        assertThat(predictions).isEqualTo(Replicas.fit(silent, minibatch));
        assertThat(Replicas.vector(telling)).isEqualTo(Replicas.vector(silent));

        // The next is one without them.
        assertThat(Replicas.fit(telling, minibatch)).isEqualTo(Replicas.fit(silent, minibatch));
        assertThat(Replicas.vector(telling)).isEqualTo(Replicas.vector(silent));
        step++;
      }
      assertThat(telling.steps()).isEqualTo(silent.steps()).isEqualTo(Steps.of(10));
    }
  }

  /** Whether they are of the loss of what is predicted: a population has a loss for each member. */
  protected boolean tellsGradientsOfTheLossOfItsPredictions() {
    return true;
  }

  @ParameterizedTest
  @MethodSource("models")
  void gradientsOfInputsAreThoseOfTheLoss(InitialModel model) {
    if (!tellsGradientsOfTheLossOfItsPredictions() || !engine().givesInputGradients(model.spec())) {
      return;
    }
    Random random = new Random(11);
    try (ModelReplica replica = replica(model)) {
      Minibatch equal = roomy(minibatches(model, 5, 3).get(0));
      InputGradients.verify(replica, equal, InputGradients::crossEntropy, FEATURES, random);
      Minibatch weighed = roomy(minibatches(model, 6, 4).get(0));
      weigh(weighed, true);
      InputGradients.verify(replica, weighed, InputGradients::crossEntropy, FEATURES, random);
      Minibatch one = roomy(minibatches(model, 7, 1).get(0));
      InputGradients.verify(replica, one, InputGradients::crossEntropy, FEATURES, random);
    }
  }

  /** A minibatch that isn't full, with rows of another behind its own. */
  private static Minibatch roomy(Minibatch exact) {
    Minibatch roomy = Replicas.examples(exact.shape(), ROOM, new Random(2));
    roomy.clear();
    for (int row = 0; row < exact.size(); row++) {
      roomy.add(
          part(exact.features(), row, exact.shape().features()),
          part(exact.labels(), row, exact.shape().labels()),
          1,
          exact.partition(row),
          row);
    }
    return roomy;
  }

  private static float[] part(float[] rows, int row, int columns) {
    return Arrays.copyOfRange(rows, row * columns, (row + 1) * columns);
  }

  private static void weigh(Minibatch minibatch, boolean differently) {
    for (int row = 0; row < minibatch.size(); row++) {
      minibatch.weights()[row] = differently ? 0.5f + row : 1;
    }
  }

  @ParameterizedTest
  @MethodSource("models")
  void gradientsOfInputsAreOfTheirRowsAndOfNoStepBefore(InitialModel model) {
    if (!engine().givesInputGradients(model.spec())) {
      return;
    }
    int features = model.spec().shape().features();
    int outputs = model.spec().shape().outputs();
    List<Minibatch> minibatches = minibatches(model, 3, 2, ROOM, 1, 2);
    float[] gradients = new float[ROOM * features];
    try (ModelReplica used = replica(model);
        ModelReplica fresh = replica(model)) {
      for (Minibatch minibatch : minibatches) {
        InputGradients.fit(used, minibatch, new float[ROOM * outputs]);
      }
      used.write(0, model.vector(), 0, model.vector().length);
      used.setSteps(Steps.NONE);
      Minibatch again = minibatches.get(0);
      Arrays.fill(gradients, -7);
      used.fit(again, new float[ROOM * outputs], gradients);

      assertThat(gradients).startsWith(InputGradients.fit(fresh, again, new float[ROOM * outputs]));
      for (int i = again.size() * features; i < gradients.length; i++) {
        assertThat(gradients[i]).isEqualTo(-7);
      }
      assertThatThrownBy(
              () ->
                  used.fit(
                      again, new float[ROOM * outputs], new float[again.size() * features - 1]))
          .isInstanceOf(IllegalArgumentException.class);
      assertThat(Replicas.vector(used)).isEqualTo(Replicas.vector(fresh));
      assertThat(used.steps()).isEqualTo(fresh.steps());
    }
  }

  @Test
  void aNetworkThatTellsNoGradientsOfInputsSaysSo() throws Exception {
    Refused ids = refused();
    assertThat(engine().givesInputGradients(ids.model().spec())).isFalse();
    Minibatch usable = Replicas.ofOneFeature(ids.model().spec().shape(), 1, 2, 3);
    try (ModelReplica replica = replica(ids.model())) {
      assertThatThrownBy(() -> InputGradients.fit(replica, usable, new float[3 * 3]))
          .isInstanceOf(UnsupportedOperationException.class)
          .hasMessageMatching("(The engine " + engine().name() + "|A population) can't give .*");

      assertThat(Replicas.vector(replica)).isEqualTo(ids.model().vector());
      assertThat(replica.steps()).isEqualTo(Steps.NONE);
    }
  }

  @Test
  void afterExamplesWhoseGradientsItCannotTellItIsWhatItWas() {
    Optional<Refused> refused = refusedWithInputGradients();
    if (refused.isEmpty()) {
      return;
    }
    InitialModel model = refused.get().model();
    Minibatch bad = refused.get().minibatch();
    assertThat(engine().givesInputGradients(model.spec())).isTrue();
    try (ModelReplica replica = replica(model);
        ModelReplica undisturbed = replica(model)) {
      Minibatch good = minibatches(model, 1, ROOM).get(0);
      float[] predictions = new float[ROOM * model.spec().shape().outputs()];
      InputGradients.fit(replica, good, predictions);
      InputGradients.fit(undisturbed, good, predictions);

      assertThatThrownBy(() -> InputGradients.fit(replica, bad, predictions))
          .isInstanceOf(UnusableExamplesException.class);

      assertThat(Replicas.vector(replica)).isEqualTo(Replicas.vector(undisturbed));
      assertThat(replica.steps()).isEqualTo(undisturbed.steps());
      float[] gradients = InputGradients.fit(undisturbed, good, predictions);
      assertThat(InputGradients.fit(replica, good, predictions)).isEqualTo(gradients);
      assertThat(Replicas.vector(replica)).isEqualTo(Replicas.vector(undisturbed));
    }
  }

  /** Less than a byte for each value: what there is, is of steps, not of values. */
  @Test
  void stepsThatTellGradientsOfInputsAllocateNothingForEachValue() {
    if (!hasLearningRates()) {
      return;
    }
    ExampleShape wide = new ExampleShape(400, 5, Target.CLASSIFICATION);
    InitialModel model = builtIn("mlp", wide, List.of(8), "adam");
    if (!engine().givesInputGradients(model.spec())) {
      return;
    }
    Minibatch minibatch = minibatches(model, 1, 256).get(0);
    float[] predictions = new float[256 * 5];
    float[] gradients = new float[256 * 400];
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    try (ModelReplica replica = replica(model)) {
      long least = Long.MAX_VALUE;
      for (int step = 0; step < 20; step++) {
        long before = threads.getCurrentThreadAllocatedBytes();
        replica.fit(minibatch, predictions);
        long between = threads.getCurrentThreadAllocatedBytes();
        replica.fit(minibatch, predictions, gradients);
        long after = threads.getCurrentThreadAllocatedBytes();
        least = Math.min(least, after - between - (between - before));
      }
      assertThat(least).isLessThan(gradients.length);
    }
  }
}
