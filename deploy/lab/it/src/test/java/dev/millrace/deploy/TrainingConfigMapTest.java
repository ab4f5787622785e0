package dev.millrace.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.job.setup.JobKind;
import dev.millrace.job.setup.JobOptions;
import dev.millrace.job.setup.MillraceOptions;
import dev.millrace.job.setup.OptionReader;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeMount;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.kubernetes.operator.api.FlinkDeployment;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.types.Password;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the job is told to train on Kubernetes, and how it comes by its passwords. */
class TrainingConfigMapTest {

  private static final Path BASE = DeployFiles.KUBERNETES.resolve("base");
  private static final Pattern SECRET = Pattern.compile("\\$\\{secret:([^:}]+):([^}]+)}");

  @TempDir private Path directory;

  private ConfigMap configMap;
  private Path secrets;

  @BeforeEach
  void mount() throws IOException {
    configMap = StrictYaml.as(StrictYaml.document(BASE.resolve("train.yaml")), ConfigMap.class);
    for (Map.Entry<String, String> file : configMap.getData().entrySet()) {
      Files.writeString(directory.resolve(file.getKey()), file.getValue());
    }
    secrets = Files.createDirectory(directory.resolve("secrets"));
    Files.writeString(secrets.resolve("username"), "somebody");
    Files.writeString(secrets.resolve("password"), "s3cret");
    Files.writeString(secrets.resolve("truststore-password"), "tru5t");
  }

  static Stream<JsonNode> deployments() {
    return FlinkDeployments.documents().values().stream();
  }

  @ParameterizedTest
  @MethodSource("deployments")
  void theJobTakesItsArguments(JsonNode document) {
    FlinkDeployment deployment = FlinkDeployments.parsed(document);
    String mounted = mountPath(deployment, volume -> volume.getConfigMap() != null);
    List<String> arguments = Arrays.asList(deployment.getSpec().getJob().getArgs());

    assertThat(arguments).contains("--config");
    Configuration options =
        OptionReader.read(
            arguments.stream()
                .map(argument -> argument.replace(mounted, directory.toString()))
                .toList());

    JobOptions.check(JobKind.TRAINING, options, new Configuration());
    assertThat(options.keySet())
        .filteredOn(key -> !key.startsWith("kafka."))
        .allSatisfy(key -> assertThat(MillraceOptions.named(key)).as(key).isPresent());
  }

  @Test
  void kafkasClientsReadThePasswordsFromTheSecret() {
    for (AbstractConfig client : clients()) {
      assertThat(client.getPassword("sasl.jaas.config").value())
          .contains("username=\"somebody\"", "password=\"s3cret\"");
      assertThat(client.getPassword("ssl.truststore.password")).isEqualTo(new Password("tru5t"));
    }
  }

  @Test
  void noPasswordIsInTheConfigMap() {
    ConfigDef.Type password = ConfigDef.Type.PASSWORD;
    Map<String, String> kafka = kafka();

    assertThat(kafka).containsKey("sasl.jaas.config");
    kafka.forEach(
        (key, value) -> {
          ConfigDef.ConfigKey known = ConsumerConfig.configDef().configKeys().get(key);
          if (known != null && known.type == password) {
            assertThat(value).as(key).contains("${secret:");
            // What follows password= in a login module.
            assertThat(value).doesNotContainPattern("password=\"(?!\\$\\{secret:)");
          }
        });
  }

  @ParameterizedTest
  @MethodSource("deployments")
  void passwordsLieWhereTheSecretIsMounted(JsonNode document) throws IOException {
    String mounted =
        mountPath(FlinkDeployments.parsed(document), volume -> volume.getSecret() != null);
    String page = Files.readString(DeployFiles.DEPLOY.resolveSibling("docs/operate/kubernetes.md"));

    Matcher references = SECRET.matcher(String.join("\n", kafka().values()));
    assertThat(references.results())
        .isNotEmpty()
        .allSatisfy(
            reference -> {
              assertThat(reference.group(1)).isEqualTo(mounted);
              // How the Secret is made.
              assertThat(page).containsPattern("--from-(literal|file)=" + reference.group(2));
            });
    assertThat(kafka())
        .containsEntry("config.providers.secret.param.allowed.paths", mounted)
        .hasEntrySatisfying(
            "ssl.truststore.location", file -> assertThat(file).startsWith(mounted + "/"));
  }

  @ParameterizedTest
  @MethodSource("deployments")
  void volumesAreThoseOfBase(JsonNode document) {
    List<Volume> volumes =
        FlinkDeployments.parsed(document).getSpec().getPodTemplate().getSpec().getVolumes();
    PersistentVolumeClaim models =
        StrictYaml.as(
            StrictYaml.document(BASE.resolve("models.yaml")), PersistentVolumeClaim.class);

    assertThat(volumes)
        .filteredOn(volume -> volume.getConfigMap() != null)
        .singleElement()
        .satisfies(
            volume ->
                assertThat(volume.getConfigMap().getName())
                    .isEqualTo(configMap.getMetadata().getName()));
    assertThat(volumes)
        .filteredOn(volume -> volume.getPersistentVolumeClaim() != null)
        .singleElement()
        .satisfies(
            volume ->
                assertThat(volume.getPersistentVolumeClaim().getClaimName())
                    .isEqualTo(models.getMetadata().getName()));
    assertThat(options("snapshot."))
        .containsEntry(
            "directory",
            mountPath(
                FlinkDeployments.parsed(document),
                volume -> volume.getPersistentVolumeClaim() != null));
  }

  private Map<String, String> kafka() {
    return options("kafka.");
  }

  private Map<String, String> options(String prefix) {
    Configuration options =
        OptionReader.read(List.of("--config", directory.resolve("train.yaml").toString()));
    Map<String, String> found = new TreeMap<>();
    options
        .toMap()
        .forEach(
            (key, value) -> {
              if (key.startsWith(prefix)) {
                found.put(key.substring(prefix.length()), value);
              }
            });
    return found;
  }

  /** The settings of the job's clients, with a Secret that is mounted elsewhere. */
  private List<AbstractConfig> clients() {
    Map<String, Object> settings = new TreeMap<>(kafka());
    settings.replaceAll(
        (key, value) -> value.toString().replace("/etc/millrace/kafka", secrets.toString()));
    settings.put("key.deserializer", ByteArrayDeserializer.class);
    settings.put("value.deserializer", ByteArrayDeserializer.class);
    settings.put("key.serializer", ByteArraySerializer.class);
    settings.put("value.serializer", ByteArraySerializer.class);
    return List.of(
        new ConsumerConfig(settings),
        new ProducerConfig(settings),
        new AdminClientConfig(settings));
  }

  private static String mountPath(FlinkDeployment deployment, Predicate<Volume> kind) {
    String name =
        deployment.getSpec().getPodTemplate().getSpec().getVolumes().stream()
            .filter(kind)
            .map(Volume::getName)
            .findFirst()
            .orElseThrow();
    return FlinkDeployments.container(deployment).getVolumeMounts().stream()
        .filter(mount -> mount.getName().equals(name))
        .map(VolumeMount::getMountPath)
        .findFirst()
        .orElseThrow();
  }
}
