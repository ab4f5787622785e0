package dev.millrace.job.rows.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.millrace.exchange.rows.RowTable;
import dev.millrace.fields.FieldsDescription;
import dev.millrace.job.follow.RowPlace;
import dev.millrace.job.follow.ServedRows;
import dev.millrace.job.options.RowsOptions;
import dev.millrace.model.IdLists;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Copies of a directory of rows of one value, each followed by its thread. */
class FileRowsTest {

  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final RowTable USERS = RowTable.of("users", 1);
  private static final ExampleShape SHAPE =
      FieldsDescription.parse(
              """
              [{"path": "user", "kind": "id", "table": "users", "dimension": 1}]
              """,
              null)
          .shape(Target.REGRESSION, 1);

  @TempDir private Path directory;
  private long checkpoint;

  private RowPlace place() {
    return RowPlace.of(
            new Configuration()
                .set(RowsOptions.FILES, directory.resolve("rows").toString())
                .set(RowsOptions.DIRECTORY, directory.resolve("copy").toString()))
        .orElseThrow();
  }

  private RowPublication publication(byte[] state) throws IOException {
    return RowPublication.open(
        RowDirectory.open(directory.resolve("rows").toString()),
        SimulatedPublication.JOB,
        List.of(USERS),
        state,
        () -> "",
        System::currentTimeMillis,
        RowPublication.MOST_BYTES,
        Runnable::run);
  }

  private byte[] publish(RowPublication publication, long id, float... rowOrNull)
      throws IOException {
    publication.change(0, id, rowOrNull.length == 0 ? null : rowOrNull);
    byte[] state = publication.save(++checkpoint);
    publication.complete(checkpoint);
    return state;
  }

  private static float read(ServedRows.Reader reader, long id) {
    IdLists ids = new IdLists(1);
    ids.add(id);
    ids.end();
    float[] features = new float[1];
    reader.complete(ids, features);
    return features[0];
  }

  private static float initial(long id) {
    float[] values = new float[1];
    USERS.initial().fill(USERS.hash(), id, values, 0, 1);
    return values[0];
  }

  @Test
  void aCopyHasAllRowsWhenItIsOpenAndFollowsTheDirectory() throws Exception {
    RowPublication publication = publication(null);
    publish(publication, 1, 5);
    byte[] state = publish(publication, 2, 6);
    try (ServedRows rows = place().open()) {
      ServedRows.Reader reader = rows.reader(SHAPE);
      assertThat(read(reader, 1)).isEqualTo(5);
      assertThat(read(reader, 2)).isEqualTo(6);
      assertThat(read(reader, 3)).isEqualTo(initial(3));

      publish(publication, 3, 7);
      await().atMost(PATIENCE).until(() -> read(reader, 3) == 7);
      publish(publication, 1);
      await().atMost(PATIENCE).until(() -> read(reader, 1) == initial(1));

      // Back to an older savepoint: the copy is made anew, and the rows of since are gone.
      publication.close();
      publication(state).close();
      await().atMost(PATIENCE).until(() -> read(reader, 3) == initial(3));
      assertThat(read(reader, 1)).isEqualTo(5);
    }
  }

  @Test
  void aCopyThatWasKeptReadsNoFileAgain() throws Exception {
    RowPublication publication = publication(null);
    publish(publication, 1, 5);
    RowManifest manifest =
        RowDirectory.open(directory.resolve("rows").toString()).manifest().orElseThrow();
    RowFile first = manifest.tables().get(0).files().get(0);
    place().open().close();
    publish(publication, 2, 6);

    Files.delete(directory.resolve("rows").resolve(first.file()));
    try (ServedRows rows = place().open()) {
      ServedRows.Reader reader = rows.reader(SHAPE);
      assertThat(read(reader, 1)).isEqualTo(5);
      assertThat(read(reader, 2)).isEqualTo(6);
    }
  }

  @Test
  void aDirectoryWithoutRowsIsNamedAndATopicGoesBeforeIt() {
    assertThatThrownBy(() -> place().open())
        .isInstanceOf(FileNotFoundException.class)
        .hasMessage("there is no rows.json; start the job that publishes rows there");
    assertThat(place()).hasToString("the directory " + directory.resolve("rows"));
    Configuration both = new Configuration();
    both.setString("kafka.bootstrap.servers", "localhost:1");
    both.set(RowsOptions.FILES, directory.toString()).set(RowsOptions.TOPIC, "rows");
    assertThat(RowPlace.of(both).orElseThrow()).hasToString("the topic rows");
  }
}
