package dev.millrace.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.SecurityContext;
import io.fabric8.kubernetes.api.model.Volume;
import java.util.List;

/** The rules for pods in a namespace of Pod Security's level "restricted". */
final class PodSecurity {

  private PodSecurity() {}

  static void requireRestricted(PodSpec pod) {
    assertThat(List.of(pod.getInitContainers(), pod.getEphemeralContainers()))
        .allSatisfy(none -> assertThat(none).isEmpty());
    assertThat(pod.getSecurityContext().getRunAsNonRoot()).isTrue();
    assertThat(pod.getSecurityContext().getRunAsUser()).isPositive();
    assertThat(pod.getSecurityContext().getSeccompProfile().getType()).isEqualTo("RuntimeDefault");
    assertThat(new Boolean[] {pod.getHostNetwork(), pod.getHostPID(), pod.getHostIPC()})
        .containsOnlyNulls();
    assertThat(pod.getVolumes()).allSatisfy(PodSecurity::requireHarmless);
    assertThat(pod.getContainers()).isNotEmpty().allSatisfy(PodSecurity::requireRestricted);
  }

  private static void requireHarmless(Volume volume) {
    assertThat(
            new Object[] {
              volume.getConfigMap(),
              volume.getSecret(),
              volume.getEmptyDir(),
              volume.getPersistentVolumeClaim()
            })
        .as(volume.getName())
        .anyMatch(kind -> kind != null);
  }

  private static void requireRestricted(Container container) {
    SecurityContext security = container.getSecurityContext();
    assertThat(security.getPrivileged()).isNull();
    assertThat(security.getRunAsUser()).isNull();
    assertThat(security.getAllowPrivilegeEscalation()).isFalse();
    assertThat(security.getCapabilities().getDrop()).containsExactly("ALL");
    assertThat(security.getCapabilities().getAdd()).isEmpty();
    assertThat(container.getPorts()).extracting(ContainerPort::getHostPort).containsOnlyNulls();
  }
}
