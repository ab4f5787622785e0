package dev.millrace.model.dl4j;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.millrace.model.io.InputErrors;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.io.StrictJson;
import dev.millrace.nd4j.vertices.OwnVertices;
import java.util.List;
import java.util.Map;

/**
 * Reads a DL4J configuration that somebody else wrote. DL4J's JSON names the classes to
 * instantiate, so only the text that was checked here is handed on to it.
 */
final class ConfigurationJson {

  private static final List<String> PACKAGES =
      List.of("org.deeplearning4j.nn.", "org.deeplearning4j.preprocessors.", "org.nd4j.linalg.");

  /** Where DL4J's JSON names classes; the second serves other purposes, too. */
  private static final String CLASS = "@class";

  private static final String CLASS_OR_NOT = "type";

  /** Networks of a thousand layers have less. */
  static final int MOST_BYTES = 4 << 20;

  private static final JsonMapper MAPPER = StrictJson.mapper().build();

  private ConfigurationJson() {}

  /**
   * @param origin names the text in messages
   * @return a network that isn't initialized yet
   * @throws InvalidModelException if the text is no configuration of DL4J
   */
  static Network read(String json, String origin) {
    if (json.length() > MOST_BYTES) {
      throw new InvalidModelException(
          "%s has a configuration of %s characters, and the longest that is read has %s"
              .formatted(origin, json.length(), MOST_BYTES));
    }
    JsonNode tree;
    try {
      tree = MAPPER.readTree(json);
    } catch (JsonProcessingException e) {
      throw new InvalidModelException(
          "%s is not JSON: %s; write it with toJson() of DL4J's configuration"
              .formatted(origin, StrictJson.reason(e)),
          e);
    }
    NetworkKind kind = kindOf(tree, origin);
    checkClasses(tree, origin);
    WindowSizes.require(tree, origin);
    try {
      return kind.parse(tree.toString());
    } catch (RuntimeException e) {
      throw unreadable(origin, kind, e.getMessage(), e);
    } catch (Error e) {
      throw unreadable(origin, kind, InputErrors.reason(e), e);
    }
  }

  private static InvalidModelException unreadable(
      String origin, NetworkKind kind, String why, Throwable cause) {
    return new InvalidModelException(
        ("%s can't be read as the configuration of a %s: %s; write it with toJson() of"
                + " DL4J 1.0.0-M2.1")
            .formatted(origin, kind.className(), why),
        cause);
  }

  /**
   * Reads that of a model which says what kind of network it is, such as one out of a savepoint.
   *
   * @throws InvalidModelException if it is no configuration of DL4J, or of another kind
   */
  static Network read(NetworkKind kind, String json) {
    Network network = read(json, "The model's network");
    if (network.kind() != kind) {
      throw new InvalidModelException(
          "The model's network is called a %s, and its configuration is of a %s; take another savepoint"
              .formatted(kind.className(), network.kind().className()));
    }
    return network;
  }

  private static NetworkKind kindOf(JsonNode tree, String origin) {
    if (tree.path("confs").isArray() && !tree.path("confs").isEmpty()) {
      return NetworkKind.LAYERED;
    }
    if (tree.path("vertices").isObject() && !tree.path("vertices").isEmpty()) {
      return NetworkKind.GRAPH;
    }
    throw new InvalidModelException(
        ("%s is JSON, but no network of DL4J: it has neither layers (\"confs\") nor vertices"
                + " (\"vertices\"); write it with toJson() of a MultiLayerConfiguration or a"
                + " ComputationGraphConfiguration")
            .formatted(origin));
  }

  private static void checkClasses(JsonNode node, String origin) {
    for (Map.Entry<String, JsonNode> field : node.properties()) {
      String value = field.getValue().asText();
      boolean isClass =
          field.getKey().equals(CLASS)
              || (field.getKey().equals(CLASS_OR_NOT) && value.indexOf('.') >= 0);
      if (isClass && !isKnown(value)) {
        throw new InvalidModelException(
            ("%s names the class %s; only DL4J's own, in %s, are loaded: replace that part"
                    + " of the network, or trust the class in a program of your own")
                .formatted(origin, value, String.join("*, ", PACKAGES) + "*"));
      }
    }
    for (JsonNode child : node) {
      checkClasses(child, origin);
    }
  }

  private static boolean isKnown(String name) {
    return PACKAGES.stream().anyMatch(name::startsWith)
        || OwnVertices.NAMES.contains(name)
        || TrustedClasses.has(name);
  }
}
