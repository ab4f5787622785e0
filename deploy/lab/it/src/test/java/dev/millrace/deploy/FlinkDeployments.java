package dev.millrace.deploy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Container;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.flink.kubernetes.operator.api.FlinkDeployment;

/** The FlinkDeployments that deploy ships, as the operator sees them. */
final class FlinkDeployments {

  private static final Path BASE = DeployFiles.KUBERNETES.resolve("base/millrace.yaml");
  private static final Path GPU = DeployFiles.KUBERNETES.resolve("gpu/millrace-gpu.yaml");

  private FlinkDeployments() {}

  /** By name of the folder that makes it. */
  static Map<String, JsonNode> documents() {
    return Map.of(
        "base",
        StrictYaml.document(BASE),
        "gpu",
        merged(StrictYaml.document(BASE), StrictYaml.document(GPU)));
  }

  /**
   * As the operator's classes have it, but for its version of Flink: the operator's newest classes
   * on Maven Central are older than Flink 2.
   */
  static FlinkDeployment parsed(JsonNode document) {
    ObjectNode copy = document.deepCopy();
    ((ObjectNode) copy.get("spec")).remove("flinkVersion");
    return StrictYaml.as(copy, FlinkDeployment.class);
  }

  static Map<String, String> configuration(JsonNode document) {
    return DeployFiles.flat(document.at("/spec/flinkConfiguration"));
  }

  /** Flink's own container of each pod. */
  static Container container(FlinkDeployment deployment) {
    List<Container> containers =
        deployment.getSpec().getPodTemplate().getSpec().getContainers().stream()
            .filter(container -> container.getName().equals("flink-main-container"))
            .toList();
    if (containers.size() != 1) {
      throw new AssertionError("The pod template has no flink-main-container");
    }
    return containers.get(0);
  }

  /** A patch as Kustomize applies it to a kind whose lists it knows nothing of: RFC 7386. */
  private static JsonNode merged(JsonNode base, JsonNode patch) {
    if (!base.isObject() || !patch.isObject()) {
      return patch;
    }
    ObjectNode result = base.deepCopy();
    patch
        .properties()
        .forEach(
            entry -> {
              JsonNode old = result.get(entry.getKey());
              result.set(
                  entry.getKey(), old == null ? entry.getValue() : merged(old, entry.getValue()));
            });
    return result;
  }
}
