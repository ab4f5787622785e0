package dev.millrace.model.torch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.model.InitialModel;
import dev.millrace.model.Learning.GradientClip;
import dev.millrace.model.Learning.Precision;
import dev.millrace.model.Learning.Schedule;
import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.Steps;
import java.util.function.Consumer;
import java.util.function.LongToDoubleFunction;
import org.bytedeco.pytorch.Adagrad;
import org.bytedeco.pytorch.AdagradOptions;
import org.bytedeco.pytorch.Adam;
import org.bytedeco.pytorch.AdamOptions;
import org.bytedeco.pytorch.AdamW;
import org.bytedeco.pytorch.AdamWOptions;
import org.bytedeco.pytorch.Optimizer;
import org.bytedeco.pytorch.RMSprop;
import org.bytedeco.pytorch.RMSpropOptions;
import org.bytedeco.pytorch.SGD;
import org.bytedeco.pytorch.SGDOptions;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Replicas learn bit for bit as PyTorch's own optimizers do. Fused steps round otherwise than
 * libtorch's classes: there values are near. Their network has no normalization, since the gradient
 * of a bias before one is rounding alone, and Adam makes whole steps of it.
 */
final class UpdaterTest {

  /** Where it is in options: libstdc++ has the parts of a tuple from the last to the first. */
  private static final long BETA_1 = 1;

  private static final int STEPS = 100;
  private static final int BATCH = 16;
  private static final double RATE = 0.01;
  private static final double DECAY = 0.1;
  private static final double NONE = Double.POSITIVE_INFINITY;

  /** The most by which the rounding of a hundred steps differs. */
  private static final float FUSED = 1e-5f;

  @ParameterizedTest
  @EnumSource(UpdaterKind.class)
  void learnsAsTheOptimizerOfThatName(UpdaterKind updater) {
    learnsAsLibtorch(training(updater, 0, null, null), step -> RATE, any -> {});
  }

  @ParameterizedTest
  @EnumSource(value = UpdaterKind.class, mode = EnumSource.Mode.EXCLUDE, names = "ADAMW")
  void penalizesWeightsAndNoBiases(UpdaterKind updater) {
    learnsAsLibtorch(training(updater, 0.05, null, null), step -> RATE, any -> {});
  }

  @ParameterizedTest
  @EnumSource(
      value = UpdaterKind.class,
      names = {"NESTEROVS", "ADAM", "ADAMW"})
  void momentumIsAnyBelowOne(UpdaterKind updater) {
    for (double momentum : new double[] {0.5, updater == UpdaterKind.NESTEROVS ? 0.1 : 0}) {
      learnsAsLibtorch(training(updater, momentum), step -> RATE, any -> {});
    }
  }

  @Test
  void cutsGradientsOffAtAValue() {
    learnsAsLibtorch(
        training(UpdaterKind.ADAM, 0.05, null, new GradientClip(NONE, 0.01)),
        step -> RATE,
        parameters -> torch.clip_grad_value_(parameters, 0.01));
  }

  /** libtorch's norm is of the tensors' norms, so the last bits differ. */
  @Test
  void shortensGradientsToANorm() {
    InitialModel model = model(training(UpdaterKind.SGD, 0, null, new GradientClip(0.1, NONE)));
    try (ModelReplica replica = TestReplicas.replica(model);
        PlainTorch plain = plain(model)) {
      for (int step = 0; step < STEPS; step++) {
        Minibatch minibatch = TestReplicas.examples(TestReplicas.SHAPE, BATCH, step);
        TestReplicas.fit(replica, minibatch);
        plain.step(minibatch, RATE, parameters -> torch.clip_grad_norm_(parameters, 0.1, 2, false));
      }
      assertThat(TestReplicas.vector(replica)).containsExactly(plain.vector(), within(1e-5f));
      assertThat(plain.vector()).isNotEqualTo(model.vector());
    }
  }

  @Test
  void stepsOfASchedule() {
    learnsAsLibtorch(
        training(UpdaterKind.NESTEROVS, 0, new Schedule(Schedule.Kind.STEP, 30, 0.5), null),
        step -> RATE * (step < 30 ? 1 : step < 60 ? 0.5 : step < 90 ? 0.25 : 0.125),
        any -> {});
  }

  @Test
  void exponentialSchedule() {
    learnsAsLibtorch(
        training(UpdaterKind.ADAM, 0, new Schedule(Schedule.Kind.EXPONENTIAL, 30, 0.5), null),
        step -> RATE * Math.pow(0.5, step / 30.0),
        any -> {});
  }

  @Test
  void cosineSchedule() {
    learnsAsLibtorch(
        training(UpdaterKind.SGD, 0, new Schedule(Schedule.Kind.COSINE, 80, 1), null),
        step -> step < 80 ? RATE * 0.5 * (1 + Math.cos(Math.PI * (step / 80.0))) : 0,
        any -> {});
  }

