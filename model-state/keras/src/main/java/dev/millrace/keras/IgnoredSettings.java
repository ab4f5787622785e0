package dev.millrace.keras;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.model.io.InvalidModelException;
import java.util.Map;

/**
 * The settings of layers that DL4J's import passes over, though predictions depend on them. Its
 * layers have one value of each; any other one would import a network that predicts otherwise.
 */
final class IgnoredSettings {

  /** The value that DL4J's layers have; one that isn't there, or null, is that, too. */
  private static final Map<String, String> ONLY =
      Map.of(
          "go_backwards", "false",
          "time_major", "false",
          "backward_layer", "None",
          "interpolation", "nearest",
          "groups", "1",
          "output_padding", "None",
          "keepdims", "false",
          "Softmax axis", "-1",
          "LocallyConnected1D implementation", "1",
          "LocallyConnected2D implementation", "1");

  private IgnoredSettings() {}

  /**
   * Looks at all layers, and at those in other ones.
   *
   * @param model Keras' model_config, or a part of it
   * @param origin names the file in messages
   * @throws InvalidModelException if a layer has another value
   */
  static void refuse(JsonNode model, String origin) {
    String type = model.path("class_name").asText();
    JsonNode config = model.path("config");
    for (Map.Entry<String, JsonNode> setting : config.properties()) {
      String name = setting.getKey();
      String only = ONLY.getOrDefault(name, ONLY.get(type + " " + name));
      JsonNode value = setting.getValue();
      if (only != null && !value.isNull() && !only.equals(value.asText())) {
        throw refused(type, config.path("name").asText(), name, value, only, origin);
      }
    }
    model.forEach(part -> refuse(part, origin));
  }

  private static InvalidModelException refused(
      String type, String layer, String setting, JsonNode value, String only, String origin) {
    // A layer as a value would be a page of JSON.
    String shown = value.isContainerNode() ? "a value of its own" : value.toString();
    return new InvalidModelException(
        ("%s can't be imported: its layer '%s' (%s) has %s for %s, and DL4J's import passes over it,"
                + " as if it were %s; rebuild that layer in Keras with %s, and save it again")
            .formatted(origin, layer, type, shown, setting, only, only));
  }
}
