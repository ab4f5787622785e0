package dev.millrace.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.millrace.job.evaluate.AtomicFiles;
import dev.millrace.job.models.SnapshotPlace;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.FileSystem.WriteMode;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Publication on HDFS, with Hadoop's jars on the class path as Flink's documents say. */
@Tag("slow")
class HdfsSnapshotsIT {

  @TempDir private static Path directory;

  private static MiniDFSCluster cluster;

  @BeforeAll
  static void start() throws IOException {
    cluster =
        new MiniDFSCluster.Builder(
                new org.apache.hadoop.conf.Configuration(), directory.resolve("hdfs").toFile())
            .numDataNodes(1)
            .build();
    cluster.waitActive();
    FileSystem.initialize(new Configuration(), null);
  }

  @AfterAll
  static void stop() {
    cluster.shutdown();
  }

  private static String uri(String name) {
    return cluster.getURI() + "/" + name;
  }

  @Test
  void aPlaceWhereNothingIsYetGetsModelsAndGivesThem() throws IOException {
    try (Publication models = new Publication(uri("first"))) {
      assertThat(models.poll()).isEmpty();
      for (int round = 1; round <= 4; round++) {
        models.write(round);
        assertThat(models.poll()).contains("0." + round);
      }
      models.commit(4);
    }
    assertThat(SnapshotPlace.of(uri("first")).open().names())
        .containsExactlyInAnyOrder(
            "latest.json",
            "committed.json",
            "writer-0-one.json",
            "model-0.3.zip",
            "model-0.3.json",
            "model-0.4.zip",
            "model-0.4.json");
  }

  /** Each poll finds a whole pointer to a whole model: none fails. */
  @Test
  void whoeverFollowsWhileModelsAreWrittenNeverMeetsHalfAFile() throws Exception {
    try (Publication models = new Publication(uri("followed"))) {
      CompletableFuture<Void> writing =
          CompletableFuture.runAsync(
              () -> {
                try {
                  for (int round = 1; round <= 8; round++) {
                    models.write(round);
                  }
                } catch (IOException e) {
                  throw new java.io.UncheckedIOException(e);
                }
              });
      String last = "";
      while (!writing.isDone()) {
        last = models.poll().orElse(last);
      }
      writing.get(1, TimeUnit.SECONDS);
      assertThat(models.poll().orElse(last)).isEqualTo("0.8");
    }
  }

  @Test
  void aWriterThatDiedInTheMiddleOfAPointerIsInNobodysWay() throws IOException {
    String place = uri("died");
    try (Publication models = new Publication(place)) {
      models.write(1);
      org.apache.flink.core.fs.Path half =
          new org.apache.flink.core.fs.Path(place, ".unfinished-latest.json");
      try (var out = half.getFileSystem().create(half, WriteMode.OVERWRITE)) {
        out.write("{\"ver".getBytes(StandardCharsets.UTF_8));
      }
      long yesterday = Instant.now().minus(Duration.ofDays(1)).toEpochMilli();
      cluster
          .getFileSystem()
          .setTimes(new org.apache.hadoop.fs.Path(half.getPath()), yesterday, -1);
      assertThat(models.poll()).contains("0.1");

      try (Publication next = new Publication(place)) {
        next.write(2);
      }

      assertThat(models.poll()).contains("0.2");
      assertThat(half.getFileSystem().exists(half)).isFalse();
    }
  }

  @Test
  void aReportTakesThePlaceOfTheOneBefore() throws IOException {
    AtomicFiles.write(uri("reports/evaluation.json"), "one");
    AtomicFiles.write(uri("reports/evaluation.json"), "two");

    try (InputStream in = SnapshotPlace.of(uri("reports")).open().read("evaluation.json")) {
      assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8)).isEqualTo("two");
    }
    assertThat(SnapshotPlace.of(uri("reports")).open().names()).containsExactly("evaluation.json");
  }

  @Test
  void aClusterThatTakesNoFilesIsToldOfAndTheOldModelStays() throws IOException {
    String place = uri("safe");
    try (Publication models = new Publication(place)) {
      models.write(1);
      cluster.getFileSystem().setSafeMode(org.apache.hadoop.fs.SafeModeAction.ENTER);
      try {
        assertThatIOException()
            .isThrownBy(() -> models.write(2))
            .withMessageContainingAll(place + "/model-0.2.zip", "safe mode");
        assertThat(models.poll()).contains("0.1");
      } finally {
        cluster.getFileSystem().setSafeMode(org.apache.hadoop.fs.SafeModeAction.LEAVE);
      }
      models.write(2);
      assertThat(models.poll()).contains("0.2");
    }
  }
}
