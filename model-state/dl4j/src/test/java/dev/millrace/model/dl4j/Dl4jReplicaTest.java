package dev.millrace.model.dl4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.model.InitialModel;
import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.Steps;
import dev.millrace.model.device.DeviceRequest;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.learning.config.Adam;

final class Dl4jReplicaTest {

  private static final int STEPS = 22;
  private static final int BATCH = 8;
  private static final int PARTIAL_BATCH = 3;

  @TempDir private Path directory;

  private Random random;

  @BeforeEach
  void seed(TestInfo test) {
    random = TestNetworks.random(test);
  }

  @ParameterizedTest
  @ValueSource(strings = {"mlp", "lenet", "linear", "graph", "graph of images"})
  void trainsAndPredictsBitEqualToPlainDl4j(String name) throws IOException {
    InitialModel model = model(name);
    PlainDl4j plain = new PlainDl4j(model.spec(), rowShape(name, model.spec()));
    try (ModelReplica replica = new Dl4jEngine().build(model.spec(), DeviceRequest.any())) {
      float[] predictions = new float[BATCH * model.spec().shape().outputs()];
      for (int step = 0; step < STEPS; step++) {
        int rows = step % 5 == 4 ? PARTIAL_BATCH : BATCH;
        Minibatch minibatch = TestNetworks.examples(model.spec(), rows, random);
        float[] before = plain.output(minibatch);

        replica.predict(minibatch.features(), rows, predictions);
        assertThat(predictions).startsWith(before);
        replica.fit(minibatch, predictions);
        assertThat(predictions).startsWith(before);

        plain.fit(minibatch);
        assertThat(TestNetworks.vector(replica)).isEqualTo(plain.vector());
      }
      assertThat(replica.steps()).isEqualTo(Steps.of(STEPS));
    }
  }

  @Test
  void predictionsLeaveTheRandomNumbersOfDropoutAlone() throws IOException {
    ExampleShape shape = new ExampleShape(12, 5, Target.CLASSIFICATION);
    InitialModel model =
        TestNetworks.define(TestNetworks.layeredJson(new Adam(0.01), 0.5), shape, directory);
    Minibatch minibatch = TestNetworks.examples(model.spec(), BATCH, random);

    PlainDl4j plain = new PlainDl4j(model.spec(), shape.features());
    Nd4j.getRandom().setSeed(7);
    for (int step = 0; step < STEPS; step++) {
      plain.fit(minibatch);
    }

    try (ModelReplica replica = new Dl4jEngine().build(model.spec(), DeviceRequest.any())) {
      Nd4j.getRandom().setSeed(7);
      for (int step = 0; step < STEPS; step++) {
        replica.fit(minibatch, new float[BATCH * shape.outputs()]);
      }
      assertThat(TestNetworks.vector(replica)).isEqualTo(plain.vector());
    }
  }

  @Test
  void showsWhatPredictionsCost() throws IOException {
    InitialModel model = model("lenet");
    Minibatch minibatch = TestNetworks.examples(model.spec(), 32, random);
    PlainDl4j plain = new PlainDl4j(model.spec(), model.spec().shape().features());
    float[] predictions = new float[32 * 10];
    try (ModelReplica replica = TestNetworks.replica(model)) {
      // Of this thread, which does all the work: other programs on the machine don't count.
      ThreadMXBean cpu = ManagementFactory.getThreadMXBean();
      long with = 0;
      long without = 0;
      for (int step = 0; step < 12; step++) {
        long start = cpu.getCurrentThreadCpuTime();
        replica.fit(minibatch, predictions);
        long middle = cpu.getCurrentThreadCpuTime();
        plain.fit(minibatch);
        if (step > 2) {
          with += middle - start;
          without += cpu.getCurrentThreadCpuTime() - middle;
        }
      }
      System.out.printf(
          "LeNet, batch 32: fit with predictions takes %.3f of plain fit's time%n",
          (double) with / without);
      assertThat(TestNetworks.vector(replica)).isEqualTo(plain.vector());
    }
  }

  private InitialModel model(String name) throws IOException {
    ExampleShape shape = new ExampleShape(12, 5, Target.CLASSIFICATION);
    return switch (name) {
      case "mlp" -> new Dl4jEngine().define(TestNetworks.mlp());
      case "lenet" -> new Dl4jEngine().define(TestNetworks.lenet());
      case "linear" ->
          new Dl4jEngine().define(TestNetworks.builtIn("linear", shape, List.of(), "rmsprop"));
      case "graph" -> TestNetworks.define(TestNetworks.graphJson(), shape, directory);
      default ->
          TestNetworks.define(
              TestNetworks.graphOfImagesJson(),
              new ExampleShape(200, 5, Target.CLASSIFICATION),
              directory);
    };
  }

  private static long[] rowShape(String name, ModelSpec spec) {
    return name.equals("graph of images")
        ? new long[] {2, 10, 10}
        : new long[] {spec.shape().features()};
  }

  @Test
  void givesItsDeviceBackWhenItIsClosedAndWhenItCannotBeBuilt() throws IOException {
    AtomicInteger returned = new AtomicInteger();
    ModelSpec spec = model("mlp").spec();

    Dl4jEngine.build(spec, returned::incrementAndGet).close();
    assertThat(returned).hasValue(1);

    ModelSpec broken =
        new ModelSpec(
            spec.engine(), spec.kind(), "{", spec.shape(), spec.parameters(), 0, List.of());
    assertThatThrownBy(() -> Dl4jEngine.build(broken, returned::incrementAndGet))
        .isInstanceOf(RuntimeException.class);
    assertThat(returned).hasValue(2);
  }
}
