package dev.millrace.model.torch;

import dev.millrace.model.InitialModel;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.VectorLayout;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.shape.ExampleShape;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.JitModule;

/**
 * Gives a module other numbers of features and outputs: its first linear layer takes the features,
 * and its last one gives the outputs, in the order in which they are registered.
 */
final class Resizing {

  private static final String LINEAR = "Linear";

  private final TorchConfiguration configuration;
  private final TensorSlot first;
  private final TensorSlot last;

  /** Whether the first layer takes the features as they are. */
  private final boolean takes;

  private Resizing(TorchConfiguration configuration, ExampleShape shape) {
    this.configuration = configuration;
    List<TensorSlot> weights = weights(configuration.slots());
    this.first = weights.get(0);
    this.last = weights.get(weights.size() - 1);
    this.takes = isLinear(first) && first.shape().get(1) == shape.features();
    require(
        isLinear(last) && last.shape().get(0) == shape.outputs(),
        "its last layer, '%s', is no Linear of %s outputs, and only such gives others"
            .formatted(last.layer(), shape.outputs()));
  }

  private static List<TensorSlot> weights(List<TensorSlot> slots) {
    List<TensorSlot> weights =
        slots.stream()
            .filter(slot -> slot.role() == TensorSlot.Role.PARAMETER && slot.shape().size() > 1)
            .toList();
    require(!weights.isEmpty(), "it has no weights that are trained");
    return weights;
  }

  /** Returns how many outputs the last layer gives. */
  static int outputs(List<TensorSlot> slots) {
    List<TensorSlot> weights = weights(slots);
    return Math.toIntExact(weights.get(weights.size() - 1).shape().get(0));
  }

  private boolean isLinear(TensorSlot slot) {
    return slot.shape().size() == 2 && LINEAR.equals(configuration.types().get(slot.layer()));
  }

  /** Returns how the module's values lie in its vector. */
  static VectorLayout layout(TorchConfiguration configuration, ExampleShape shape) {
    return new Resizing(configuration, shape).layout();
  }

  /**
   * Returns the same module for examples of another shape. All its values are zero but those of its
   * last layer, which begins as that of a built-in network.
   *
   * @param old the shape that it is for
   */
  @SuppressWarnings("try") // The resource is a scope.
  static InitialModel resized(
      TorchConfiguration configuration, ExampleShape old, ExampleShape shape, long seed) {
    Resizing resizing = new Resizing(configuration, old);
    require(
        shape.features() == old.features() || resizing.takes,
        "its first layer, '%s', is no Linear of %s features, and only such takes more"
            .formatted(resizing.first.layer(), old.features()));
    TorchConfiguration grown = resizing.resized(shape);
    try (PointerScope scope = new PointerScope()) {
      JitModule module = ModuleArchive.fromText(grown.module());
      ModuleSlots.write(new float[grown.parameters()], grown.slots(), module);
      ModuleTrial.verify(module, shape, grown.training().precision(), "The model, grown,");
    }
    ModelSpec spec = grown.spec(shape);
    float[] vector = new float[spec.vectorLength()];
    TensorSlot last = grown.slots().get(configuration.slots().indexOf(resizing.last));
    float[] weights =
        ModuleBuilder.weights(
            Math.toIntExact(last.shape().get(1)), shape.outputs(), new Random(seed));
    System.arraycopy(weights, 0, vector, last.from(), weights.length);
    return new InitialModel(spec, vector, 0, null);
  }

  private VectorLayout layout() {
    List<VectorLayout.Tensor> tensors = new ArrayList<>();
    for (TensorSlot slot : configuration.slots()) {
      boolean bias = !slot.equals(last) && slot.layer().equals(last.layer());
      int rows = slot.shape().isEmpty() ? 1 : Math.toIntExact(slot.shape().get(0));
      tensors.add(
          new VectorLayout.Tensor(
              slot.name(),
              slot.from(),
              rows,
              rows == 0 ? 0 : slot.length() / rows,
              takes && slot.equals(first),
              slot.equals(last) || bias,
              bias));
    }
    int slots = configuration.training() == null ? 0 : configuration.training().updater().slots();
    return new VectorLayout(
        tensors,
        slots == 0
            ? List.of()
            : List.of(
                new VectorLayout.State(
                    0, configuration.trainable(), configuration.parameters(), slots)));
  }

  private TorchConfiguration resized(ExampleShape shape) {
    List<TensorSlot> slots = new ArrayList<>();
    int from = 0;
    for (TensorSlot slot : configuration.slots()) {
      List<Long> sizes = new ArrayList<>(slot.shape());
      if (takes && slot.equals(first)) {
        sizes.set(1, (long) shape.features());
      }
      if (slot.layer().equals(last.layer())) {
        sizes.set(0, (long) shape.outputs());
      }
      TensorSlot moved =
          new TensorSlot(slot.name(), slot.layer(), sizes, slot.role(), from, slot.variance());
      slots.add(moved);
      from = moved.to();
    }
    return new TorchConfiguration(
        configuration.training(), slots, configuration.types(), configuration.module());
  }

  private static void require(boolean condition, String reason) {
    if (!condition) {
      throw new InvalidModelException(
          "The model can't grow: %s. Train a new model".formatted(reason));
    }
  }
}
