package dev.millrace.model.dl4j;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.model.io.InvalidModelException;
import java.util.Map;
import java.util.Set;

/**
 * The sizes of windows that layers move over their input. ND4J's native code divides by a stride of
 * 0, which ends the process, and computes sizes that no int holds.
 */
final class WindowSizes {

  private static final Set<String> AT_LEAST_ONE =
      Set.of("kernelSize", "stride", "dilation", "size", "blockSize", "depthMultiplier");

  private static final Set<String> AT_LEAST_ZERO = Set.of("padding", "cropping");

  /** A product of two fits into an int. */
  private static final int MOST = Short.MAX_VALUE;

  private WindowSizes() {}

  /**
   * Checks those of all layers.
   *
   * @throws InvalidModelException if one is none that a network can have, naming it
   */
  static void require(JsonNode configuration, String origin) {
    for (Map.Entry<String, JsonNode> field : configuration.properties()) {
      if (AT_LEAST_ONE.contains(field.getKey())) {
        require(field.getKey(), field.getValue(), 1, origin);
      } else if (AT_LEAST_ZERO.contains(field.getKey())) {
        require(field.getKey(), field.getValue(), 0, origin);
      }
    }
    for (JsonNode child : configuration) {
      require(child, origin);
    }
  }

  private static void require(String name, JsonNode size, int least, String origin) {
    if (size.isNumber() && !(size.asDouble() >= least && size.asDouble() <= MOST)) {
      throw new InvalidModelException(
          "%s has the %s %s, and it must be from %s to %s; correct that layer"
              .formatted(origin, name, size, least, MOST));
    }
    for (JsonNode part : size) {
      if (part.isNumber()) {
        require(name, part, least, origin);
      }
    }
  }
}
