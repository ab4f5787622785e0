package dev.millrace.keras;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.millrace.model.io.InvalidModelException;
import java.util.List;
import java.util.Map;

/**
 * Keras' training_config, in the words of the versions that DL4J's import knows: it takes a loss by
 * its name alone, optimizers by names of their first classes, and their settings as decimal
 * numbers.
 */
final class TrainingConfiguration {

  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** Optimizers by Keras' names. DL4J's import has one of them with a slip. */
  private static final Map<String, String> OPTIMIZERS =
      Map.of(
          "SGD", "SGD",
          "Adam", "Adam",
          "Adamax", "Adamax",
          "Nadam", "Nadam",
          "RMSprop", "RMSprop",
          "Adadelta", "Adadelta",
          "Adagrad", "Adgrad");

  /** Settings that DL4J's import passes over; each is off by default. */
  private static final List<String> IGNORED =
      List.of(
          "amsgrad",
          "centered",
          "weight_decay",
          "clipnorm",
          "clipvalue",
          "global_clipnorm",
          "use_ema");

  private final ObjectNode json;
  private final boolean takesLogits;

  private TrainingConfiguration(ObjectNode json, boolean takesLogits) {
    this.json = json;
    this.takesLogits = takesLogits;
  }

  /**
   * @param textOrNull what the file has
   * @param origin names the file in messages
   * @throws InvalidModelException if there is no loss, or no optimizer that DL4J has
   */
  static TrainingConfiguration parse(String textOrNull, String origin)
      throws JsonProcessingException {
    if (textOrNull == null
        || !(MAPPER.readTree(textOrNull) instanceof ObjectNode json)
        || json.path("loss").isMissingNode()
        || json.path("loss").isNull()) {
      throw new InvalidModelException(
          ("%s was saved without compile(), so it has neither loss nor optimizer to be trained with;"
                  + " in Keras call model.compile(loss=…, optimizer=…), and save it again")
              .formatted(origin));
    }
    JsonNode loss = onlyOne(json.path("loss"));
    json.set("loss", name(loss));
    optimizer(json.path("optimizer_config"), origin);
    return new TrainingConfiguration(
        json, loss.path("config").path("from_logits").asBoolean(false));
  }

  String toJson() {
    return json.toString();
  }

  /**
   * Whether the loss makes probabilities of what the network gives ({@code from_logits=True}).
   * DL4J's losses don't; its output layers do.
   */
  boolean takesLogits() {
    return takesLogits;
  }

  /**
   * Returns the one entry of a list or map that has one, and otherwise the loss as it is. A model
   * with several outputs is refused later on.
   */
  private static JsonNode onlyOne(JsonNode loss) {
    boolean several = loss.isArray() || (loss.isObject() && !loss.has("class_name"));
    return several && loss.size() == 1 ? loss.elements().next() : loss;
  }

  private static JsonNode name(JsonNode loss) {
    JsonNode name = loss.path("config").path("name");
    return loss.has("class_name") && name.isTextual() ? name : loss;
  }

  private static void optimizer(JsonNode optimizer, String origin) {
    String keras = optimizer.path("class_name").asText();
    // Keras 2.11 and newer put "Custom>" before it.
    String name = OPTIMIZERS.get(keras.substring(keras.lastIndexOf('>') + 1));
    if (name == null || !(optimizer.path("config") instanceof ObjectNode settings)) {
      throw refused("its optimizer is %s, which DL4J hasn't".formatted(keras), origin);
    }
    if (settings.path("learning_rate").isObject()) {
      throw refused("its learning rate is a schedule, which DL4J's import doesn't read", origin);
    }
    for (String ignored : IGNORED) {
      requireOff(settings, ignored, origin);
    }
    if (name.equals("RMSprop")) {
      requireOff(settings, "momentum", origin);
    }
    ((ObjectNode) optimizer).set("class_name", new TextNode(name));
    for (Map.Entry<String, JsonNode> setting : settings.properties()) {
      if (setting.getValue().isNumber()) {
        settings.put(setting.getKey(), setting.getValue().asDouble());
      }
    }
    if (!settings.path("decay").isNumber()) {
      settings.put("decay", 0.0);
    }
  }

  private static void requireOff(ObjectNode settings, String name, String origin) {
    JsonNode value = settings.path(name);
    if (value.asDouble() != 0 || value.asBoolean()) {
      throw refused(
          "its optimizer has %s %s, which DL4J's import passes over; leave it out"
              .formatted(name, value),
          origin);
    }
  }

  private static InvalidModelException refused(String why, String origin) {
    return new InvalidModelException(
        ("%s can't be imported: %s; in Keras compile it with one of %s and a fixed learning rate, and"
                + " save it again")
            .formatted(
                origin, why, String.join(", ", OPTIMIZERS.keySet().stream().sorted().toList())));
  }
}
