package dev.millrace.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.job.options.SnapshotOptions;
import dev.millrace.job.score.setup.ScoringSetup;
import dev.millrace.job.setup.JobKind;
import dev.millrace.job.setup.JobOptions;
import dev.millrace.job.setup.OptionReader;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.api.Test;

/** The compose file, as far as it can be judged without a Docker engine. */
class ComposeTest {

  private static final Path FILE = DeployFiles.DOCKER.resolve("compose.yaml");
  private static final String CONFIG = "/opt/millrace/conf/train.yaml";
  private static final List<String> KEYS =
      List.of(
          "build",
          "cap_drop",
          "command",
          "depends_on",
          "deploy",
          "environment",
          "healthcheck",
          "image",
          "ports",
          "read_only",
          "restart",
          "security_opt",
          "tmpfs",
          "volumes");

  private final JsonNode compose = Compose.read(FILE);

  @Test
  void hasOnlyKeysThatComposeKnows() {
    eachService((name, service) -> assertThat(service.fieldNames()).toIterable().isSubsetOf(KEYS));
  }

  @Test
  void isForThisMachineAlone() {
    eachService(
        (name, service) ->
            assertThat(service.path("ports"))
                .allSatisfy(
                    port -> assertThat(port.asText()).matches("127\\.0\\.0\\.1:\\d+:\\d+")));
    eachService((name, service) -> assertThat(service.has("network_mode")).isFalse());
  }

  @Test
  void imagesArePinned() {
    eachService(
        (name, service) ->
            assertThat(service.path("image").asText())
                .as(name)
                .matches(".+:[^:]*\\d+\\.\\d+.*")
                .doesNotContain("latest"));
    assertThat(image("kafka")).isEqualTo("apache/kafka:" + System.getProperty("kafka.version"));
    assertThat(image("topics")).isEqualTo(image("kafka"));
    assertThat(image("jobmanager"))
        .isEqualTo("millrace-flink:" + System.getProperty("millrace.version"))
        .isEqualTo(image("taskmanager"));
    assertThat(image("serve"))
        .isEqualTo("millrace:" + System.getProperty("millrace.version"))
        .isEqualTo(image("watch"));
  }

  private String image(String service) {
    return compose.at("/services/" + service + "/image").asText();
  }

  @Test
  void mountsFilesThatAreThereAndVolumesThatAreDeclared() {
    eachService(
        (name, service) ->
            assertThat(service.path("volumes"))
                .allSatisfy(
                    volume -> {
                      String source = volume.asText().split(":", -1)[0];
                      if (source.startsWith(".")) {
                        assertThat(DeployFiles.DOCKER.resolve(source)).exists();
                        assertThat(volume.asText()).endsWith(":ro");
                      } else {
                        assertThat(compose.get("volumes").has(source)).as(source).isTrue();
                      }
                    }));
  }

  @Test
  void buildsFromTheDistribution() {
    for (String service : List.of("jobmanager", "serve")) {
      JsonNode build = compose.at("/services/" + service + "/build");

      // docker/ lies in the distribution.
      assertThat(build.get("context").asText()).isEqualTo("..");
      assertThat(DeployFiles.DEPLOY.resolve(build.get("dockerfile").asText())).exists();
    }
  }

  @Test
  void nothingIsWrittenButToVolumesAndMemory() {
    eachService(
        (name, service) -> {
          assertThat(service.path("read_only").asBoolean()).as(name).isTrue();
          assertThat(service.path("cap_drop").toString()).as(name).isEqualTo("[\"ALL\"]");
          assertThat(service.path("security_opt").toString())
              .as(name)
              .isEqualTo("[\"no-new-privileges:true\"]");
        });
    // Native code is unpacked there, and Docker would have none of it run.
    for (String service : List.of("kafka", "jobmanager", "taskmanager", "serve", "watch")) {
      assertThat(compose.at("/services/" + service + "/tmpfs"))
          .filteredOn(memory -> memory.asText().matches("(/tmp|.*/\\.javacpp|.*/work):.*"))
          .isNotEmpty()
          .allSatisfy(memory -> assertThat(memory.asText()).contains(":exec,"));
    }
  }

