package dev.millrace.model.torch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.model.InitialModel;
import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelReplica;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Memory is flat over a million steps, once allocators have what they keep. */
@Tag("nightly")
@EnabledOnOs(OS.LINUX)
final class NativeMemoryIT {

  private static final int STEPS = 1_000_000;
  private static final int WARM_UP = 100_000;
  private static final int MOST_MEBIBYTES = 40;

  @Test
  void aMillionStepsLeaveNothing() throws Exception {
    InitialModel model =
        TestReplicas.model(
            TestReplicas.SHAPE,
            TestReplicas.training(UpdaterKind.ADAM),
            TestReplicas::withStatistics);
    Minibatch minibatch = TestReplicas.examples(TestReplicas.SHAPE, 32, 1);
    float[] predictions = new float[32 * 3];
    long before = 0;
    try (ModelReplica replica = TestReplicas.replica(model)) {
      for (int step = 0; step < STEPS; step++) {
        if (step == WARM_UP) {
          before = NativeMemory.mebibytes();
        }
        replica.fit(minibatch, predictions);
      }
      assertThat(NativeMemory.mebibytes()).isLessThan(before + MOST_MEBIBYTES);
    }
  }
}
