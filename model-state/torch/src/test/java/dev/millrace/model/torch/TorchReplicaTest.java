package dev.millrace.model.torch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.model.InitialModel;
import dev.millrace.model.Learning;
import dev.millrace.model.Learning.Precision;
import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelDefinition.BuiltIn;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.Partition;
import dev.millrace.model.Steps;
import dev.millrace.model.UnusableExamplesException;
import dev.millrace.model.device.DeviceRequest;
import dev.millrace.model.device.DeviceRequest.Kind;
import dev.millrace.model.device.DeviceRequest.Use;
import dev.millrace.model.device.UnusableEngineException;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.IndexRange;
import dev.millrace.model.shape.Target;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class TorchReplicaTest {

  private static final ExampleShape SHAPE = TestReplicas.SHAPE;

  private final InitialModel dense =
      TestReplicas.model(SHAPE, TestReplicas.training(UpdaterKind.ADAM), TestReplicas::dense);
  private final InitialModel normalized =
      TestReplicas.model(
          SHAPE, TestReplicas.training(UpdaterKind.ADAM), TestReplicas::withStatistics);

  @ParameterizedTest
  @ValueSource(strings = {"lenet", "mlp", "linear"})
  void builtInNetworksLearn(String name) {
    ExampleShape shape = new ExampleShape(256, 4, Target.CLASSIFICATION);
    ModelEngine engine = ModelEngine.named("torch");
    InitialModel model =
        engine.define(
            new BuiltIn(
                name,
                shape,
                name.equals("mlp") ? List.of(32) : List.of(),
                List.of(),
                "nesterovs",
                0.01,
                0.9,
                5e-4,
                1));
    Minibatch minibatch = TestReplicas.examples(shape, 16, 3);
    try (ModelReplica replica = TestReplicas.replica(model)) {
      double before = loss(replica, minibatch);
      for (int step = 0; step < 30; step++) {
        TestReplicas.fit(replica, minibatch);
      }
      assertThat(loss(replica, minibatch)).isLessThan(before / 3);
      assertThat(replica.steps()).isEqualTo(Steps.of(30));
    }
  }

  private static double loss(ModelReplica replica, Minibatch minibatch) {
    float[] predictions = new float[minibatch.size() * minibatch.shape().outputs()];
    replica.predict(minibatch.features(), minibatch.size(), predictions);
    double sum = 0;
    for (int i = 0; i < predictions.length; i++) {
      sum -= minibatch.labels()[i] * Math.log(predictions[i]);
    }
    return sum / minibatch.size();
  }

  /** A weight of 2 is the example twice; the sum is divided by the rows that there are. */
  @ParameterizedTest
  @EnumSource(Loss.class)
  void weightsMultiplyTheLossOfTheirExamples(Loss loss) {
    Target target =
        switch (loss) {
          case CROSS_ENTROPY -> Target.CLASSIFICATION;
          case BINARY_CROSS_ENTROPY -> Target.MULTI_LABEL;
          case MSE, MAE, HUBER -> Target.REGRESSION;
        };
    ExampleShape shape = new ExampleShape(6, 3, target);
    Training training =
        new Training(loss, UpdaterKind.SGD, 0.5, 0, 0, 0, null, null, Precision.FLOAT32);
    InitialModel model = TestReplicas.model(shape, training, TestReplicas::dense);
    Minibatch plain = TestReplicas.examples(shape, 3, 5);
    Minibatch weighed = new Minibatch(shape, 2);
    Minibatch thrice = new Minibatch(shape, 6);
    for (int row = 0; row < 2; row++) {
      float[] features = Arrays.copyOfRange(plain.features(), 6 * row, 6 * row + 6);
      float[] labels = Arrays.copyOfRange(plain.labels(), 3 * row, 3 * row + 3);
      weighed.add(features, labels, row == 0 ? 3 : 0.5f, new Partition("", 0), row);
      for (int i = 0; i < (row == 0 ? 3 : 1); i++) {
        thrice.add(features, labels, row == 0 ? 1 : 0.5f, new Partition("", 0), row);
      }
    }
    try (ModelReplica one = TestReplicas.replica(model);
        ModelReplica other = TestReplicas.replica(model)) {
      // Four rows in place of two have half the rate, so they have twice the weight.
      other.scaleLearningRates(2, 1);
      TestReplicas.fit(one, weighed);
      TestReplicas.fit(other, thrice);

      assertThat(TestReplicas.vector(one))
          .containsExactly(TestReplicas.vector(other), within(1e-5f));
      assertThat(TestReplicas.vector(one)).isNotEqualTo(model.vector());
    }
  }

  @Test
  void predictionsAreProbabilitiesAndThoseOfAStepAreFromBeforeIt() {
    Minibatch minibatch = TestReplicas.examples(SHAPE, 8, 1);
    float[] predictions = new float[24];
    try (ModelReplica replica = TestReplicas.replica(dense)) {
      replica.predict(minibatch.features(), 8, predictions);
      assertThat(predictions[0] + predictions[1] + predictions[2]).isCloseTo(1, within(1e-6f));
      assertThat(TestReplicas.fit(replica, minibatch)).isEqualTo(predictions);
    }
  }

  /** Processors take many times as long for such numbers. */
  @Test
  void aStepTakesNumbersBelowTheNormalOnesAsZeroAndLeavesJavasAlone() {
    Minibatch minibatch = TestReplicas.examples(SHAPE, 8, 1);
    Arrays.fill(minibatch.features(), Float.MIN_NORMAL / 2);
    float[] gradients = new float[dense.spec().parameters()];
    try (ModelReplica replica = TestReplicas.replica(dense)) {
      replica.gradient(minibatch, gradients);
    }

    float[] least = {Float.MIN_NORMAL};
    assertThat(least[0] / 2).isNotZero();
    for (float gradient : gradients) {
      assertThat(gradient == 0 || Math.abs(gradient) >= least[0]).as("%s", gradient).isTrue();
    }
    assertThat(gradients).contains(0f);
  }

  /** What failed has changed nothing, though the network had counted the rows in before. */
  @Test
  void aRefusedMinibatchLeavesVectorAndSteps() {
    Minibatch good = TestReplicas.examples(SHAPE, 8, 1);
    Minibatch bad = TestReplicas.examples(SHAPE, 8, 2);
    bad.features()[10] = 1000;
    float[] predictions = new float[24];
    try (ModelReplica replica = TestReplicas.replica(normalized);
        ModelReplica spared = TestReplicas.replica(normalized)) {
      TestReplicas.fit(replica, good);
      TestReplicas.fit(spared, good);
      float[] before = TestReplicas.vector(replica);

      long computed = replica.deviceUse().computeNanos();
      assertThatThrownBy(() -> replica.fit(bad, predictions))
          .isInstanceOf(UnusableExamplesException.class)
          .hasMessageContaining("AssertionError");

      assertThat(TestReplicas.vector(replica)).isEqualTo(before);
      assertThat(replica.steps()).isEqualTo(Steps.of(1));
      assertThat(replica.deviceUse().computeNanos()).isGreaterThan(computed);
      assertThatThrownBy(() -> replica.predict(bad.features(), 8, predictions))
          .isInstanceOf(UnusableExamplesException.class);
      TestReplicas.fit(replica, good);
      TestReplicas.fit(spared, good);
      assertThat(TestReplicas.vector(replica)).isEqualTo(TestReplicas.vector(spared));
    }
  }

  @Test
  void runningStatisticsAreInTheVectorAndVariancesStayPositive() {
    int trainable = 8 * 6 + 8 + 8 + 8 + 3 * 8 + 3;
    assertThat(normalized.spec().runningStatistics())
        .containsExactly(new IndexRange(trainable, trainable + 16));
    assertThat(normalized.spec().nonNegative())
        .containsExactly(
            new IndexRange(trainable + 8, trainable + 16),
            new IndexRange(trainable + 16 + trainable, 3 * trainable + 16));
    try (ModelReplica replica = TestReplicas.replica(normalized)) {
      TestReplicas.fit(replica, TestReplicas.examples(SHAPE, 8, 1));
      float[] vector = TestReplicas.vector(replica);
      for (int i = trainable; i < trainable + 16; i++) {
        assertThat(vector[i]).isNotEqualTo(normalized.vector()[i]);
      }
    }
  }

  /** One row has no variance: alone it would make the statistics NaN, and twice lower them to 0. */
  @Test
  void oneRowIsLearnedByANetworkWithStatistics() {
    Minibatch one = TestReplicas.examples(SHAPE, 1, 1);
    try (ModelReplica replica = TestReplicas.replica(normalized)) {
      assertThat(TestReplicas.fit(replica, one)).hasSize(3);

      float[] vector = TestReplicas.vector(replica);
      assertThat(vector).isNotEqualTo(normalized.vector());
      for (float value : vector) {
        assertThat(Float.isFinite(value)).isTrue();
      }
      IndexRange statistics = normalized.spec().runningStatistics().get(0);
      assertThat(Arrays.copyOfRange(vector, statistics.from(), statistics.to()))
          .isEqualTo(Arrays.copyOfRange(normalized.vector(), statistics.from(), statistics.to()));
    }
  }

  /** Else each example would count as one that can't be learned. */
  @Test
  void aNetworkThatCantComputeInItsPrecisionIsNotBuilt() {
    Training half =
        new Training(
            Loss.CROSS_ENTROPY, UpdaterKind.ADAM, 0.01, 0, 0, 0, null, null, Precision.BFLOAT16);
    InitialModel model = TestReplicas.model(SHAPE, half, TestReplicas::ofFloatsAlone);

    assertThatThrownBy(() -> TestReplicas.replica(model))
        .isInstanceOf(InvalidModelException.class)
        .hasMessageContainingAll("can't compute on the device cpu in bfloat16", "train in float32");
  }

  /** Its trial has weights, counts nothing, and leaves zeros behind. */
  @Test
  void aReplicaIsTriedBeforeItIsWritten() {
    InitialModel inverting =
        TestReplicas.model(
            SHAPE, TestReplicas.training(UpdaterKind.SGD), TestReplicas::withInverse);
    try (ModelReplica replica =
            new TorchEngine()
                .build(inverting.spec(), new DeviceRequest(List.of(), Use.SHARED, Kind.CPU));
        ModelReplica untried =
            new TorchReplica(
                inverting.spec(),
                TorchConfiguration.fromJson(inverting.spec().configuration()),
                new CpuDevice())) {
      assertThat(TestReplicas.vector(replica)).containsOnly(0);
      assertThat(replica.steps()).isEqualTo(Steps.NONE);
      Minibatch minibatch = TestReplicas.examples(SHAPE, 4, 1);
      float[][] predictions = new float[2][12];
      replica.write(0, inverting.vector(), 0, inverting.vector().length);
      untried.write(0, inverting.vector(), 0, inverting.vector().length);
      replica.predict(minibatch.features(), 4, predictions[0]);
      untried.predict(minibatch.features(), 4, predictions[1]);
      assertThat(predictions[0]).isEqualTo(predictions[1]);
    }
  }

  @Test
  void whatIsOfAnotherShapeIsRefusedBeforeLibtorchSeesIt() {
    Minibatch minibatch = TestReplicas.examples(SHAPE, 4, 1);
    float[] predictions = new float[12];
    try (ModelReplica replica = TestReplicas.replica(dense)) {
      Minibatch other = TestReplicas.examples(new ExampleShape(7, 3, Target.CLASSIFICATION), 4, 1);
      assertThatThrownBy(() -> replica.fit(other, predictions))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("features=6")
          .hasMessageContaining("features=7");
      assertThatThrownBy(() -> replica.fit(new Minibatch(SHAPE, 4), predictions))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("at least one example");
      assertThatThrownBy(() -> replica.fit(minibatch, new float[11]))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> replica.predict(new float[23], 4, predictions))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> replica.predict(new float[24], -1, predictions))
          .isInstanceOf(IllegalArgumentException.class);
      replica.predict(new float[0], 0, new float[0]);
      int length = replica.spec().vectorLength();
      assertThatThrownBy(() -> replica.read(length - 1, new float[2], 0, 2))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> replica.write(-1, new float[2], 0, 2))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThat(TestReplicas.vector(replica)).isEqualTo(dense.vector());
      TestReplicas.fit(replica, minibatch);
    }
  }

  @Test
  void noNumberEndsTheProcess() {
    Minibatch nan = TestReplicas.examples(SHAPE, 4, 1);
    nan.features()[3] = Float.NaN;
    nan.features()[9] = Float.NEGATIVE_INFINITY;
    nan.labels()[0] = Float.NaN;
    try (ModelReplica replica = TestReplicas.replica(dense)) {
      TestReplicas.fit(replica, nan);
      assertThat(TestReplicas.vector(replica)).contains(Float.NaN);
      replica.write(0, dense.vector(), 0, dense.vector().length);
      TestReplicas.fit(replica, TestReplicas.examples(SHAPE, 4, 2));
      assertThat(TestReplicas.vector(replica)).doesNotContain(Float.NaN);
    }
  }

  @Test
  void closedTwiceAndNotUsedAfterwards() {
    ModelReplica replica = TestReplicas.replica(dense);
    replica.close();
    replica.close();

    assertThatThrownBy(() -> replica.read(0, new float[1], 0, 1))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> replica.predict(new float[6], 1, new float[3]))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void bfloat16IsNearFloat32AndLearns() {
    Training half =
        new Training(
            Loss.CROSS_ENTROPY, UpdaterKind.ADAM, 0.01, 0, 0, 0, null, null, Precision.BFLOAT16);
    InitialModel model = TestReplicas.model(SHAPE, half, TestReplicas::dense);
    Minibatch minibatch = TestReplicas.examples(SHAPE, 32, 1);
    try (ModelReplica exact = TestReplicas.replica(dense);
        ModelReplica coarse = TestReplicas.replica(model)) {
      float[] expected = TestReplicas.fit(exact, minibatch);
      float[] predictions = TestReplicas.fit(coarse, minibatch);
      assertThat(predictions).isNotEqualTo(expected).containsExactly(expected, within(0.05f));
      double before = loss(coarse, minibatch);
      for (int step = 0; step < 200; step++) {
        TestReplicas.fit(coarse, minibatch);
      }
      assertThat(loss(coarse, minibatch)).isLessThan(0.8 * before);
      assertThat(TestReplicas.fit(exact, minibatch)).isNotEqualTo(expected);
    }
  }

  @Test
  void tellsWhatItUsesOfItsDevice() {
    try (ModelReplica replica = TestReplicas.replica(dense)) {
      TestReplicas.fit(replica, TestReplicas.examples(SHAPE, 4, 1));

      assertThat(replica.deviceUse().device()).isEqualTo("cpu");
      assertThat(replica.deviceUse().computeNanos()).isPositive();
      assertThat(replica.deviceUse().copyNanos()).isPositive();
      int floats = replica.spec().vectorLength() + replica.spec().parameters() + 4 * (6 + 3);
      assertThat(replica.deviceUse().memoryBytes()).isEqualTo(floats * 4L);
    }
  }

  @Test
  void idsAreFoundInWhatANetworkComputes() {
    assertThat(new TorchEngine().takesIds(dense.spec())).isFalse();
    InitialModel looking =
        TestReplicas.model(
            SHAPE, TestReplicas.training(UpdaterKind.SGD), TestReplicas::withEmbedding);
    assertThat(new TorchEngine().takesIds(looking.spec())).isTrue();
  }

  @Test
  void activationsAreToldInEachPrecision() {
    for (Precision precision : Precision.values()) {
      InitialModel mlp =
          ModelEngine.named("torch")
              .define(
                  new BuiltIn(
                      "mlp",
                      SHAPE,
                      List.of(16, 8),
                      List.of(),
                      new Learning(
                          Optional.empty(),
                          Optional.empty(),
                          Optional.empty(),
                          Optional.empty(),
                          Optional.empty(),
                          Optional.empty(),
                          Optional.empty(),
                          Optional.empty(),
                          Optional.of(precision)),
                      1));
      try (ModelReplica replica = TestReplicas.replica(mlp)) {
        assertThat(replica.activations(TestReplicas.examples(SHAPE, 64, 1)))
            .as("%s", precision)
            .hasSize(2);
      }
    }
  }

  /** There is no GPU where tests run, or the build for the CPU is on the class path. */
  @Test
  void aGpuThatIsNotThereIsAskedForInVain() {
    if (Libtorch.devices() == 0) {
      assertThatThrownBy(
              () ->
                  new TorchEngine()
                      .build(dense.spec(), new DeviceRequest(List.of(), Use.SHARED, Kind.CUDA)))
          .isInstanceOf(UnusableEngineException.class)
          .hasMessageContaining("device cuda")
          .hasMessageContaining("-gpu");
      assertThatThrownBy(
              () ->
                  new TorchEngine()
                      .build(dense.spec(), new DeviceRequest(List.of(), Use.EXCLUSIVE)))
          .isInstanceOf(UnusableEngineException.class)
          .hasMessageContaining("device exclusive");
    }
  }

  @Test
  void failuresOfDevicesAreNotTheExamples() {
    assertThat(LibtorchErrors.ofExamples(new RuntimeException("CUDA out of memory. Tried")))
        .isInstanceOf(IllegalStateException.class);
    assertThat(LibtorchErrors.ofExamples(new RuntimeException("index out of range in self")))
        .isInstanceOf(UnusableExamplesException.class);
    assertThat(
            LibtorchErrors.ofExamples(
                new RuntimeException("CUDA error: device-side assert triggered")))
        .isInstanceOf(UnusableEngineException.class)
        .hasMessageContaining("restart the process");
    assertThat(
            LibtorchErrors.ofStart(
                new RuntimeException("CUDA error: no kernel image is available for execution")))
        .isInstanceOf(UnusableEngineException.class)
        .hasMessageContaining("7.5 to 12.1");
    RuntimeException other = new RuntimeException("other");
    assertThat(LibtorchErrors.ofStart(other)).isSameAs(other);
    IllegalStateException own = new IllegalStateException("ours");
    assertThat(LibtorchErrors.ofExamples(own)).isSameAs(own);
  }
}
