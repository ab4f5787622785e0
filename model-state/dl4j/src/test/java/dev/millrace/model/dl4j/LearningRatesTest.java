package dev.millrace.model.dl4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.model.InitialModel;
import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.Steps;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nd4j.linalg.learning.config.Adam;
import org.nd4j.linalg.learning.config.IUpdater;
import org.nd4j.linalg.learning.config.Nesterovs;
import org.nd4j.linalg.learning.config.Sgd;
import org.nd4j.linalg.schedule.ExponentialSchedule;
import org.nd4j.linalg.schedule.ScheduleType;

/** How a replica's steps go by its learning rate, its schedule and its updater's age. */
final class LearningRatesTest {

  private static final int STEPS = 22;
  private static final int BATCH = 8;

  @TempDir private Path directory;

  private Random random;

  @BeforeEach
  void seed(TestInfo test) {
    random = TestNetworks.random(test);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aScaledLearningRateIsThatOfANetworkConfiguredWithIt(boolean scheduled) throws IOException {
    ExampleShape shape = new ExampleShape(12, 5, Target.CLASSIFICATION);
    InitialModel slow =
        TestNetworks.define(TestNetworks.layeredJson(adam(0.01, scheduled), 1), shape, directory);
    InitialModel fast =
        TestNetworks.define(TestNetworks.layeredJson(adam(0.04, scheduled), 1), shape, directory);
    float[] predictions = new float[BATCH * shape.outputs()];
    try (ModelReplica scaled = TestNetworks.replica(slow);
        ModelReplica configured = TestNetworks.replica(fast)) {
      configured.write(0, TestNetworks.vector(scaled), 0, slow.spec().vectorLength());
      scaled.scaleLearningRates(7, 7);
      scaled.scaleLearningRates(2, 4);
      for (int step = 0; step < STEPS; step++) {
        Minibatch minibatch = TestNetworks.examples(slow.spec(), BATCH, random);
        scaled.fit(minibatch, predictions);
        configured.fit(minibatch, predictions);
      }
      assertThat(TestNetworks.vector(scaled)).isEqualTo(TestNetworks.vector(configured));
    }
  }

  /** As a new replica's, whose model is old: Adam without moments and without corrections. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whereTheUpdaterStartsFromZeroBiasCorrectionsDoAndSchedulesDoNot(boolean scheduled)
      throws IOException {
    int before = 30;
    ExampleShape shape = new ExampleShape(12, 5, Target.CLASSIFICATION);
    InitialModel model =
        TestNetworks.define(TestNetworks.layeredJson(adam(0.01, scheduled), 1), shape, directory);
    double rateThen = scheduled ? 0.01 * Math.pow(0.9, before) : 0.01;
    InitialModel fresh =
        TestNetworks.define(
            TestNetworks.layeredJson(adam(rateThen, scheduled), 1), shape, directory);
    float[] predictions = new float[BATCH * shape.outputs()];
    try (ModelReplica old = TestNetworks.replica(model);
        ModelReplica young = TestNetworks.replica(fresh)) {
      young.write(0, TestNetworks.vector(old), 0, model.spec().vectorLength());
      old.setSteps(new Steps(before, 0));
      for (int step = 0; step < STEPS; step++) {
        Minibatch minibatch = TestNetworks.examples(model.spec(), BATCH, random);
        old.fit(minibatch, predictions);
        young.fit(minibatch, predictions);
      }

      float[] expected = TestNetworks.vector(young);
      float[] actual = TestNetworks.vector(old);
      for (int i = 0; i < expected.length; i++) {
        assertThat(actual[i]).isCloseTo(expected[i], within(1e-5f));
      }
      assertThat(old.steps()).isEqualTo(new Steps(before + STEPS, STEPS));
    }
  }

  /** As where its steps are smaller than the whole job's, or larger. */
  @ParameterizedTest
  @ValueSource(ints = {3, 40})
  void ratesAndMomentaAreThoseOfTheModelsIteration(int iteration) throws IOException {
    int ofUpdater = 10;
    Nesterovs scheduled =
        Nesterovs.builder()
            .learningRateSchedule(new ExponentialSchedule(ScheduleType.ITERATION, 0.5, 0.9))
            .momentumISchedule(new ExponentialSchedule(ScheduleType.ITERATION, 0.9, 0.95))
            .build();
    Nesterovs constant =
        new Nesterovs(0.5 * Math.pow(0.9, iteration), 0.9 * Math.pow(0.95, iteration));

    assertSameSteps(scheduled, new Steps(iteration, ofUpdater), constant, 2);
  }

  /** A stream has none. */
  @Test
  void aScheduleByEpochsStaysAtItsFirstValue() throws IOException {
    assertSameSteps(
        new Sgd(new ExponentialSchedule(ScheduleType.EPOCH, 0.5, 0.1)),
        new Steps(70, 0),
        new Sgd(0.5),
        STEPS);
  }

  /** The first one made by this count each time. */
  private void assertSameSteps(IUpdater one, Steps count, IUpdater other, int steps)
      throws IOException {
    ExampleShape shape = new ExampleShape(12, 5, Target.CLASSIFICATION);
    InitialModel scheduled =
        TestNetworks.define(TestNetworks.layeredJson(one, 1), shape, directory);
    InitialModel constant =
        TestNetworks.define(TestNetworks.layeredJson(other, 1), shape, directory);
    float[] predictions = new float[BATCH * shape.outputs()];
    try (ModelReplica left = TestNetworks.replica(scheduled);
        ModelReplica right = TestNetworks.replica(constant)) {
      right.write(0, TestNetworks.vector(left), 0, scheduled.spec().vectorLength());
      for (int step = 0; step < steps; step++) {
        Minibatch minibatch = TestNetworks.examples(scheduled.spec(), BATCH, random);
        left.setSteps(count);
        left.fit(minibatch, predictions);
        right.fit(minibatch, predictions);
      }
      assertThat(TestNetworks.vector(left)).isEqualTo(TestNetworks.vector(right));
    }
  }

  private static Adam adam(double rate, boolean scheduled) {
    return scheduled
        ? new Adam(new ExponentialSchedule(ScheduleType.ITERATION, rate, 0.9))
        : new Adam(rate);
  }
}
