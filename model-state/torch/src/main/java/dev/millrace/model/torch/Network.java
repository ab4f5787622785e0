package dev.millrace.model.torch;

import dev.millrace.model.ModelSpec;
import dev.millrace.model.Steps;
import dev.millrace.model.UnusableExamplesException;
import dev.millrace.model.io.InvalidModelException;
import java.util.Arrays;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.IValue;
import org.bytedeco.pytorch.IValueVector;
import org.bytedeco.pytorch.JitModule;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch.DeviceType;
import org.bytedeco.pytorch.global.torch.ScalarType;

/** A module on a device, and how its outputs are computed. */
final class Network implements AutoCloseable {

  private final Natives natives = new Natives();
  private final TorchConfiguration configuration;
  private final int outputs;
  private final DeviceType type;
  private final JitModule module;
  private final RandomNumbers random;
  private boolean training;

  /** Null until somebody asks. */
  private Boolean takesIds;

  Network(TorchConfiguration configuration, ModelSpec spec, TorchDevice device) {
    this.configuration = configuration;
    this.outputs = spec.shape().outputs();
    this.type = device.device().type().intern();
    try (PointerScope scope = new PointerScope()) {
      this.module = natives.keep(ModuleArchive.fromText(configuration.module()));
      module.to(device.device());
      module.eval();
      this.random = new RandomNumbers(device, natives);
    }
  }

  JitModule module() {
    return module;
  }

  /**
   * Refuses ids on CUDA: on the CPU an id that isn't there fails the step, and its record is
   * rejected. CUDA gives the process no result from then on.
   */
  void requireNoIdsOnCuda() {
    try (PointerScope scope = new PointerScope()) {
      if (type == DeviceType.CUDA && ForwardCode.takesIds(module)) {
        throw new InvalidModelException(
            "The network looks up ids (embedding, one_hot), and on a GPU one unknown id would end"
                + " the process's use of it; train on the CPU");
      }
    }
  }

  /**
   * Refuses networks that look up ids, which have no gradients.
   *
   * @throws UnsupportedOperationException if this is one
   */
  void requireInputGradients() {
    if (takesIds == null) {
      try (PointerScope scope = new PointerScope()) {
        takesIds = ForwardCode.takesIds(module);
      }
    }
    if (takesIds) {
      throw new UnsupportedOperationException(
          "The engine torch can't give gradients of this network's inputs: it looks up ids"
              + " (embedding, one_hot), and numbers of things have no gradients; take what they"
              + " stand for as features in their place");
    }
  }

  RandomNumbers random() {
    return random;
  }

  /**
   * Outputs with a graph for gradients, and with dropout; running statistics see the rows.
   *
   * @param made before this step
   */
  Tensor train(Tensor rows, Steps made) {
    if (!training) {
      module.train(true);
      training = true;
    }
    return random.during(made, () -> outputs(rows));
  }

  /** Outputs as in production. */
  Tensor infer(Tensor rows) {
    if (training) {
      module.train(false);
      training = false;
    }
    try (NoGradGuard guard = new NoGradGuard()) {
      return outputs(rows);
    }
  }

  /** Returns what the module or one of its parts makes of values, in the precision of training. */
  Tensor forward(JitModule part, Tensor values) {
    return Precisions.in(
        configuration.training().precision(),
        type,
        () -> part.forward(new IValueVector(new IValue(values))).toTensor());
  }

  private Tensor outputs(Tensor rows) {
    Tensor given = forward(module, rows);
    if (given.dim() != 2
        || given.size(0) != rows.size(0)
        || given.size(1) != outputs
        || given.scalar_type().intern() != ScalarType.Float) {
      throw new UnusableExamplesException(
          "of %s rows the network makes outputs of the shape %s, and they are to be [%s, %s] of float32"
              .formatted(rows.size(0), Arrays.toString(given.shape()), rows.size(0), outputs),
          null);
    }
    return given;
  }

  @Override
  public void close() {
    natives.close();
  }
}
