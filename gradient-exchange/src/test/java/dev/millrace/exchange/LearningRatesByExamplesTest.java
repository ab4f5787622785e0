package dev.millrace.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.exchange.replica.RateFactors;
import dev.millrace.model.InitialModel;
import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelDefinition.Configuration;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.Partition;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import dev.millrace.model.testing.Seeds;
import dev.millrace.model.testing.SummingEngine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.learning.config.Nesterovs;
import org.nd4j.linalg.lossfunctions.LossFunctions.LossFunction;
import org.nd4j.linalg.schedule.ExponentialSchedule;
import org.nd4j.linalg.schedule.ScheduleType;

/** Learning rates follow the examples that the whole job has learned, whoever learns them. */
class LearningRatesByExamplesTest {

  private static final InitialModel SUMS = SummingEngine.initial(4);
  private static final int ROUNDS = 5;

  /**
   * With shares of a step, larger minibatches, more replicas than a step has shares, and odd ones.
   */
  @ParameterizedTest
  @CsvSource({"1, 32", "2, 16", "8, 4", "4, 32", "1, 8", "16, 4", "3, 11"})
  void aStepOfTheModelIsSoManyExamplesOfAllReplicas(int replicas, int local) {
    LockStepJob job = new LockStepJob(SUMS, replicas, RateFactors.NONE);

    List<Long> expected = new ArrayList<>();
    long learned = 0;
    for (int step = 0; step < ROUNDS * LockStepJob.LOCAL_STEPS; step++) {
      expected.add(learned / LockStepJob.OF_STEP);
      job.learn(all(replicas, local));
      learned += (long) replicas * local;
    }

    assertThat(job.learned()).isEqualTo(learned);
    assertThat(job.models())
        .allSatisfy(model -> assertThat(model.iterations()).isEqualTo(expected));
  }

  /** Each takes the others to learn as much as itself, until the round says what they did. */
  @Test
  void unevenReplicasBeginEachRoundByTheSameCount() {
    LockStepJob job = new LockStepJob(SUMS, 2, RateFactors.NONE);
    for (int step = 0; step <= LockStepJob.LOCAL_STEPS; step++) {
      job.learn(60, 10);
    }

    long first = LockStepJob.LOCAL_STEPS * 70L / LockStepJob.OF_STEP;
    assertThat(job.model(0).iterations()).containsExactly(0L, 120 / 32L, 240 / 32L, first);
    assertThat(job.model(1).iterations()).containsExactly(0L, 20 / 32L, 40 / 32L, first);
  }

  /** In the middle of a round, too. */
  @ParameterizedTest
  @CsvSource({"8, 4, 2, 16", "2, 16, 8, 4", "4, 8, 3, 11", "4, 8, 4, 32", "4, 8, 1, 32"})
  void aRescaleKeepsTheCount(int before, int localBefore, int after, int localAfter)
      throws IOException {
    LockStepJob job = new LockStepJob(SUMS, before, RateFactors.NONE);
    for (int step = 0; step <= LockStepJob.LOCAL_STEPS; step++) {
      job.learn(all(before, localBefore));
    }

    LockStepJob rescaled = job.restored(after, RateFactors.NONE);
    rescaled.learn(all(after, localAfter));

    assertThat(rescaled.model(0).iterations())
        .containsExactly(
            (LockStepJob.LOCAL_STEPS + 1L) * before * localBefore / LockStepJob.OF_STEP);
    for (int step = 0; rescaled.learned() == job.learned(); step++) {
      assertThat(step).as("steps without a round").isLessThan(LockStepJob.LOCAL_STEPS);
      rescaled.learn(all(after, localAfter));
    }
    long learned = rescaled.learned();
    rescaled.learn(all(after, localAfter));
    assertThat(rescaled.models())
        .allSatisfy(
            model -> assertThat(model.iterations()).endsWith(learned / LockStepJob.OF_STEP));
  }

  @Test
  void aRestoredJobLearnsAtTheRatesOfAnUndisturbedOne() throws IOException {
    RateFactors rates = new RateFactors(4, 2, 1, 1_000);
    LockStepJob undisturbed = new LockStepJob(SUMS, 3, rates);
    LockStepJob disturbed = new LockStepJob(SUMS, 3, rates);
    List<List<?>> afterwards = new ArrayList<>();
    for (int step = 0; step < 3 * LockStepJob.LOCAL_STEPS; step++) {
      disturbed = disturbed.restored(3, rates);
      for (LockStepJob job : List.of(undisturbed, disturbed)) {
        job.learn(7, 20, 7);
      }
      for (RecordedModel model : disturbed.models()) {
        afterwards.add(List.of(model.iterations(), model.proportional(), model.adaptive()));
      }
    }

    List<List<?>> expected = new ArrayList<>();
    for (int step = 0; step < 3 * LockStepJob.LOCAL_STEPS; step++) {
      for (RecordedModel model : undisturbed.models()) {
        expected.add(
            List.of(
                model.iterations().subList(step, step + 1),
                model.proportional().subList(step, step + 1),
                model.adaptive().subList(step, step + 1)));
      }
    }
    assertThat(afterwards).isEqualTo(expected);
  }

