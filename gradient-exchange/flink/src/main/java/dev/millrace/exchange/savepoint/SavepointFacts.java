package dev.millrace.exchange.savepoint;

import java.io.IOException;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.runtime.checkpoint.CheckpointProperties;
import org.apache.flink.runtime.checkpoint.OperatorState;
import org.apache.flink.runtime.checkpoint.SavepointType;
import org.apache.flink.runtime.checkpoint.metadata.CheckpointMetadata;
import org.apache.flink.runtime.state.IncrementalRemoteKeyedStateHandle;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.filesystem.FsCompletedCheckpointStorageLocation;

/**
 * What a savepoint's metadata tells before any state is read.
 *
 * @param directory where it is
 * @param checkpointId that Flink gave it
 * @param bytes of all its states, those included that it shares with other checkpoints
 * @param written when its metadata was, which is the last of it
 * @param operators that have state in it, by name
 */
public record SavepointFacts(
    String directory,
    long checkpointId,
    Kind kind,
    Backend backend,
    long bytes,
    Instant written,
    List<SavedOperator> operators) {

  /** How it was taken. */
  public enum Kind {
    CANONICAL_SAVEPOINT,
    NATIVE_SAVEPOINT,
    FULL_CHECKPOINT,
    INCREMENTAL_CHECKPOINT
  }

  /**
   * One operator in a savepoint.
   *
   * @param name its uid, its name, or its id, whichever it has
   * @param subtasks how many it had
   * @param bytes of its state
   */
  public record SavedOperator(String name, int subtasks, long bytes) {}

  static SavepointFacts of(
      FsCompletedCheckpointStorageLocation location, CheckpointMetadata metadata)
      throws IOException {
    List<KeyedStateHandle> keyed =
        metadata.getOperatorStates().stream()
            .flatMap(operator -> operator.getStates().stream())
            .flatMap(subtask -> subtask.getManagedKeyedState().stream())
            .toList();
    FileStatus status =
        location
            .getMetadataHandle()
            .getFilePath()
            .getFileSystem()
            .getFileStatus(location.getMetadataHandle().getFilePath());
    List<SavedOperator> operators =
        metadata.getOperatorStates().stream()
            .map(SavepointFacts::operator)
            .filter(operator -> operator.bytes() > 0)
            .sorted(Comparator.comparing(SavedOperator::name))
            .toList();
    return new SavepointFacts(
        location.getExternalPointer(),
        metadata.getCheckpointId(),
        kind(metadata.getCheckpointProperties(), keyed),
        keyed.isEmpty() ? Backend.ANY : KeyedEntries.of(keyed.get(0), 1).backend(),
        status.getLen() + operators.stream().mapToLong(SavedOperator::bytes).sum(),
        Instant.ofEpochMilli(status.getModificationTime()),
        operators);
  }

  private static SavedOperator operator(OperatorState state) {
    return new SavedOperator(
        state
            .getOperatorUid()
            .or(state::getOperatorName)
            .orElseGet(() -> state.getOperatorID().toString()),
        state.getParallelism(),
        state.getStateSize());
  }

  private static Kind kind(CheckpointProperties propertiesOrNull, List<KeyedStateHandle> keyed) {
    if (propertiesOrNull != null
        && propertiesOrNull.getCheckpointType() instanceof SavepointType savepoint) {
      return savepoint.getFormatType() == SavepointFormatType.NATIVE
          ? Kind.NATIVE_SAVEPOINT
          : Kind.CANONICAL_SAVEPOINT;
    }
    // Files that other checkpoints may share are what makes one incremental.
    boolean shares =
        keyed.stream()
            .anyMatch(
                handle ->
                    handle instanceof IncrementalRemoteKeyedStateHandle files
                        && !files.getSharedState().isEmpty());
    return shares ? Kind.INCREMENTAL_CHECKPOINT : Kind.FULL_CHECKPOINT;
  }
}
