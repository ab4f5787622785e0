package dev.millrace.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.marcnuri.helm.Helm;
import com.marcnuri.helm.TemplateCommand;
import dev.millrace.job.setup.JobKind;
import dev.millrace.job.setup.JobOptions;
import dev.millrace.job.setup.OptionReader;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.openshift.api.model.monitoring.v1.PodMonitor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.kubernetes.operator.api.FlinkDeployment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The chart, rendered by Helm itself. */
@EnabledOnOs(
    value = {OS.LINUX, OS.MAC},
    architectures = {"amd64", "aarch64"})
class HelmChartTest {

  private static final Path CHART = DeployFiles.DEPLOY.resolve("helm/millrace");
  private static final List<String> PARTS = List.of("train", "score", "serve", "watch");

  @TempDir private Path directory;

  @Test
  void saysWhatTheKustomizationSays() throws IOException {
    Map<String, JsonNode> kustomization = new TreeMap<>();
    for (String file :
        List.of(
            "base/millrace.yaml",
            "base/train.yaml",
            "base/models.yaml",
            "base/network.yaml",
            "serve/serve.yaml",
            "serve/networkpolicy.yaml",
            "podmonitor.yaml")) {
      enter(kustomization, StrictYaml.documents(DeployFiles.KUBERNETES.resolve(file)));
    }

    assertThat(render(Map.of("serve.enabled", true, "podMonitor.enabled", true)))
        .containsExactlyEntriesOf(kustomization);
  }

  @Test
  void withGpusItSaysWhatTheKustomizationSays() throws IOException {
    String image =
        "registry.example.org/millrace-flink:%s-cuda"
            .formatted(System.getProperty("millrace.version"));

    assertThat(render(Map.of("train.gpu", true, "images.flink", image)))
        .containsEntry("FlinkDeployment millrace", FlinkDeployments.documents().get("gpu"));
  }

  /** Returns each choice of parts, but for the page of a job that isn't there. */
  static Stream<Map<String, Object>> choices() {
    return IntStream.range(0, 1 << PARTS.size())
        .<Map<String, Object>>mapToObj(
            bits -> {
              Map<String, Object> values = new TreeMap<>();
              for (int i = 0; i < PARTS.size(); i++) {
                values.put(PARTS.get(i) + ".enabled", (bits >> i & 1) == 1);
              }
              return values;
            })
        .filter(
            values ->
                values.get("watch.enabled").equals(false)
                    || values.get("train.enabled").equals(true));
  }

  @ParameterizedTest
  @MethodSource("choices")
  void eachPartIsOptionalAndKubernetesKnowsEveryKey(Map<String, Object> choice) throws IOException {
    Map<String, Object> values = new HashMap<>(choice);
    values.put("podMonitor.enabled", true);
    values.put("podMonitor.labels.release", "prometheus");
    values.put("models.storageClassName", "nfs");

    Map<String, JsonNode> objects = render(values);

    TreeSet<String> expected = new TreeSet<>(List.of("PersistentVolumeClaim millrace-models"));
    for (String part : PARTS) {
      if (choice.get(part + ".enabled").equals(true)) {
        boolean isJob = part.equals("train") || part.equals("score");
        String name = part.equals("train") ? "millrace" : "millrace-" + part;
        expected.add("NetworkPolicy " + name);
        expected.add((isJob ? "FlinkDeployment " : "Deployment ") + name);
        expected.add(isJob ? "ConfigMap millrace-" + part : "Service " + name);
        if (isJob) {
          expected.add("PodMonitor " + name);
        }
      }
    }
    assertThat(objects.keySet()).containsExactlyElementsOf(expected);
    objects.values().forEach(HelmChartTest::requireValid);
  }

  @Test
  void withoutSecretsNothingAsksForThem() throws IOException {
    Map<String, JsonNode> objects =
        render(
            Map.of(
                "secrets.kafka", "",
                "secrets.s3", "",
                "watch.enabled", true,
                "models.create", false,
                "models.claim", "shared",
                "images.flink", "registry:5000/flink@sha256:0123"));

    objects.values().forEach(HelmChartTest::requireValid);
    assertThat(objects.values().toString())
        .doesNotContain("millrace-kafka", "millrace-s3", "PersistentVolumeClaim\"")
        .contains("\"claimName\":\"shared\"", "\"image\":\"registry:5000/flink@sha256:0123\"");
  }

  @Test
  void scoringTakesItsOptions() throws IOException {
    JsonNode config = render(Map.of("score.enabled", true)).get("ConfigMap millrace-score");
    Path file =
        Files.writeString(directory.resolve("score.yaml"), config.at("/data/score.yaml").asText());

    JobOptions.check(
        JobKind.SCORING,
        OptionReader.read(List.of("--config", file.toString())),
        new Configuration());
  }

