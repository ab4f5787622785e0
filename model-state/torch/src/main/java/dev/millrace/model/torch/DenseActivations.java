package dev.millrace.model.torch;

import dev.millrace.model.LayerActivations;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.bytedeco.pytorch.JitModule;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * What the dense rectified layers of the built-in network {@code mlp} give. A module doesn't show
 * what its parts compute, so they are run here one after the other; where that leads to other
 * outputs than the module's own, it is another network, and nothing is told.
 */
final class DenseActivations {

  private DenseActivations() {}

  /**
   * @param rows of the input
   * @param copy for the way to the heap
   */
  static List<LayerActivations> of(Network network, Tensor rows, RowOutput copy) {
    Map<String, JitModule> parts = ModuleTensors.modules(network.module());
    Tensor outputs = network.infer(rows);
    List<LayerActivations> layers = new ArrayList<>();
    Tensor values = rows;
    for (int number = 0; parts.containsKey("dense" + number); number++) {
      values = torch.relu(network.forward(parts.get("dense" + number), values));
      if (values.dim() != 2) {
        return List.of();
      }
      float[] heap = new float[Math.toIntExact(values.numel())];
      copy.take(values);
      copy.give(heap);
      layers.add(
          new LayerActivations(
              "dense" + number,
              Math.toIntExact(values.size(0)),
              Math.toIntExact(values.size(1)),
              heap));
    }
    if (layers.isEmpty() || !parts.containsKey("output")) {
      return List.of();
    }
    Tensor last = network.forward(parts.get("output"), values);
    return last.dim() == 2 && last.size(1) == outputs.size(1) && torch.allclose(last, outputs)
        ? layers
        : List.of();
  }
}
