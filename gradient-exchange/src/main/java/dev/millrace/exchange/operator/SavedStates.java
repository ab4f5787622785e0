package dev.millrace.exchange.operator;

import java.io.DataInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.memory.DataInputViewStreamWrapper;
import org.apache.flink.runtime.checkpoint.Checkpoints;
import org.apache.flink.runtime.checkpoint.OperatorState;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.checkpoint.metadata.CheckpointMetadata;
import org.apache.flink.runtime.state.OperatorStateHandle;
import org.apache.flink.runtime.state.OperatorStateHandle.StateMetaInfo;
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
   * @throws IOException if they can't be read; so it is, too, where Flink compresses snapshots
   */
  public List<byte[]> strings(String operatorUid, String state) throws IOException {
    List<byte[]> strings = new ArrayList<>();
    for (OperatorState operator : metadata.getOperatorStates()) {
      if (operator.getOperatorUid().filter(operatorUid::equals).isPresent()) {
        for (OperatorSubtaskState subtask : operator.getStates()) {
          for (OperatorStateHandle handle : subtask.getManagedOperatorState()) {
            read(handle, state, strings);
          }
        }
      }
    }
    return strings;
  }

  private static void read(OperatorStateHandle handle, String state, List<byte[]> strings)
      throws IOException {
    StateMetaInfo place = handle.getStateNameToPartitionOffsets().get(state);
    if (place == null) {
      return;
    }
    try (FSDataInputStream in = handle.openInputStream()) {
      for (long offset : place.getOffsets()) {
        in.seek(offset);
        strings.add(
            BytePrimitiveArraySerializer.INSTANCE.deserialize(new DataInputViewStreamWrapper(in)));
      }
    }
  }
}
