package dev.millrace.keras;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A message of DL4J's import, without its advertisements, and with the names of the layers that it
 * is about where it tells only their class.
 *
 * @param message of the exception
 * @param model Keras' model_config
 */
record ImportComplaint(String message, JsonNode model) {

  private static final String LAYERS = "org.deeplearning4j.nn.modelimport.keras.layers.";

  private static final List<String> ENDINGS =
      List.of(" Please file an issue", " For more information, see", " You can register");

  /** The class of the import's that failed: each reads one kind of layer. */
  static String place(RuntimeException failure) {
    return Arrays.stream(failure.getStackTrace())
        .map(StackTraceElement::getClassName)
        .filter(name -> name.startsWith(LAYERS))
        .map(name -> name.substring(name.lastIndexOf('.') + 1))
        .findFirst()
        .orElse("import");
  }

  @Override
  public String toString() {
    String text = message;
    for (String ending : ENDINGS) {
      int at = text.indexOf(ending);
      text = at < 0 ? text : text.substring(0, at);
    }
    text = text.replaceAll("\\.+$", "");
    List<String> layers = new ArrayList<>();
    JsonNode config = model.path("config");
    for (JsonNode layer : config.isArray() ? config : config.path("layers")) {
      if (text.endsWith(" " + layer.path("class_name").asText())) {
        layers.add("'%s'".formatted(layer.path("config").path("name").asText()));
      }
    }
    return layers.isEmpty() ? text : "%s (layer %s)".formatted(text, String.join(", ", layers));
  }
}
