package dev.millrace.exchange.operator;

import java.io.DataInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.ExecutionConfig;
import org.apache.flink.core.fs.CloseableRegistry;
import org.apache.flink.runtime.checkpoint.Checkpoints;
import org.apache.flink.runtime.checkpoint.OperatorState;
import org.apache.flink.runtime.checkpoint.metadata.CheckpointMetadata;
import org.apache.flink.runtime.state.DefaultOperatorStateBackendBuilder;
import org.apache.flink.runtime.state.OperatorStateBackend;
import org.apache.flink.runtime.state.OperatorStateHandle;
import org.apache.flink.runtime.state.filesystem.AbstractFsCheckpointStorageAccess;

/** Reads {@link ByteStringState}s of a savepoint or checkpoint without its job. */
public final class SavedStates {

  private final CheckpointMetadata metadata;

  private SavedStates(CheckpointMetadata metadata) {
    this.metadata = metadata;
  }

  /**
   * Reads what there is.
   *
   * @param path of the savepoint, as Flink takes it
   * @throws IOException if there is none, or it can't be read from here
   */
  public static SavedStates open(String path) throws IOException {
    var location = AbstractFsCheckpointStorageAccess.resolveCheckpointPointer(path);
    try (DataInputStream in = new DataInputStream(location.getMetadataHandle().openInputStream())) {
      return new SavedStates(
          Checkpoints.loadCheckpointMetadata(in, SavedStates.class.getClassLoader(), path));
    }
  }

  /**
   * The strings of one state, of all subtasks of its operator; none where there is no such state.
   *
   * @throws IOException if they can't be read
   */
  public List<byte[]> strings(String operatorUid, String state) throws IOException {
    List<OperatorStateHandle> handles = new ArrayList<>();
    for (OperatorState operator : metadata.getOperatorStates()) {
      if (operator.getOperatorUid().filter(operatorUid::equals).isPresent()) {
        operator
            .getStates()
            .forEach(subtask -> subtask.getManagedOperatorState().forEach(handles::add));
      }
    }
    List<byte[]> strings = new ArrayList<>();
    try (OperatorStateBackend backend = restore(handles)) {
      backend.getListState(ByteStringState.descriptor(state)).get().forEach(strings::add);
    } catch (IOException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException("The state %s of %s can't be read".formatted(state, operatorUid), e);
    }
    return strings;
  }

  private static OperatorStateBackend restore(List<OperatorStateHandle> handles)
      throws IOException {
    return new DefaultOperatorStateBackendBuilder(
            SavedStates.class.getClassLoader(),
            new ExecutionConfig(),
            false,
            handles,
            new CloseableRegistry())
        .build();
  }
}