  @Test
  void waitsForServicesThatAreThere() {
    eachService(
        (name, service) -> {
          JsonNode others = service.path("depends_on");
          List<String> names =
              others.isObject()
                  ? others.propertyStream().map(Map.Entry::getKey).toList()
                  : others.valueStream().map(JsonNode::asText).toList();
          assertThat(names)
              .allSatisfy(
                  other -> {
                    assertThat(compose.get("services").has(other)).as(other).isTrue();
                    if (others.path(other).path("condition").asText().equals("service_healthy")) {
                      assertThat(compose.at("/services/" + other).has("healthcheck")).isTrue();
                    }
                  });
        });
  }

  @Test
  void servicesThatStayTellWhetherTheyAreHealthy() {
    eachService(
        (name, service) ->
            assertThat(service.at("/healthcheck/test").isTextual())
                .as(name)
                .isEqualTo(service.has("restart")));
  }

  @Test
  void flinkKnowsEveryOptionAndItsValue() {
    for (String service : List.of("jobmanager", "taskmanager")) {
      Map<String, String> flink = Compose.flinkOptions(compose.at("/services/" + service));
      Map<String, String> all = new HashMap<>(DeployFiles.shippedConfiguration());
      all.keySet().removeIf(key -> key.startsWith("containerized."));
      all.putAll(flink);

      assertThat(flink).containsEntry("jobmanager.rpc.address", "jobmanager");
      // Only root can make Flink's default.
      assertThat(all).containsKey("user.artifacts.base-dir");
      assertThat(FlinkOptions.problems(all)).isEmpty();
    }
  }

  @Test
  void stateIsWhereAllProcessesSeeIt() {
    Map<String, String> flink = Compose.flinkOptions(compose.at("/services/jobmanager"));
    for (String service : List.of("jobmanager", "taskmanager")) {
      List<String> mounted =
          compose
              .at("/services/" + service + "/volumes")
              .valueStream()
              .map(volume -> "file://" + volume.asText().split(":", -1)[1] + "/")
              .toList();

      assertThat(
              List.of(
                  flink.get("execution.checkpointing.dir"),
                  flink.get("execution.checkpointing.savepoint-dir")))
          .allSatisfy(place -> assertThat(mounted).anyMatch(place::startsWith));
    }
  }

  @Test
  void theJobTakesItsOptionsAndHasItsTopics() {
    Configuration options =
        OptionReader.read(List.of("--config", DeployFiles.DOCKER.resolve("train.yaml").toString()));
    String topics = compose.at("/services/topics/command").get(2).asText();

    JobOptions.check(JobKind.TRAINING, options, new Configuration());
    assertThat(
            List.of(
                options.toMap().get("input.topics"),
                options.toMap().get("dead-letter.topic"),
                options.toMap().get("metrics.topic")))
        .allSatisfy(topic -> assertThat(topics).contains("create " + topic + " "));
    assertThat(compose.at("/services/kafka/environment/KAFKA_ADVERTISED_LISTENERS").asText())
        .contains("//" + options.toMap().get("kafka.bootstrap.servers"));
  }

  /** An image may have another engine than the default one. */
  @Test
  void theServerTakesTheEngineAndTheModelsOfTheJob() {
    JsonNode serve = compose.at("/services/serve");
    Configuration ofTorch =
        OptionReader.read(
            List.of(
                "--config",
                DeployFiles.DOCKER.resolve("train.yaml").toString(),
                "--model.engine",
                "torch"));

    assertThat(texts(serve.get("command")))
        .containsSequence("--config", CONFIG)
        .noneMatch(word -> word.startsWith("--scoring."));
    assertThat(texts(serve.get("volumes")))
        .contains(
            "./train.yaml:" + CONFIG + ":ro",
            "models:" + ofTorch.get(SnapshotOptions.DIRECTORY) + ":ro");
    JobOptions.checkEach(ofTorch);
    assertThat(ScoringSetup.trust(ofTorch).engine()).isEqualTo("torch");
  }

  private static List<String> texts(JsonNode list) {
    return list.valueStream().map(JsonNode::asText).toList();
  }

  private void eachService(BiConsumer<String, JsonNode> check) {
    compose
        .get("services")
        .properties()
        .forEach(entry -> check.accept(entry.getKey(), entry.getValue()));
  }
}
