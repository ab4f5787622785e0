package dev.millrace.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.job.options.ModelOptions;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The server of predictions on Kubernetes. */
class ServeManifestTest {

  private static final Path FOLDER = DeployFiles.KUBERNETES.resolve("serve");
  private static final JsonNode DEPLOYMENT =
      StrictYaml.documents(FOLDER.resolve("serve.yaml")).get(0);
  private static final PodTemplateSpec TEMPLATE =
      StrictYaml.as(DEPLOYMENT.at("/spec/template"), PodTemplateSpec.class);
  private static final PodSpec POD = TEMPLATE.getSpec();
  private static final Container SERVE = POD.getContainers().get(0);

  /** What Kubernetes asks of a pod in a namespace of that level. */
  @Test
  void itsPodsAreRestricted() {
    PodSecurity.requireRestricted(POD);
    assertThat(POD.getAutomountServiceAccountToken()).isFalse();
    assertThat(POD.getContainers()).hasSize(1);
    assertThat(SERVE.getSecurityContext().getReadOnlyRootFilesystem()).isTrue();
  }

  @Test
  void probesAskThePortThatRequestsCannotTake() {
    assertThat(port("health")).isEqualTo(argument("--health-port"));
    for (Probe probe :
        List.of(SERVE.getStartupProbe(), SERVE.getLivenessProbe(), SERVE.getReadinessProbe())) {
      assertThat(probe.getHttpGet().getPort().getStrVal()).isEqualTo("health");
      assertThat(probe.getHttpGet().getPath()).startsWith("/v2/health/");
    }
  }

  private static String port(String name) {
    return SERVE.getPorts().stream()
        .filter(port -> port.getName().equals(name))
        .map(ContainerPort::getContainerPort)
        .findFirst()
        .orElseThrow()
        .toString();
  }

  private static String argument(String option) {
    return SERVE.getArgs().get(SERVE.getArgs().indexOf(option) + 1);
  }

  /** It is a line to change: an image has one engine, and takes the models of that alone. */
  @Test
  void namesTheEngineOfItsModels() {
    assertThat(SERVE.getArgs()).contains("--scoring.engine");
    assertThat(argument("--scoring.engine")).isEqualTo(ModelOptions.ENGINE.defaultValue());
  }

  @Test
  void whatItReadsAndWritesIsMounted() {
    List<String> mounted = SERVE.getVolumeMounts().stream().map(VolumeMount::getMountPath).toList();

    assertThat(POD.getVolumes().stream().map(Volume::getName))
        .containsExactlyInAnyOrderElementsOf(
            SERVE.getVolumeMounts().stream().map(VolumeMount::getName).toList());
    assertThat(mounted)
        .contains("/tmp", argument("--scoring.models"), argument("--work-dir"))
        .contains(Path.of(argument("--token-file")).getParent().toString());
  }

  @Test
  void itsHeapLeavesRoomForWhatIsBesideIt() {
    Quantity limit = SERVE.getResources().getLimits().get("memory");
    String options = SERVE.getEnv().get(0).getValue();

    assertThat(options).contains("-Xmx512m");
    assertThat(limit.getNumericalAmount().longValueExact()).isEqualTo(1L << 30);
  }

  @Test
  void theServiceAndThePolicyAreForItsPods() {
    Service service =
        StrictYaml.as(StrictYaml.documents(FOLDER.resolve("serve.yaml")).get(1), Service.class);
    NetworkPolicy policy =
        StrictYaml.as(
            StrictYaml.document(FOLDER.resolve("networkpolicy.yaml")), NetworkPolicy.class);

    assertThat(TEMPLATE.getMetadata().getLabels())
        .containsAllEntriesOf(service.getSpec().getSelector())
        .containsAllEntriesOf(policy.getSpec().getPodSelector().getMatchLabels());
    assertThat(DEPLOYMENT.at("/spec/selector/matchLabels/app").asText())
        .isEqualTo(TEMPLATE.getMetadata().getLabels().get("app"));
    // The port without a token is for probes and Prometheus.
    assertThat(service.getSpec().getPorts())
        .allSatisfy(port -> assertThat(port.getTargetPort().getStrVal()).isEqualTo("http"));
    assertThat(policy.getSpec().getPolicyTypes()).containsExactly("Ingress", "Egress");
    assertThat(policy.getSpec().getIngress())
        .allSatisfy(
            rule -> {
              assertThat(rule.getFrom()).isNotEmpty();
              assertThat(rule.getPorts()).hasSize(1);
            });
  }
}
