package dev.millrace.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.millrace.job.evaluate.AtomicFiles;
import dev.millrace.job.models.SnapshotPlace;
import dev.millrace.snapshot.SnapshotStore;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.fs.FileSystem;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Publication on S3, through each of Flink's plugins. */
class S3SnapshotsIT {

  private static S3Server server;

  @BeforeAll
  static void start() throws Exception {
    server = S3Server.start();
  }

  @AfterAll
  static void stop() throws IOException {
    server.close();
    FileSystem.initialize(new Configuration(), null);
  }

  @AfterEach
  void heal() {
    server.wire().heal();
    server.listings().catchUp();
  }

  @ParameterizedTest
  @EnumSource
  void aPlaceWhereNothingIsYetGetsModelsAndGivesThem(Plugins plugin) throws Exception {
    plugin.use(server.configuration());
    String directory = "first-" + plugin;
    try (Publication models = new Publication(server.uri(directory))) {
      assertThat(models.poll()).isEmpty();
      for (int round = 1; round <= 4; round++) {
        models.write(round);
        assertThat(models.poll()).contains("0." + round);
      }
      models.commit(4);
      assertThat(models.poll()).isEmpty();
    }
    assertThat(server.names(directory))
        .containsExactlyInAnyOrder(
            "latest.json",
            "committed.json",
            "writer-0-one.json",
            "model-0.3.zip",
            "model-0.3.json",
            "model-0.4.zip",
            "model-0.4.json");
  }

  /** The reader has the old model until the new one is whole, and the writer says what to do. */
  @ParameterizedTest
  @EnumSource
  void aServerThatDiesInTheMiddleOfAModelLeavesTheOldOne(Plugins plugin) throws Exception {
    plugin.use(impatient(server.configuration()));
    String directory = "death-" + plugin;
    try (Publication models = new Publication(server.uri(directory))) {
      models.write(1);
      server.wire().dieDuring("^PUT .*/model-0.2.zip", 100_000);

      assertThatIOException()
          .isThrownBy(() -> models.write(2))
          .withMessageContainingAll(
              server.uri(directory) + "/model-0.2.zip", "look whether it runs", "s3.endpoint");
      assertThat(server.wire().faulted()).isEqualTo(1);
      assertThat(server.names(directory))
          .containsExactlyInAnyOrder(
              "latest.json", "writer-0-one.json", "model-0.1.zip", "model-0.1.json");
      assertThatIOException().isThrownBy(models::poll).withMessageContaining("s3.endpoint");

      server.wire().heal();
      assertThat(models.poll()).contains("0.1");
      models.write(2);
      assertThat(models.poll()).contains("0.2");
    }
  }

  @Tag("slow")
  @ParameterizedTest
  @EnumSource
  void aServerThatDiesBeforeThePointerLeavesTheOldModelServed(Plugins plugin) throws Exception {
    plugin.use(impatient(server.configuration()));
    String directory = "pointer-" + plugin;
    try (Publication models = new Publication(server.uri(directory))) {
      models.write(1);
      server.wire().dieDuring("^PUT .*/latest.json", 10);

      assertThatIOException().isThrownBy(() -> models.write(2));

      server.wire().heal();
      assertThat(models.poll()).contains("0.1");
      models.write(3);
      assertThat(models.poll()).contains("0.3");
    }
  }

  @Tag("slow")
  @ParameterizedTest
  @EnumSource
  void aStoreThatAsksForFewerRequestsIsAskedAgainByThePlugin(Plugins plugin) throws Exception {
    plugin.use(server.configuration());
    try (Publication models = new Publication(server.uri("throttled-" + plugin))) {
      server.wire().throttle("^PUT .*/model-0.1.zip", 2);

      models.write(1);

      assertThat(server.wire().faulted()).isEqualTo(2);
      assertThat(models.poll()).contains("0.1");
    }
  }

