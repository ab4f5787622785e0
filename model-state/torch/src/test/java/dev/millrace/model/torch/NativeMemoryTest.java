package dev.millrace.model.torch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.model.InitialModel;
import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelDefinition.BuiltIn;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Nothing is left of steps and of replicas. */
@EnabledOnOs(OS.LINUX)
final class NativeMemoryTest {

  private static final int MOST_MEBIBYTES = 60;

  /** Without scopes a step leaves 10 KiB. */
  @Test
  void stepsLeaveNothing() throws Exception {
    InitialModel model =
        TestReplicas.model(
            TestReplicas.SHAPE,
            TestReplicas.training(UpdaterKind.ADAM),
            TestReplicas::withStatistics);
    Minibatch minibatch = TestReplicas.examples(TestReplicas.SHAPE, 32, 1);
    float[] predictions = new float[32 * 3];
    try (ModelReplica replica = TestReplicas.replica(model)) {
      run(replica, minibatch, predictions, 1_000);
      assertLeavesNothing(() -> run(replica, minibatch, predictions, 10_000));
    }
  }

  /** What leaks does so each time; Java's own heap grows at one time, and not at the next. */
  private static void assertLeavesNothing(Runnable work) throws IOException {
    long grown = Long.MAX_VALUE;
    for (int time = 0; time < 3 && grown >= MOST_MEBIBYTES; time++) {
      long before = NativeMemory.mebibytes();
      work.run();
      grown = NativeMemory.mebibytes() - before;
    }
    assertThat(grown).as("MiB that are left").isLessThan(MOST_MEBIBYTES);
  }

  private static void run(
      ModelReplica replica, Minibatch minibatch, float[] predictions, int steps) {
    float[] gradients = new float[minibatch.features().length];
    for (int step = 0; step < steps; step++) {
      if (step % 2 == 0) {
        replica.fit(minibatch, predictions);
      } else {
        replica.fit(minibatch, predictions, gradients);
      }
      if (step % 10 == 0) {
        replica.predict(minibatch.features(), 32, predictions);
      }
    }
  }

  /** A replica of this model takes 20 MiB. */
  @Test
  void closedReplicasLeaveNothing() throws Exception {
    ExampleShape shape = new ExampleShape(784, 10, Target.CLASSIFICATION);
    InitialModel model =
        new TorchEngine()
            .define(new BuiltIn("mlp", shape, List.of(1700), List.of(), "adam", 0.01, 0.9, 0, 1));
    Minibatch minibatch = TestReplicas.examples(shape, 32, 1);
    cycle(model, minibatch);
    assertLeavesNothing(
        () -> {
          for (int i = 0; i < 15; i++) {
            cycle(model, minibatch);
          }
        });
  }

  private static void cycle(InitialModel model, Minibatch minibatch) {
    try (ModelReplica replica = TestReplicas.replica(model)) {
      TestReplicas.fit(replica, minibatch);
    }
  }
}
