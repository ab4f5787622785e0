package dev.millrace.model.torch;

import dev.millrace.model.Learning.Precision;
import dev.millrace.model.UnusableExamplesException;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.shape.ExampleShape;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.JitModule;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch.ScalarType;

/**
 * Tries a new replica where it computes. Not each operation is there on each device and in each
 * precision; without a trial, all examples of a job would be taken for unusable ones.
 */
final class ReplicaTrial {

  /** Running statistics need two rows. */
  private static final int ROWS = 2;

  private static final int CHUNK = 1 << 14;

  private ReplicaTrial() {}

  /**
   * Makes a gradient and a prediction, with weights of no meaning: some networks can't compute with
   * zeros, such as those that invert a matrix. Afterwards the vector is zero, and the module's
   * counters are what they were.
   *
   * @param replica whose vector is zero
   * @throws InvalidModelException if it can't compute
   */
  @SuppressWarnings("try") // The resources are scopes.
  static void verify(
      TorchReplica replica, JitModule module, FlatStorage vector, Precision precision) {
    ExampleShape shape = replica.spec().shape();
    try (PointerScope scope = new PointerScope()) {
      List<Tensor> counters = new ArrayList<>(ModuleTensors.buffers(module).values());
      counters.removeIf(buffer -> buffer.scalar_type().intern() == ScalarType.Float);
      List<Tensor> counted = counters.stream().map(Tensor::clone).toList();
      fill(vector, replica.spec().vectorLength());
      try {
        replica.gradient(
            TrialExamples.minibatch(shape, ROWS), new float[replica.spec().parameters()]);
        replica.predict(TrialExamples.features(shape, 1), 1, new float[shape.outputs()]);
      } catch (UnusableExamplesException e) {
        throw new InvalidModelException(
            ("The network can't compute on the device %s in %s: %s; train in float32 or"
                    + " on another device, or replace this operation")
                .formatted(
                    replica.deviceUse().device(),
                    precision.name().toLowerCase(Locale.ROOT),
                    e.getMessage()),
            e);
      }
      try (NoGradGuard guard = new NoGradGuard()) {
        vector.tensor().zero_();
        for (int i = 0; i < counters.size(); i++) {
          counters.get(i).copy_(counted.get(i));
        }
      }
    }
  }

  /** Numbers above 0, as variances are, and so small that sums of many stay small. */
  private static void fill(FlatStorage vector, int length) {
    float[] chunk = new float[CHUNK];
    Random random = new Random(1);
    for (int i = 0; i < CHUNK; i++) {
      chunk[i] = 0.01f * (1 - random.nextFloat());
    }
    for (int from = 0; from < length; from += CHUNK) {
      vector.write(from, chunk, 0, Math.min(CHUNK, length - from));
    }
  }
}