  @Test
  void ownOptionsOfFlinkReplaceThoseOfTheChart() throws IOException {
    JsonNode job =
        render(Map.of("flinkConfiguration.heartbeat\\.timeout", "9 s"))
            .get("FlinkDeployment millrace");

    assertThat(FlinkDeployments.configuration(job))
        .containsEntry("heartbeat.timeout", "9 s")
        .containsEntry("heartbeat.interval", "250 ms");
  }

  @Test
  void withGpusTooOwnValuesReplaceThoseOfTheChart() throws IOException {
    JsonNode job =
        render(
                Map.of(
                    "train.gpu",
                    true,
                    "train.gpuTaskManager.cpu",
                    4,
                    "train.gpuTaskManager.memory",
                    "8g",
                    "train.gpuFlinkConfiguration.taskmanager\\.memory\\.task\\.off-heap\\.size",
                    "4gb"))
            .get("FlinkDeployment millrace");

    assertThat(job.at("/spec/taskManager/resource/cpu").asInt()).isEqualTo(4);
    assertThat(job.at("/spec/taskManager/resource/memory").asText()).isEqualTo("8g");
    assertThat(FlinkDeployments.configuration(job))
        .containsEntry("taskmanager.memory.task.off-heap.size", "4gb")
        .containsEntry("taskmanager.numberOfTaskSlots", "1");
  }

  @Test
  void theServerTakesAnEngineAndArguments() throws IOException {
    JsonNode server =
        render(
                Map.of(
                    "serve.enabled", true,
                    "serve.engine", "torch",
                    "serve.args[0]", "--timeout=20s"))
            .get("Deployment millrace-serve");

    assertThat(
            server.at("/spec/template/spec/containers/0/args").valueStream().map(JsonNode::asText))
        .containsSequence("--scoring.engine", "torch")
        .endsWith("--timeout=20s");
  }

  @Test
  void whatIsMisspelledIsRefused() {
    assertThatThrownBy(() -> render(Map.of("serve.replica", 3))).hasMessageContaining("replica");
    assertThatThrownBy(() -> render(Map.of("train.parallelism", 0)))
        .hasMessageContaining("parallelism");
    assertThatThrownBy(() -> render(Map.of("watch.enabled", true, "train.enabled", false)))
        .hasMessageContaining("watch.enabled asks for train.enabled");
  }

  @Test
  void helmFindsNoFault() {
    assertThat(new Helm(CHART).lint().strict().call().isFailed()).isFalse();
  }

  /** Renders the chart, with values that differ from its own; by kind and name. */
  private Map<String, JsonNode> render(Map<String, Object> values) throws IOException {
    TemplateCommand template = new Helm(CHART).template().withName("millrace");
    values.forEach(template::set);
    Map<String, JsonNode> objects = new TreeMap<>();
    enter(
        objects,
        StrictYaml.documents(
            Files.writeString(directory.resolve("rendered.yaml"), template.call())));
    return objects;
  }

  private static void enter(Map<String, JsonNode> objects, List<JsonNode> documents) {
    for (JsonNode document : documents) {
      if (!document.isNull() && !document.isMissingNode()) {
        String name = document.get("kind").asText() + " " + document.at("/metadata/name").asText();
        assertThat(objects.put(name, document)).as(name).isNull();
      }
    }
  }

  private static void requireValid(JsonNode object) {
    switch (object.get("kind").asText()) {
      case "FlinkDeployment" -> {
        FlinkDeployment job = FlinkDeployments.parsed(object);
        requireSound(job.getSpec().getPodTemplate().getSpec());
        assertThat(FlinkOptions.problems(FlinkDeployments.configuration(object))).isEmpty();
      }
      case "Deployment" -> {
        Deployment server = StrictYaml.as(object, Deployment.class);
        PodSpec pod = server.getSpec().getTemplate().getSpec();
        requireSound(pod);
        assertThat(pod.getAutomountServiceAccountToken()).isFalse();
        assertThat(pod.getContainers())
            .allSatisfy(
                container ->
                    assertThat(container.getSecurityContext().getReadOnlyRootFilesystem())
                        .isTrue());
        assertThat(server.getSpec().getTemplate().getMetadata().getLabels())
            .containsAllEntriesOf(server.getSpec().getSelector().getMatchLabels());
      }
      case "ConfigMap" -> StrictYaml.as(object, ConfigMap.class);
      case "PersistentVolumeClaim" -> StrictYaml.as(object, PersistentVolumeClaim.class);
      case "NetworkPolicy" -> StrictYaml.as(object, NetworkPolicy.class);
      case "PodMonitor" -> StrictYaml.as(object, PodMonitor.class);
      case "Service" -> StrictYaml.as(object, Service.class);
      default -> throw new AssertionError("A kind that nobody expects: " + object);
    }
  }

  private static void requireSound(PodSpec pod) {
    PodSecurity.requireRestricted(pod);
    List<String> volumes = pod.getVolumes().stream().map(Volume::getName).toList();
    for (Container container : pod.getContainers()) {
      assertThat(container.getVolumeMounts())
          .extracting(VolumeMount::getName)
          .containsExactlyInAnyOrderElementsOf(volumes);
    }
  }
}