  @Tag("slow")
  @ParameterizedTest
  @EnumSource
  void aStoreThatGoesOnToAskForFewerRequestsIsGivenUp(Plugins plugin) throws Exception {
    plugin.use(impatient(server.configuration()));
    try (Publication models = new Publication(server.uri("refusing-" + plugin))) {
      server.wire().throttle("^PUT .*/model-0.1.zip", Integer.MAX_VALUE);

      assertThatIOException()
          .isThrownBy(() -> models.write(1))
          .withMessageContainingAll(
              "model-0.1.zip", "publish less often", "docs/operate/storage.md");
    }
  }

  @Tag("slow")
  @ParameterizedTest
  @EnumSource
  void listingsThatLagChangeNothingForReadersAndDelayWhatIsDeleted(Plugins plugin)
      throws Exception {
    plugin.use(server.configuration());
    String directory = "lag-" + plugin;
    try (Publication models = new Publication(server.uri(directory))) {
      models.write(1);
      server.listings().lag();
      for (int round = 2; round <= 4; round++) {
        models.write(round);
        assertThat(models.poll()).contains("0." + round);
      }
      server.listings().catchUp();
      models.write(5);
      assertThat(models.poll()).contains("0.5");
    }
    assertThat(server.names(directory))
        .containsExactlyInAnyOrder(
            "latest.json",
            "writer-0-one.json",
            "model-0.4.zip",
            "model-0.4.json",
            "model-0.5.zip",
            "model-0.5.json");
  }

  @ParameterizedTest
  @EnumSource
  void wrongCredentialsAreToldOf(Plugins plugin) throws Exception {
    Configuration flink = impatient(server.configuration());
    flink.setString("s3.secret-key", "another");
    plugin.use(flink);
    String place = server.uri("credentials-" + plugin);

    SnapshotStore store = SnapshotPlace.of(place).open();

    // This server may end the connection of what it refuses before its answer has been read.
    assertThatIOException()
        .isThrownBy(() -> store.put("a", file -> Files.writeString(file, "a")))
        .withMessageContaining(place + "/a")
        .withMessageMatching("(?s).*(s3.secret-key|s3.endpoint).*");
    assertThatIOException()
        .isThrownBy(() -> store.read("latest.json"))
        .withMessageContainingAll(place + "/latest.json", "credentials are wrong", "s3.secret-key");
    assertThatIOException()
        .isThrownBy(store::names)
        .withMessageContainingAll(place, "credentials are wrong", "s3.secret-key");
  }

  @Tag("slow")
  @ParameterizedTest
  @EnumSource
  void aBucketThatIsNotThereIsToldOf(Plugins plugin) throws Exception {
    plugin.use(impatient(server.configuration()));

    SnapshotStore store = SnapshotPlace.of("s3://absent/models").open();

    assertThatIOException()
        .isThrownBy(() -> store.put("a", file -> Files.writeString(file, "a")))
        .withMessageContainingAll("s3://absent/models", "create the bucket");
  }

  @Tag("slow")
  @ParameterizedTest
  @EnumSource
  void aReportTakesThePlaceOfTheOneBefore(Plugins plugin) throws Exception {
    plugin.use(server.configuration());
    String directory = "reports-" + plugin;
    String place = server.uri(directory) + "/evaluation.json";

    AtomicFiles.write(place, "one");
    AtomicFiles.write(place, "two");

    assertThat(server.names(directory)).containsExactly("evaluation.json");
    try (InputStream in = SnapshotPlace.of(server.uri(directory)).open().read("evaluation.json")) {
      assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8)).isEqualTo("two");
    }
  }

  /** So that what fails fails within seconds: some options are of the one, some of the other. */
  private static Configuration impatient(Configuration flink) {
    flink.setString("s3.max-error-retries", "1");
    flink.setString("s3.max-client-retries", "1");
    flink.setString("s3.max-backoff-time", "200ms");
    flink.setString("s3.max-retry-time", "1s");
    flink.setString("s3.attempts.maximum", "1");
    flink.setString("s3.retry.limit", "1");
    flink.setString("s3.retry.throttle.limit", "1");
    flink.setString("s3.retry.interval", "10ms");
    flink.setString("s3.retry.throttle.interval", "10ms");
    return flink;
  }
}
