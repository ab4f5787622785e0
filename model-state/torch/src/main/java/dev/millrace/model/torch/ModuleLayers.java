package dev.millrace.model.torch;

import dev.millrace.model.LayerDescription;
import dev.millrace.model.TensorDescription;
import dev.millrace.model.shape.IndexRange;
import dev.millrace.model.torch.TensorSlot.Role;
import java.util.ArrayList;
import java.util.List;

/** The parts of a module that have values in the vector. */
final class ModuleLayers {

  /** What a layer without a name is called: the module itself. */
  private static final String OUTERMOST = "module";

  private ModuleLayers() {}

  /**
   * A layer's trainable parameters, and behind all of these, what it keeps besides under the name
   * of its own with {@code .buffers}.
   */
  static List<LayerDescription> of(TorchConfiguration configuration) {
    String updater =
        configuration.training() == null
            ? ""
            : "%s %s"
                .formatted(
                    configuration.training().updater(), configuration.training().learningRate());
    List<LayerDescription> layers = new ArrayList<>();
    TensorSlot first = null;
    TensorSlot last = null;
    for (TensorSlot slot : configuration.slots()) {
      if (first != null && !isOfOneLayer(first, slot)) {
        layers.add(layer(configuration, first, last, updater));
        first = null;
      }
      first = first == null ? slot : first;
      last = slot;
    }
    if (first != null) {
      layers.add(layer(configuration, first, last, updater));
    }
    return layers;
  }

  /** Trainable parameters and buffers, by their names in the module. */
  static List<TensorDescription> tensors(TorchConfiguration configuration) {
    return configuration.slots().stream()
        .map(slot -> new TensorDescription(slot.name(), slot.shape(), slot.from()))
        .toList();
  }

  private static boolean isOfOneLayer(TensorSlot one, TensorSlot other) {
    return one.layer().equals(other.layer()) && one.role() == other.role();
  }

  private static LayerDescription layer(
      TorchConfiguration configuration, TensorSlot first, TensorSlot last, String updater) {
    boolean trained = first.role() == Role.PARAMETER;
    return new LayerDescription(
        (first.layer().isEmpty() ? OUTERMOST : first.layer()) + (trained ? "" : ".buffers"),
        configuration.types().getOrDefault(first.layer(), "Module"),
        new IndexRange(first.from(), last.to()),
        trained ? updater : "");
  }
}
