package dev.millrace.model.torch;

import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.torch.TensorSlot.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.JitModule;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch.ScalarType;

/**
 * The flat vector [trainable parameters | buffers | updater state] of a module in training, and the
 * gradients: each in one piece, of which the module's own tensors are parts. So the vector is read
 * and written at the speed of memory, and updaters know no layers.
 */
final class FlatTensors implements AutoCloseable {

  private final Natives natives = new Natives();
  private final FlatStorage vector;
  private final FlatStorage gradients;
  private final Tensor parameters;
  private final Tensor buffers;
  private final Tensor savedBuffers;
  private final List<Tensor> state = new ArrayList<>();
  private final List<Weights> weights = new ArrayList<>();

  /** A run of weights, as against biases, and their gradients. */
  record Weights(Tensor values, Tensor gradients) {}

  /**
   * Makes a module's tensors parts of a vector, all zero.
   *
   * @param module of this configuration, on the device
   */
  FlatTensors(JitModule module, TorchConfiguration configuration, TorchDevice device) {
    int trainable = configuration.trainable();
    int all = configuration.parameters();
    this.vector = device.storage(all + configuration.updaterState());
    this.gradients = device.storage(trainable);
    try (PointerScope scope = new PointerScope()) {
      this.parameters = natives.keep(vector.tensor().narrow(0, 0, trainable));
      this.buffers = natives.keep(vector.tensor().narrow(0, trainable, all - trainable));
      this.savedBuffers = natives.keep(buffers.clone());
      for (int i = 0; i < configuration.training().updater().slots(); i++) {
        state.add(natives.keep(vector.tensor().narrow(0, all + (long) i * trainable, trainable)));
      }
      Map<String, Tensor> tensors = ModuleTensors.all(module);
      for (TensorSlot slot : configuration.slots()) {
        place(slot, tensors.get(slot.name()));
      }
      findWeights(configuration);
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  /**
   * Sets the tensor's data. libtorch doesn't check the type: a part of the vector in place of
   * doubles would be read as doubles.
   */
  private void place(TensorSlot slot, Tensor tensor) {
    if (tensor == null || tensor.scalar_type().intern() != ScalarType.Float) {
      throw new InvalidModelException(
          "The module has no tensor %s of float32, which its configuration names"
              .formatted(slot.name()));
    }
    long[] sizes = slot.sizes();
    boolean trained = slot.role() == Role.PARAMETER;
    tensor.set_requires_grad(trained);
    tensor.set_data(vector.tensor().narrow(0, slot.from(), slot.length()).view(sizes));
    if (trained) {
      tensor
          .mutable_grad()
          .put(gradients.tensor().narrow(0, slot.from(), slot.length()).view(sizes));
    }
  }

  /**
   * Finds what decays: tensors of at least two dimensions, as neither biases nor normalizations
   * have.
   */
  private void findWeights(TorchConfiguration configuration) {
    int from = -1;
    int to = -1;
    for (TensorSlot slot : configuration.slots()) {
      if (slot.role() == Role.PARAMETER && slot.shape().size() > 1) {
        if (slot.from() != to) {
          addWeights(from, to);
          from = slot.from();
        }
        to = slot.to();
      }
    }
    addWeights(from, to);
  }

  private void addWeights(int from, int to) {
    if (to > from) {
      weights.add(
          new Weights(
              natives.keep(vector.tensor().narrow(0, from, to - from)),
              natives.keep(gradients.tensor().narrow(0, from, to - from))));
    }
  }

  FlatStorage vector() {
    return vector;
  }

  /** Returns the tensors that are trained. */
  Tensor parameters() {
    return parameters;
  }

  /** Copies the gradients to the heap; there is one for each parameter that is trained. */
  void readGradients(float[] target) {
    gradients.read(0, target, 0, Math.toIntExact(parameters.numel()));
  }

  Tensor gradients() {
    return gradients.tensor();
  }

  /** One of the updater's slots. */
  Tensor state(int slot) {
    return state.get(slot);
  }

  List<Weights> weights() {
    return weights;
  }

  boolean hasBuffers() {
    return buffers.numel() > 0;
  }

  /** Keeps the buffers as they are, for {@link #restoreBuffers}. */
  void saveBuffers() {
    if (hasBuffers()) {
      savedBuffers.copy_(buffers);
    }
  }

  void restoreBuffers() {
    if (hasBuffers()) {
      buffers.copy_(savedBuffers);
    }
  }

  @Override
  public void close() {
    natives.close();
    gradients.close();
    vector.close();
  }
}
