package dev.millrace.deploy;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** What deploy has for containers and Kubernetes, as it lies in the checkout. */
final class DeployFiles {

  static final Path DEPLOY = Path.of(System.getProperty("millrace.deploy")).normalize();
  static final Path DOCKER = DEPLOY.resolve("docker");
  static final Path KUBERNETES = DEPLOY.resolve("kubernetes");

  private DeployFiles() {}

  /** The Flink configuration of the distribution, with what the build fills in. */
  static Map<String, String> shippedConfiguration() {
    Map<String, String> options =
        flat(StrictYaml.document(DEPLOY.resolve("dist/src/filled-in/conf/flink/config.yaml")));
    options.replaceAll(
        (key, value) -> value.replace("${flink.jvm.opens}", System.getProperty("flink.jvm.opens")));
    return options;
  }

  /** A mapping of scalars. */
  static Map<String, String> flat(JsonNode mapping) {
    Map<String, String> texts = new LinkedHashMap<>();
    mapping.properties().forEach(entry -> texts.put(entry.getKey(), entry.getValue().asText()));
    return texts;
  }
}
