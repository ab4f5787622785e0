package dev.millrace.model.dl4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.model.DeviceRequest;
import dev.millrace.model.ExampleShape;
import dev.millrace.model.InitialModel;
import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.Steps;
import dev.millrace.model.Target;
import dev.millrace.model.UnusableExamplesException;
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
  void goesOnAfterExamplesThatTheNetworkCannotComputeWith() throws IOException {
    ExampleShape shape = new ExampleShape(1, 3, Target.CLASSIFICATION);
    InitialModel model = TestNetworks.define(TestNetworks.embeddingJson(), shape, directory);
    Minibatch known = words(shape, 0, 9, 3);
    Minibatch unknown = words(shape, 4, 10, 5);
    float[] predictions = new float[3 * shape.outputs()];

    try (ModelReplica replica = TestNetworks.replica(model);
        ModelReplica undisturbed = TestNetworks.replica(model)) {
      assertThatThrownBy(() -> replica.predict(unknown.features(), 3, predictions))
          .isInstanceOf(UnusableExamplesException.class)
          .hasMessageContaining("10");
      assertThatThrownBy(() -> replica.fit(unknown, predictions))
          .isInstanceOf(UnusableExamplesException.class)
          .hasMessageContaining("10");
      assertThat(TestNetworks.vector(replica)).as("nothing has changed").isEqualTo(model.vector());
      for (int step = 0; step < STEPS; step++) {
        replica.fit(known, predictions);
        undisturbed.fit(known, predictions);
      }

      assertThat(TestNetworks.vector(replica)).isEqualTo(TestNetworks.vector(undisturbed));
      assertThat(replica.steps()).isEqualTo(Steps.of(STEPS));
    }
  }

  private static Minibatch words(ExampleShape shape, float... numbers) {
    Minibatch minibatch = new Minibatch(shape, numbers.length);
    for (int i = 0; i < numbers.length; i++) {
      minibatch.add(new float[] {numbers[i]}, new float[] {0, 1, 0}, 1, TestNetworks.PARTITION, i);
    }
    return minibatch;
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

  @ParameterizedTest
  @ValueSource(strings = {"mlp", "graph"})
  void continuesFromVectorAndIterationBitEqual(String name) throws IOException {
    InitialModel model = model(name);
    Minibatch minibatch = TestNetworks.examples(model.spec(), BATCH, random);
    float[] predictions = new float[BATCH * model.spec().shape().outputs()];
    try (ModelReplica first = TestNetworks.replica(model);
        ModelReplica second = new Dl4jEngine().build(model.spec(), DeviceRequest.any())) {
      for (int step = 0; step < 5; step++) {
        first.fit(minibatch, predictions);
      }
      second.write(0, TestNetworks.vector(first), 0, model.spec().vectorLength());
      second.setSteps(first.steps());
      for (int step = 0; step < 5; step++) {
        first.fit(minibatch, predictions);
        second.fit(minibatch, predictions);
      }

      assertThat(TestNetworks.vector(second)).isEqualTo(TestNetworks.vector(first));
    }
  }

  @Test
  void readsAndWritesAnyRangeOfTheVector() throws IOException {
    InitialModel model = model("mlp");
    int length = model.spec().vectorLength();
    int boundary = model.spec().parameters();
    float[] expected = new float[length];
    for (int i = 0; i < length; i++) {
      expected[i] = random.nextFloat();
    }
    try (ModelReplica replica = TestNetworks.replica(model)) {
      replica.write(0, expected, 0, boundary - 3);
      replica.write(boundary - 3, expected, boundary - 3, 10);
      replica.write(boundary + 7, expected, boundary + 7, length - boundary - 7);
      assertThat(TestNetworks.vector(replica)).isEqualTo(expected);

      float[] part = new float[12];
      replica.read(boundary - 5, part, 2, 10);
      assertThat(part[1]).isZero();
      for (int i = 0; i < 10; i++) {
        assertThat(part[2 + i]).isEqualTo(expected[boundary - 5 + i]);
      }
      assertThatThrownBy(() -> replica.read(length - 1, part, 0, 2))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> replica.write(0, part, 10, 3))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
  }

  @Test
  void aClosedReplicaIsNotRead() throws IOException {
    ModelReplica replica = TestNetworks.replica(model("mlp"));
    replica.close();
    replica.close();

    assertThatThrownBy(() -> replica.read(0, new float[1], 0, 1))
        .isInstanceOf(IllegalStateException.class);
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
