package dev.millrace.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.FileSystem.WriteMode;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands of processes of their own, on models and savepoints that lie on S3. */
@Tag("slow")
class CommandsIT {

  private static final Path SAVEPOINT =
      Path.of("../../../flink-job/src/test/resources/dev/millrace/job/it/savepoint-1.base64");

  private static S3Server server;
  private static String models;
  private static String savepoint;

  @TempDir private Path directory;

  @BeforeAll
  static void publish() throws Exception {
    server = S3Server.start();
    Plugins.HADOOP.use(server.configuration());
    models = server.uri("models");
    try (Publication publication = new Publication(models)) {
      publication.write(1);
      publication.write(2);
      publication.commit(2);
    }
    savepoint = server.uri("savepoint");
    org.apache.flink.core.fs.Path metadata =
        new org.apache.flink.core.fs.Path(savepoint, "_metadata");
    try (OutputStream out = metadata.getFileSystem().create(metadata, WriteMode.OVERWRITE)) {
      out.write(Base64.getMimeDecoder().decode(Files.readString(SAVEPOINT)));
    }
  }

  @AfterAll
  static void stop() throws IOException {
    server.close();
    FileSystem.initialize(new Configuration(), null);
  }

  @Test
  void modelsAreInspectedWhereTheyAre() throws Exception {
    Command latest = run(Plugins.PRESTO, "inspect", "--json", models);
    Command named = run(Plugins.HADOOP, "inspect", models + "/model-0.1.zip");
    Command described = run(Plugins.PRESTO, "inspect", models + "/model-0.2.json");

    assertThat(latest.output()).contains(models, "committed");
    assertThat(named.output()).contains(models + "/model-0.1.zip", "0.1");
    assertThat(described.output()).contains(models + "/model-0.2.json", "0.2");
    assertThat(latest.exitCode() + named.exitCode() + described.exitCode()).isZero();
  }

  @Test
  void aSavepointIsExported() throws Exception {
    Path archive = directory.resolve("model.zip");

    Command export = run(Plugins.PRESTO, "export", "--from", savepoint, "--to", archive.toString());

    assertThat(export.exitCode()).as(export.output()).isZero();
    assertThat(archive).isNotEmptyFile();
  }

  @Test
  void whatIsNotThereIsToldOf() throws Exception {
    Command absent = run(Plugins.PRESTO, "inspect", server.uri("absent"));
    Command archive = run(Plugins.HADOOP, "inspect", models + "/model-7.1.zip");

    assertThat(absent.exitCode()).isEqualTo(1);
    assertThat(absent.output()).contains(server.uri("absent"), "no savepoint", "latest.json");
    assertThat(archive.exitCode()).isEqualTo(1);
    assertThat(archive.output()).contains("There is no file " + models + "/model-7.1.zip");
  }

  @Test
  void aPluginThatIsMissingIsNamedWithThePlaceForIt() throws Exception {
    Path empty = Files.createDirectory(directory.resolve("plugins"));

    Command without = Command.run(directory, server.configuration(), empty, "inspect", models);

    assertThat(without.exitCode()).isEqualTo(1);
    assertThat(without.output())
        .contains("flink-s3-fs-presto-2.3.0.jar", empty.toString(), "storage.md");
  }

  private Command run(Plugins plugin, String... words) throws Exception {
    return Command.run(directory, server.configuration(), plugin.folder(), words);
  }
}
