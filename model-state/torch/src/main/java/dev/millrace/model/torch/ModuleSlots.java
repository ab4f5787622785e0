package dev.millrace.model.torch;

import dev.millrace.model.torch.TensorSlot.Role;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.bytedeco.pytorch.JitModule;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.bytedeco.pytorch.global.torch.ScalarType;

/** Lays the tensors of a module out in a flat vector. */
final class ModuleSlots {

  private static final String VARIANCE = "running_var";

  private ModuleSlots() {}

  /** Trainable parameters, then frozen ones, then buffers of floats. */
  static List<TensorSlot> of(JitModule module) {
    Map<String, Tensor> parameters = ModuleTensors.parameters(module);
    List<TensorSlot> slots = new ArrayList<>();
    parameters.forEach(
        (name, tensor) -> {
          if (tensor.requires_grad()) {
            add(slots, name, tensor, Role.PARAMETER);
          }
        });
    parameters.forEach(
        (name, tensor) -> {
          if (!tensor.requires_grad()) {
            add(slots, name, tensor, Role.BUFFER);
          }
        });
    ModuleTensors.buffers(module)
        .forEach(
            (name, tensor) -> {
              if (tensor.scalar_type().intern() == ScalarType.Float) {
                add(slots, name, tensor, Role.BUFFER);
              }
            });
    return slots;
  }

  private static void add(List<TensorSlot> slots, String name, Tensor tensor, Role role) {
    int from = slots.isEmpty() ? 0 : slots.get(slots.size() - 1).to();
    List<Long> shape = new ArrayList<>();
    for (long dimension = 0; dimension < tensor.dim(); dimension++) {
      shape.add(tensor.size(dimension));
    }
    int dot = name.lastIndexOf('.');
    slots.add(
        new TensorSlot(
            name,
            name.substring(0, Math.max(dot, 0)),
            shape,
            role,
            from,
            role == Role.BUFFER && name.substring(dot + 1).equals(VARIANCE)));
  }

  /** The classes of those modules that have some of the slots. */
  static Map<String, String> types(JitModule module, List<TensorSlot> slots) {
    Map<String, String> types = new HashMap<>();
    ModuleTensors.modules(module)
        .forEach(
            (name, part) -> {
              if (slots.stream().anyMatch(slot -> slot.layer().equals(name))) {
                types.put(name, part.type().name().get().name().getString());
              }
            });
    return types;
  }

  /**
   * Copies the slots' values out of a module into a vector.
   *
   * @param vector at least as long as the slots
   * @throws IllegalArgumentException if one isn't of float32
   */
  static void read(JitModule module, List<TensorSlot> slots, float[] vector) {
    Map<String, Tensor> tensors = ModuleTensors.all(module);
    for (TensorSlot slot : slots) {
      if (tensors.get(slot.name()).scalar_type().intern() != ScalarType.Float) {
        throw new IllegalArgumentException(
            "its '%s' isn't of float32; call float() before scripting it".formatted(slot.name()));
      }
      if (slot.length() > 0) {
        Tensor values = tensors.get(slot.name()).detach().contiguous();
        values.data_ptr_float().get(vector, slot.from(), slot.length());
      }
    }
  }

  /**
   * Gives each tensor of a module values of its own, out of a vector.
   *
   * @param module as {@link ModuleArchive#fromText} gives it
   */
  static void write(float[] vector, List<TensorSlot> slots, JitModule module) {
    Map<String, Tensor> tensors = ModuleTensors.all(module);
    for (TensorSlot slot : slots) {
      Tensor values = torch.empty(slot.sizes());
      if (slot.length() > 0) {
        values.data_ptr_float().put(vector, slot.from(), slot.length());
      }
      tensors.get(slot.name()).set_data(values);
    }
  }
}
