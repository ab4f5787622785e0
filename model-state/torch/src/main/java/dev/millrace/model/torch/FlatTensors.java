package dev.millrace.model.torch;

import dev.millrace.model.Frozen;
import dev.millrace.model.VectorLayout;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.shape.IndexRange;
import dev.millrace.model.torch.TensorSlot.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
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
  private final List<Kept> frozen = new ArrayList<>();

  /** A run of weights, as against biases, and their gradients. */
  record Weights(Tensor values, Tensor gradients) {}

  /** A part of the vector that a step must leave as it is, and what it was before. */
  private record Kept(Tensor values, Tensor before) {}

  /**
   * Makes a module's tensors parts of a vector, all zero.
   *
   * @param module of this configuration, on the device
   * @param still what has no gradients
   */
  FlatTensors(
      JitModule module, TorchConfiguration configuration, TorchDevice device, Frozen still) {
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
        place(slot, tensors.get(slot.name()), still);
      }
      findWeights(configuration);
      keep(still, new VectorLayout.State(0, trainable, all, state.size()));
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  /**
   * Sets the tensor's data. libtorch doesn't check the type: a part of the vector in place of
   * doubles would be read as doubles.
   */
  private void place(TensorSlot slot, Tensor tensor, Frozen still) {
    if (tensor == null || tensor.scalar_type().intern() != ScalarType.Float) {
      throw new InvalidModelException(
          "The module has no tensor %s of float32, which its configuration names"
              .formatted(slot.name()));
    }
    long[] sizes = slot.sizes();
    IndexRange own = new IndexRange(slot.from(), slot.to());
    boolean trained =
        slot.role() == Role.PARAMETER
            && still.parameters().stream().noneMatch(range -> range.intersect(own).equals(own));
    tensor.set_requires_grad(trained);
    tensor.set_data(vector.tensor().narrow(0, slot.from(), slot.length()).view(sizes));
    if (trained) {
      tensor
          .mutable_grad()
          .put(gradients.tensor().narrow(0, slot.from(), slot.length()).view(sizes));
    }
  }

  /** Updaters work on all parameters at once: what is frozen is put back behind them. */
  private void keep(Frozen still, VectorLayout.State updater) {
    for (IndexRange range : still.parameters()) {
      Stream.concat(Stream.of(range), updater.of(range).stream())
          .map(part -> natives.keep(vector.tensor().narrow(0, part.from(), part.length())))
          .forEach(part -> frozen.add(new Kept(part, natives.keep(part.clone()))));
    }
  }

  /** Keeps what is frozen, for {@link #restoreFrozen}. */
  void saveFrozen() {
    frozen.forEach(part -> part.before().copy_(part.values()));
  }

  void restoreFrozen() {
    frozen.forEach(part -> part.values().copy_(part.before()));
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
