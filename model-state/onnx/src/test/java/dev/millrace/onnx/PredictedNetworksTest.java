package dev.millrace.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelExporter.Agreement;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.ModelRuntime;
import dev.millrace.model.RuntimeModel;
import dev.millrace.model.ServableModel;
import dev.millrace.model.device.DeviceRequest;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.testing.Seeds;
import dev.millrace.onnx.OnnxExporterTest.Network;
import dev.millrace.onnx.predict.OnnxModelRuntime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Networks with every kind of layer that is written predict by ONNX Runtime as by their engine. */
class PredictedNetworksTest {

  private static final List<Integer> HIDDEN = List.of(7);

  private final long seed = Seeds.next();
  private final OnnxModelRuntime runtime = new OnnxModelRuntime();

  @AfterEach
  void closeRuntime() {
    runtime.close();
  }

  @TestFactory
  Stream<DynamicTest> everyNetworkPredictsAsItsEngineDoesOrIsRefused() {
    return OnnxExporterTest.networks().stream()
        .map(
            network ->
                DynamicTest.dynamicTest(
                    "%s, seed %s".formatted(network.name(), seed), () -> compare(network)));
  }

  private void compare(Network network) {
    ServableModel model = network.model().apply(new Random(seed));
    if (network.name().startsWith("embedding")) {
      assertThatThrownBy(() -> open(model).close())
          .isInstanceOf(InvalidModelException.class)
          .hasMessageContaining("it takes numbers of things");
      return;
    }
    try (RuntimeModel opened = open(model);
        ModelReplica engine = replica(model, model.vector())) {
      assertThat(opened.agreement().rows()).isEqualTo(32);
      assertAgrees(engine, opened, new Random(seed), 1, 9, 300, 1, 64);
    }
  }

  /** In batches that grow and shrink, of sequences that differ in their steps. */
  private static void assertAgrees(
      ModelReplica engine, RuntimeModel model, Random random, int... batches) {
    ExampleShape shape = engine.spec().shape();
    PredictionDifference difference = new PredictionDifference();
    for (int rows : batches) {
      int[] steps = null;
      if (shape.structure().isSequence()) {
        steps = new int[rows];
        Arrays.setAll(steps, row -> rows == 1 ? shape.rows() : 1 + random.nextInt(shape.rows()));
      }
      float[] features = new float[rows * shape.features()];
      for (int row = 0; row < rows; row++) {
        int taken = steps == null ? shape.features() : steps[row] * shape.width();
        for (int i = 0; i < taken; i++) {
          features[row * shape.features() + i] = (float) random.nextGaussian();
        }
      }
      float[] own = new float[rows * shape.labels()];
      float[] given = new float[own.length];
      // What stood there before has no effect.
      Arrays.fill(given, Float.NaN);
      engine.predict(features.clone(), steps, rows, own);
      model.predict(features, steps, rows, given);
      difference.add(own, given, rows);
    }
    Agreement agreement = difference.agreement(engine.spec().engine());
    assertThat(agreement.difference()).isLessThanOrEqualTo(agreement.bound());
  }

  @Test
  void itIsFoundByServiceLoader() {
    assertThat(ModelRuntime.find()).containsInstanceOf(OnnxModelRuntime.class);
  }

  /** As a defect in the export would have it. */
  @Test
  void aModelThatPredictsSomethingElseThanItsEngineIsRefused() {
    for (String engine : List.of("dl4j", "torch")) {
      ServableModel model = mlp(engine);
      float[] other = model.vector().clone();
      other[3] += 0.01f;

      assertThatThrownBy(
              () -> runtime.open(model.spec(), model.vector(), () -> replica(model, other)))
          .isInstanceOf(InvalidModelException.class)
          .hasMessageStartingWith(
              "ONNX Runtime predicts something else than the engine %s: by up to 0.0"
                  .formatted(engine));
    }
  }

  @Test
  void threadsPredictWithOneModelAtTheSameTime() {
    ServableModel model = mlp("dl4j");
    try (RuntimeModel opened = open(model)) {
      List<CompletableFuture<Void>> threads = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        Random random = new Random(seed + i);
        threads.add(
            CompletableFuture.runAsync(
                () -> {
                  try (ModelReplica engine = replica(model, model.vector())) {
                    for (int round = 0; round < 50; round++) {
                      assertAgrees(engine, opened, random, 1 + random.nextInt(9));
                    }
                  }
                },
                task -> new Thread(task).start()));
      }
      threads.forEach(CompletableFuture::join);
    }
  }

  private ServableModel mlp(String engine) {
    return Models.builtIn(engine, "mlp", Models.classes(5, 3), HIDDEN, new Random(seed));
  }

  private RuntimeModel open(ServableModel model) {
    return runtime.open(
        model.spec(),
        Arrays.copyOf(model.vector(), model.spec().parameters()),
        () -> replica(model, model.vector()));
  }

  private static ModelReplica replica(ServableModel model, float[] vector) {
    ModelReplica replica =
        ModelEngine.named(model.spec().engine()).build(model.spec(), DeviceRequest.guest());
    replica.write(0, vector, 0, model.spec().parameters());
    return replica;
  }
}
