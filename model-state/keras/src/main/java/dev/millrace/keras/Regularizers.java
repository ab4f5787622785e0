package dev.millrace.keras;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;

/**
 * The regularizers of Keras' model_config, as DL4J's import knows them: it passes over the classes
 * that newer versions of Keras name, {@code L1} and {@code L2}, and it takes the factor of L2 for
 * DL4J's own, which is for half of the square.
 */
final class Regularizers {

  private static final String L1 = "l1";
  private static final String L2 = "l2";

  private Regularizers() {}

  /** Changes the regularizers of all layers. */
  static void adapt(JsonNode model) {
    if (model instanceof ObjectNode object) {
      for (Map.Entry<String, JsonNode> field : object.properties()) {
        if (field.getKey().endsWith("_regularizer")
            && field.getValue() instanceof ObjectNode regularizer) {
          rewrite(regularizer);
        }
      }
    }
    model.forEach(Regularizers::adapt);
  }

  private static void rewrite(ObjectNode regularizer) {
    // Keras 1 has the factors beside the name.
    boolean nested = regularizer.path("config") instanceof ObjectNode;
    ObjectNode factors = nested ? (ObjectNode) regularizer.get("config") : regularizer;
    if (factors.has(L1) || factors.has(L2)) {
      factors.put(L1, factors.path(L1).asDouble(0));
      factors.put(L2, 2 * factors.path(L2).asDouble(0));
      if (nested) {
        regularizer.put("class_name", "L1L2");
      }
    }
  }
}