  /** Schedules follow the model's steps; bias corrections follow the updater's. */
  @Test
  void theTwoCountsOfStepsAreApart() {
    Schedule schedule = new Schedule(Schedule.Kind.STEP, 1000, 0.5);
    InitialModel model = model(training(UpdaterKind.ADAM, 0, schedule, null));
    try (ModelReplica replica = TestReplicas.replica(model);
        PlainTorch plain = plain(model)) {
      replica.setSteps(new Steps(2000, 0));
      for (int step = 0; step < STEPS; step++) {
        Minibatch minibatch = TestReplicas.examples(TestReplicas.SHAPE, BATCH, step);
        TestReplicas.fit(replica, minibatch);
        plain.step(minibatch, RATE / 4, any -> {});
      }
      assertThat(replica.steps()).isEqualTo(new Steps(2000 + STEPS, STEPS));
      assertEqual(UpdaterKind.ADAM, replica, plain);
    }
  }

  @ParameterizedTest
  @EnumSource(UpdaterKind.class)
  void ratesAreScaledByTheFactorOfTheirKind(UpdaterKind updater) {
    boolean proportional = updater == UpdaterKind.SGD || updater == UpdaterKind.NESTEROVS;
    InitialModel model = model(training(updater, 0, null, null));
    try (ModelReplica replica = TestReplicas.replica(model);
        PlainTorch plain = plain(model)) {
      replica.scaleLearningRates(2, 0.5);
      for (int step = 0; step < STEPS; step++) {
        Minibatch minibatch = TestReplicas.examples(TestReplicas.SHAPE, BATCH, step);
        TestReplicas.fit(replica, minibatch);
        plain.step(minibatch, RATE * (proportional ? 2 : 0.5), any -> {});
      }
      assertEqual(updater, replica, plain);
    }
  }

  private static void learnsAsLibtorch(
      Training training, LongToDoubleFunction rates, Consumer<TensorVector> clip) {
    InitialModel model = model(training);
    try (ModelReplica replica = TestReplicas.replica(model);
        PlainTorch plain = plain(model)) {
      for (int step = 0; step < STEPS; step++) {
        Minibatch minibatch = TestReplicas.examples(TestReplicas.SHAPE, BATCH, step);
        TestReplicas.fit(replica, minibatch);
        plain.step(minibatch, rates.applyAsDouble(step), clip);
        assertEqual(training.updater(), replica, plain);
      }
    }
  }

  private static void assertEqual(UpdaterKind updater, ModelReplica replica, PlainTorch plain) {
    float[] parameters = new float[plain.vector().length];
    replica.read(0, parameters, 0, parameters.length);
    assertThat(parameters)
        .as("after %s", replica.steps())
        .containsExactly(plain.vector(), within(isFused(updater) ? FUSED : 0f));
  }

  private static boolean isFused(UpdaterKind updater) {
    return switch (updater) {
      case NESTEROVS, ADAM, ADAMW -> true;
      case SGD, RMSPROP, ADAGRAD -> false;
    };
  }

  private static Training training(UpdaterKind updater, double momentum) {
    double decay = updater == UpdaterKind.ADAMW ? DECAY : 0;
    return new Training(
        Loss.CROSS_ENTROPY, updater, RATE, momentum, 0, decay, null, null, Precision.FLOAT32);
  }

  private static InitialModel model(Training training) {
    return TestReplicas.model(
        TestReplicas.SHAPE,
        training,
        isFused(training.updater()) ? TestReplicas::dense : TestReplicas::withStatistics);
  }

  private static Training training(
      UpdaterKind updater, double l2, Schedule schedule, GradientClip clip) {
    double decay = updater == UpdaterKind.ADAMW ? DECAY : 0;
    return new Training(
        Loss.CROSS_ENTROPY, updater, RATE, 0.9, l2, decay, schedule, clip, Precision.FLOAT32);
  }

  private static PlainTorch plain(InitialModel model) {
    Training training = TorchConfiguration.fromJson(model.spec().configuration()).training();
    return new PlainTorch(
        model,
        (tensors, weights) -> optimizer(training, tensors, weights ? training.l2() : 0, weights));
  }

  private static Optimizer optimizer(
      Training training, TensorVector tensors, double l2, boolean weights) {
    switch (training.updater()) {
      case SGD, NESTEROVS -> {
        SGDOptions options = new SGDOptions(RATE);
        options.weight_decay().put(l2);
        if (training.updater() == UpdaterKind.NESTEROVS) {
          options.momentum().put(training.momentum());
          options.nesterov().put(true);
        }
        return new SGD(tensors, options);
      }
      case ADAM -> {
        AdamOptions options = new AdamOptions(RATE);
        options.betas().put(BETA_1, training.momentum());
        options.weight_decay().put(l2);
        return new Adam(tensors, options);
      }
      case ADAMW -> {
        AdamWOptions options = new AdamWOptions(RATE);
        options.betas().put(BETA_1, training.momentum());
        options.weight_decay().put(weights ? training.weightDecay() : 0);
        return new AdamW(tensors, options);
      }
      case RMSPROP -> {
        RMSpropOptions options = new RMSpropOptions(RATE);
        options.weight_decay().put(l2);
        return new RMSprop(tensors, options);
      }
      case ADAGRAD -> {
        AdagradOptions options = new AdagradOptions(RATE);
        options.weight_decay().put(l2);
        return new Adagrad(tensors, options);
      }
    }
    throw new AssertionError(training.updater());
  }
}
