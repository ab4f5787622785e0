package dev.millrace.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyIngressRule;
import io.fabric8.openshift.api.model.monitoring.v1.PodMetricsEndpoint;
import io.fabric8.openshift.api.model.monitoring.v1.PodMonitor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.flink.kubernetes.operator.api.FlinkDeployment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What lies around the FlinkDeployments. */
class KustomizationTest {

  @ParameterizedTest
  @ValueSource(strings = {"base", "gpu", "serve"})
  void namesFilesThatAreThere(String folder) {
    Path directory = DeployFiles.KUBERNETES.resolve(folder);
    JsonNode kustomization = StrictYaml.document(directory.resolve("kustomization.yaml"));

    assertThat(kustomization.get("kind").asText()).isEqualTo("Kustomization");
    assertThat(kustomization.get("resources"))
        .isNotEmpty()
        .allSatisfy(file -> assertThat(directory.resolve(file.asText())).exists());
    assertThat(kustomization.path("patches"))
        .allSatisfy(patch -> assertThat(directory.resolve(patch.get("path").asText())).exists());
  }

  @Test
  void leavesNoFileOfBaseOut() throws IOException {
    Path base = DeployFiles.KUBERNETES.resolve("base");
    JsonNode kustomization = StrictYaml.document(base.resolve("kustomization.yaml"));

    try (Stream<Path> files = Files.list(base)) {
      assertThat(kustomization.get("resources").valueStream().map(JsonNode::asText))
          .containsExactlyInAnyOrderElementsOf(
              files
                  .map(file -> file.getFileName().toString())
                  .filter(name -> !name.equals("kustomization.yaml"))
                  .toList());
    }
  }

  @Test
  void makesNoSecret() throws IOException {
    Set<String> kinds =
        Set.of(
            "FlinkDeployment",
            "ConfigMap",
            "PersistentVolumeClaim",
            "PodMonitor",
            "Kustomization",
            "Deployment",
            "Service",
            "NetworkPolicy");

    try (Stream<Path> files = Files.walk(DeployFiles.KUBERNETES)) {
      List<Path> manifests = files.filter(file -> file.toString().endsWith(".yaml")).toList();
      assertThat(manifests).isNotEmpty();
      assertThat(manifests)
          .allSatisfy(
              file ->
                  assertThat(StrictYaml.documents(file))
                      .allSatisfy(
                          document -> assertThat(kinds).contains(document.get("kind").asText())));
    }
  }

  /** Nobody reaches TaskManagers and the JobManager's REST interface but those who must. */
  @Test
  void onlyTheJobItsOperatorAndPrometheusReachThePods() {
    NetworkPolicy policy =
        StrictYaml.as(
            StrictYaml.document(DeployFiles.KUBERNETES.resolve("base/network.yaml")),
            NetworkPolicy.class);
    FlinkDeployment deployment = FlinkDeployments.parsed(FlinkDeployments.documents().get("base"));
    Map<String, String> pods = Map.of("app", deployment.getMetadata().getName());
    List<NetworkPolicyIngressRule> rules = policy.getSpec().getIngress();

    assertThat(policy.getApiVersion()).isEqualTo("networking.k8s.io/v1");
    assertThat(policy.getSpec().getPolicyTypes()).containsExactly("Ingress");
    assertThat(policy.getSpec().getPodSelector().getMatchLabels()).isEqualTo(pods);
    assertThat(rules).allSatisfy(rule -> assertThat(rule.getFrom()).isNotEmpty());
    assertThat(rules)
        .filteredOn(rule -> rule.getPorts().isEmpty())
        .singleElement()
        .satisfies(
            rule ->
                assertThat(rule.getFrom().get(0).getPodSelector().getMatchLabels())
                    .isEqualTo(pods));
    assertThat(rules.stream().flatMap(rule -> rule.getPorts().stream()))
        .extracting(port -> port.getPort().getIntVal())
        .containsExactlyInAnyOrder(8081, 9249);
  }

  @Test
  void prometheusFindsThePodsAndTheirPort() {
    PodMonitor monitor =
        StrictYaml.as(
            StrictYaml.document(DeployFiles.KUBERNETES.resolve("podmonitor.yaml")),
            PodMonitor.class);
    JsonNode document = FlinkDeployments.documents().get("base");
    FlinkDeployment deployment = FlinkDeployments.parsed(document);

    assertThat(monitor.getApiVersion()).isEqualTo("monitoring.coreos.com/v1");
    assertThat(monitor.getSpec().getSelector().getMatchLabels())
        .containsEntry("app", deployment.getMetadata().getName());
    PodMetricsEndpoint endpoint = monitor.getSpec().getPodMetricsEndpoints().get(0);
    ContainerPort port =
        FlinkDeployments.container(deployment).getPorts().stream()
            .filter(candidate -> candidate.getName().equals(endpoint.getPort()))
            .findFirst()
            .orElseThrow();
    assertThat(FlinkDeployments.configuration(document).get("metrics.reporter.prom.port"))
        .startsWith(port.getContainerPort() + "-");
  }
}
