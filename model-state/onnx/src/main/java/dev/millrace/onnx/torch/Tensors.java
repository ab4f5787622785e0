package dev.millrace.onnx.torch;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** A module's tensors of numbers, by their names, such as {@code features.0.weight}. */
final class Tensors {

  /**
   * A tensor.
   *
   * @param name in the module
   * @param values row by row
   */
  record Tensor(String name, long[] shape, float[] values) {}

  private final Map<String, JsonNode> slots = new HashMap<>();
  private final float[] vector;

  /**
   * @param slots where each is in the vector
   */
  Tensors(JsonNode slots, float[] vector) {
    this.vector = vector;
    slots.forEach(slot -> this.slots.put(slot.path("name").asText(), slot));
  }

  Optional<Tensor> named(String name) {
    JsonNode slot = slots.get(name);
    if (slot == null) {
      return Optional.empty();
    }
    long[] shape = new long[slot.path("shape").size()];
    int length = 1;
    for (int i = 0; i < shape.length; i++) {
      shape[i] = slot.path("shape").get(i).asLong();
      length = Math.multiplyExact(length, Math.toIntExact(shape[i]));
    }
    int from = slot.path("from").asInt();
    return Optional.of(new Tensor(name, shape, Arrays.copyOfRange(vector, from, from + length)));
  }
}