  @Test
  void ratesRiseWithTheExamplesOfTheWholeJob() {
    RateFactors rates = new RateFactors(5, 0.5, 1, 256);
    LockStepJob many = new LockStepJob(SUMS, 4, rates);
    LockStepJob one = new LockStepJob(SUMS, 1, rates);
    for (int step = 0; step < 6; step++) {
      many.learn(all(4, 16));
      one.learn(64);
    }

    assertThat(many.model(3).proportional())
        .isEqualTo(one.model(0).proportional())
        .containsExactly(1.0, 2.0, 3.0, 4.0, 5.0, 5.0);
    assertThat(many.model(3).adaptive()).as("nothing to rise to").containsOnly(0.5);
  }

  /** Its own examples, and as many of each other replica; after restores and rescales, too. */
  @Test
  void encodersGoByTheExamplesOfTheWholeJob() throws IOException {
    NotingCodec noting = new NotingCodec();
    LockStepJob job = new LockStepJob(SUMS, noting, 2, RateFactors.NONE);
    for (int step = 0; step <= LockStepJob.LOCAL_STEPS; step++) {
      job.learn(10, 10);
    }
    assertThat(noting.examples()).as("of parameters and state, each").hasSize(4).containsOnly(60L);

    job = job.restored(2, RateFactors.NONE);
    for (int step = 1; step < LockStepJob.LOCAL_STEPS; step++) {
      job.learn(10, 10);
    }
    assertThat(noting.examples()).hasSize(8).endsWith(120L, 120L, 120L, 120L);

    job = job.restored(1, RateFactors.NONE);
    for (int step = 0; step < LockStepJob.LOCAL_STEPS; step++) {
      job.learn(20);
    }
    assertThat(noting.examples()).hasSize(10).endsWith(180L, 180L);
  }

  /** One replica's steps are those of a plain loop: rate and momentum, step by step. */
  @Test
  void oneReplicaIsThePlainLoop(@TempDir Path directory) throws IOException {
    ExampleShape shape = new ExampleShape(6, 3, Target.CLASSIFICATION);
    String json = scheduled();
    InitialModel initial =
        ModelEngine.named("dl4j")
            .define(
                new Configuration(
                    Files.writeString(directory.resolve("network.json"), json), shape));
    MultiLayerNetwork plain = new MultiLayerNetwork(MultiLayerConfiguration.fromJson(json));
    plain.init();
    LockStepJob job = new LockStepJob(initial, 1, RateFactors.NONE);
    long seed = Seeds.next();
    Random random = new Random(seed);

    for (int step = 0; step < ROUNDS * LockStepJob.LOCAL_STEPS; step++) {
      assertThat(job.model(0).iterations()).hasSize(plain.getIterationCount());
      Minibatch minibatch = random(shape, random);
      plain.fit(
          Nd4j.createFromArray(minibatch.features()).reshape(LockStepJob.OF_STEP, 6),
          Nd4j.createFromArray(minibatch.labels()).reshape(LockStepJob.OF_STEP, 3));
      job.learn(minibatch);
      assertThat(job.model(0).iterations()).endsWith((long) step);
    }

    float[] values = new float[initial.spec().vectorLength()];
    job.model(0).read(0, values, 0, values.length);
    float[] expected =
        Nd4j.concat(0, plain.params(), plain.getUpdater().getStateViewArray()).data().asFloat();
    for (int i = 0; i < values.length; i++) {
      assertThat(values[i]).as("value %d, seed %d", i, seed).isCloseTo(expected[i], within(1e-5f));
    }
  }

  /** Of a rate and a momentum that change much from one step to the next. */
  private static String scheduled() {
    Nesterovs updater =
        Nesterovs.builder()
            .learningRateSchedule(new ExponentialSchedule(ScheduleType.ITERATION, 0.5, 0.8))
            .momentumISchedule(new ExponentialSchedule(ScheduleType.ITERATION, 0.9, 0.9))
            .build();
    return new NeuralNetConfiguration.Builder()
        .seed(42)
        .updater(updater)
        .list()
        .layer(
            new OutputLayer.Builder(LossFunction.MCXENT)
                .nIn(6)
                .nOut(3)
                .activation(Activation.SOFTMAX)
                .build())
        .build()
        .toJson();
  }

  private static Minibatch random(ExampleShape shape, Random random) {
    Minibatch minibatch = new Minibatch(shape, LockStepJob.OF_STEP);
    for (int row = 0; row < LockStepJob.OF_STEP; row++) {
      float[] features = new float[shape.features()];
      for (int i = 0; i < features.length; i++) {
        features[i] = (float) random.nextGaussian();
      }
      float[] labels = new float[shape.outputs()];
      labels[random.nextInt(labels.length)] = 1;
      minibatch.add(features, labels, 1, new Partition("t", 0), row);
    }
    return minibatch;
  }

  private static int[] all(int replicas, int examples) {
    int[] all = new int[replicas];
    Arrays.fill(all, examples);
    return all;
  }
}
