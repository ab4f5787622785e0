package dev.millrace.job.rows.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.exchange.flink.NonRecoverableException;
import dev.millrace.exchange.flink.rows.RowChange;
import dev.millrace.exchange.rows.RowTable;
import dev.millrace.job.models.SnapshotPlace;
import dev.millrace.model.ModelVersion;
import dev.millrace.snapshot.Pointer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The operator in Flink's harness. */
class RowFilesOperatorTest {

  private static final List<RowTable> TABLES = List.of(RowTable.of("a user's", 1));

  @TempDir private Path directory;

  private OneInputStreamOperatorTestHarness<RowChange, String> start(OperatorSubtaskState saved)
      throws Exception {
    Path models = directory.resolve("models");
    var harness =
        new OneInputStreamOperatorTestHarness<RowChange, String>(
            new RowFilesOperator(rows().toString(), TABLES, SnapshotPlace.of(models.toString())));
    harness.setup();
    if (saved != null) {
      harness.initializeState(saved);
    }
    harness.open();
    return harness;
  }

  private Path rows() {
    return directory.resolve("rows");
  }

  private Map<Long, List<Float>> published() throws Exception {
    return PublishedRows.read(rows()).get("a user's");
  }

  private static StreamRecord<RowChange> change(long id, float... rowOrNull) {
    return new StreamRecord<>(new RowChange(0, id, rowOrNull.length == 0 ? null : rowOrNull));
  }

  /** Makes what tells of a table, or with -1 that more comes. */
  private static StreamRecord<RowChange> told(int table) {
    return new StreamRecord<>(new RowChange(table, 0, new float[0]));
  }

  @Test
  void rowsAreThereOnceTheirCheckpointIsComplete() throws Exception {
    String model = new ModelVersion(1, 7).toString();
    Files.createDirectory(directory.resolve("models"));
    Files.writeString(
        directory.resolve("models/latest.json"),
        new Pointer(model, "a.zip", "a.json", false).toJson());
    var harness = start(null);
    harness.processElement(told(0));
    harness.processElement(change(1, 1));
    harness.processElement(change(2, 2));
    harness.processElement(change(2));
    harness.snapshot(1, 1);
    assertThat(rows().resolve("rows.json")).doesNotExist();
    harness.notifyOfCompletedCheckpoint(1);
    assertThat(published()).isEqualTo(Map.of(1L, List.of(1f)));
    assertThat(Files.readString(rows().resolve("rows.json"))).contains(model);

    harness.processElement(change(3, 3));
    OperatorSubtaskState saved = harness.snapshot(2, 2);
    harness.processElement(change(4, 4));
    harness.snapshot(3, 3);
    assertThat(published()).isEqualTo(Map.of(1L, List.of(1f)));
    harness.close();
    // The second is complete, and the job wasn't told of it.
    harness = start(saved);
    assertThat(published()).isEqualTo(Map.of(1L, List.of(1f), 3L, List.of(3f)));
    harness.processElement(change(1));
    harness.snapshot(4, 4);
    harness.notifyOfCompletedCheckpoint(4);
    assertThat(published()).isEqualTo(Map.of(3L, List.of(3f)));
    assertThat(harness.getOutput()).isEmpty();
    harness.close();
  }

  @Test
  void aCheckpointWhoseRowsAreNotAllToldOfIsNotPublished() throws Exception {
    var harness = start(null);
    harness.processElement(change(1, 1));
    harness.processElement(told(-1));
    harness.snapshot(1, 1);
    harness.notifyOfCompletedCheckpoint(1);
    assertThat(rows().resolve("rows.json")).doesNotExist();

    harness.processElement(change(2, 2));
    harness.snapshot(2, 2);
    harness.notifyOfCompletedCheckpoint(2);
    assertThat(published()).containsOnlyKeys(1L, 2L);
    harness.close();
  }

  /** Trying it again would help nobody. */
  @Test
  void aDirectoryOfAnotherJobEndsTheJob() throws Exception {
    var harness = start(null);
    harness.snapshot(1, 1);
    harness.notifyOfCompletedCheckpoint(1);
    harness.close();

    assertThatThrownBy(() -> start(null))
        .isInstanceOf(NonRecoverableException.class)
        .hasMessageContaining("has rows of another job");
  }
}
