package dev.millrace.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.job.TrainingJob;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeMount;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.GlobalConfiguration;
import org.apache.flink.configuration.JobManagerOptions;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.kubernetes.operator.api.FlinkDeployment;
import org.apache.flink.kubernetes.operator.api.spec.FlinkDeploymentSpec;
import org.apache.flink.kubernetes.operator.api.spec.JobSpec;
import org.apache.flink.kubernetes.operator.api.spec.JobState;
import org.apache.flink.kubernetes.operator.api.spec.Resource;
import org.apache.flink.kubernetes.operator.api.spec.UpgradeMode;
import org.apache.flink.runtime.clusterframework.TaskExecutorProcessUtils;
import org.apache.flink.runtime.jobmanager.JobManagerProcessUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class FlinkDeploymentTest {

  /** Of the shipped configuration, what Kubernetes has otherwise: the image, the pod, its API. */
  private static final Set<String> OTHERWISE =
      Set.of(
          "containerized.taskmanager.env.OMP_NUM_THREADS",
          "containerized.master.env.OMP_NUM_THREADS",
          "high-availability.zookeeper.client.session-timeout",
          "high-availability.zookeeper.client.connection-timeout",
          "jobmanager.memory.process.size");

  private static final Set<String> OF_GPU =
      Set.of("taskmanager.numberOfTaskSlots", "taskmanager.memory.task.off-heap.size");

  static Stream<Arguments> deployments() {
    return FlinkDeployments.documents().entrySet().stream()
        .map(entry -> Arguments.of(entry.getKey(), entry.getValue()));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("deployments")
  void theOperatorReadsEveryKey(String name, JsonNode document) {
    FlinkDeployment deployment = FlinkDeployments.parsed(document);

    assertThat(deployment.getApiVersion()).isEqualTo("flink.apache.org/v1beta1");
    assertThat(deployment.getKind()).isEqualTo("FlinkDeployment");
    assertThat(document.at("/spec/flinkVersion").asText())
        .isEqualTo(
            "v"
                + System.getProperty("flink.version")
                    .replaceFirst("\\.\\d+$", "")
                    .replace('.', '_'));
    assertThat(deployment.getSpec().getImage())
        .contains("/millrace-flink:" + System.getProperty("millrace.version"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("deployments")
  void aJobOfItsOwnGoesOnFromItsSavepoint(String name, JsonNode document) {
    JobSpec job = FlinkDeployments.parsed(document).getSpec().getJob();
    Map<String, String> flink = FlinkDeployments.configuration(document);

    assertThat(job.getUpgradeMode()).isEqualTo(UpgradeMode.SAVEPOINT);
    assertThat(job.getState()).isEqualTo(JobState.RUNNING);
    assertThat(job.getAllowNonRestoredState()).isFalse();
    assertThat(job.getEntryClass()).isEqualTo(TrainingJob.class.getName());
    assertThat(job.getParallelism()).isPositive();
    assertThat(flink).containsEntry("high-availability.type", "kubernetes");
    assertThat(
            Stream.of(
                "execution.checkpointing.dir",
                "execution.checkpointing.savepoint-dir",
                "high-availability.storageDir"))
        .allSatisfy(key -> assertThat(flink.get(key)).as(key).startsWith("s3://"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("deployments")
  void flinkKnowsEveryOptionAndItsValue(String name, JsonNode document) {
    Map<String, String> flink = FlinkDeployments.configuration(document);

    assertThat(FlinkOptions.problems(flink)).isEmpty();
  }

  @Test
  void withGpusEachReplicaHasItsOwn() {
    Map<String, String> flink =
        FlinkDeployments.configuration(FlinkDeployments.documents().get("gpu"));

    assertThat(flink)
        .containsEntry("external-resources", "gpu")
        // Of a plugin in Flink's image, whose parent POM isn't on Maven Central.
        .containsEntry(
            "external-resource.gpu.driver-factory.class",
            "org.apache.flink.externalresource.gpu.GPUDriverFactory")
        .containsEntry("external-resource.gpu.kubernetes.config-key", "nvidia.com/gpu")
        .containsEntry("external-resource.gpu.amount", flink.get("taskmanager.numberOfTaskSlots"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("deployments")
  void saysWhatTheShippedConfigurationSays(String name, JsonNode document) {
    Map<String, String> shipped = new HashMap<>(DeployFiles.shippedConfiguration());
    shipped.keySet().removeAll(OTHERWISE);
    if (name.equals("gpu")) {
      shipped.keySet().removeAll(OF_GPU);
    }

    assertThat(FlinkDeployments.configuration(document)).containsAllEntriesOf(shipped);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("deployments")
  void memorySettingsFitIntoThePods(String name, JsonNode document) {
    FlinkDeploymentSpec spec = FlinkDeployments.parsed(document).getSpec();
    Configuration flink = Configuration.fromMap(FlinkDeployments.configuration(document));
    flink.set(TaskManagerOptions.TOTAL_PROCESS_MEMORY, memory(spec.getTaskManager().getResource()));
    flink.set(JobManagerOptions.TOTAL_PROCESS_MEMORY, memory(spec.getJobManager().getResource()));

    assertThat(TaskExecutorProcessUtils.processSpecFromConfig(flink).getTaskOffHeapSize())
        .isEqualTo(flink.get(TaskManagerOptions.TASK_OFF_HEAP_MEMORY));
    assertThat(JobManagerProcessUtils.processSpecFromConfig(flink).getJvmHeapMemorySize())
        .isGreaterThan(MemorySize.ofMebiBytes(512));
    // One thread computes one replica.
    assertThat(spec.getTaskManager().getResource().getCpu())
        .isEqualTo(flink.get(TaskManagerOptions.NUM_TASK_SLOTS).doubleValue());
  }

  private static MemorySize memory(Resource resource) {
    return MemorySize.parse(resource.getMemory());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("deployments")
  void secretsAreReferredTo(String name, JsonNode document) {
    FlinkDeployment deployment = FlinkDeployments.parsed(document);

    assertThat(FlinkDeployments.container(deployment).getEnv())
        .extracting(EnvVar::getName)
        .contains("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY");
    assertThat(FlinkDeployments.container(deployment).getEnv())
        .allSatisfy(
            variable -> {
              assertThat(variable.getValue()).as(variable.getName()).isNull();
              assertThat(variable.getValueFrom().getSecretKeyRef().getName()).isNotBlank();
            });
    assertThat(FlinkDeployments.configuration(document).keySet())
        .noneMatch(GlobalConfiguration::isSensitive);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("deployments")
  void theStrictestPodSecurityAdmitsIt(String name, JsonNode document) {
    PodSecurity.requireRestricted(
        FlinkDeployments.parsed(document).getSpec().getPodTemplate().getSpec());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("deployments")
  void mountsWhatThePodHas(String name, JsonNode document) {
    FlinkDeployment deployment = FlinkDeployments.parsed(document);
    Container container = FlinkDeployments.container(deployment);

    assertThat(container.getVolumeMounts())
        .extracting(VolumeMount::getName)
        .containsExactlyInAnyOrderElementsOf(
            deployment.getSpec().getPodTemplate().getSpec().getVolumes().stream()
                .map(Volume::getName)
                .toList());
  }
}
