package dev.millrace.exchange.savepoint;

import dev.millrace.exchange.flink.block.BlockKeys;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Predicate;
import org.apache.flink.api.common.ExecutionConfig;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.base.IntSerializer;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.core.fs.CloseableRegistry;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;
import org.apache.flink.runtime.checkpoint.CheckpointOptions;
import org.apache.flink.runtime.checkpoint.Checkpoints;
import org.apache.flink.runtime.checkpoint.OperatorState;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.checkpoint.SavepointType;
import org.apache.flink.runtime.checkpoint.metadata.CheckpointMetadata;
import org.apache.flink.runtime.jobgraph.JobVertexID;
import org.apache.flink.runtime.query.KvStateRegistry;
import org.apache.flink.runtime.state.CheckpointStorageLocationReference;
import org.apache.flink.runtime.state.FullSnapshotResources;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.LocalRecoveryConfig;
import org.apache.flink.runtime.state.OperatorStateBackend;
import org.apache.flink.runtime.state.OperatorStateHandle;
import org.apache.flink.runtime.state.SavepointSnapshotStrategy;
import org.apache.flink.runtime.state.SnapshotResult;
import org.apache.flink.runtime.state.UncompressedStreamCompressionDecorator;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.runtime.state.filesystem.FsCheckpointStreamFactory;
import org.apache.flink.runtime.state.heap.HeapKeyedStateBackend;
import org.apache.flink.runtime.state.heap.HeapKeyedStateBackendBuilder;
import org.apache.flink.runtime.state.heap.HeapPriorityQueueSetFactory;
import org.apache.flink.runtime.state.metrics.LatencyTrackingStateConfig;
import org.apache.flink.runtime.state.metrics.SizeTrackingStateConfig;
import org.apache.flink.runtime.state.ttl.TtlTimeProvider;
import org.apache.flink.util.concurrent.FutureUtils;

/**
 * A savepoint in which some operators have other states. It lies beside the one that it comes from,
 * as metadata of another name, and has the states of all other operators in common with that.
 */
final class RewrittenSavepoint {

  /** Makes other strings of those of one subtask. */
  @FunctionalInterface
  interface Change {

    /** Makes them; those that aren't there are dropped. */
    SubtaskStrings of(int subtask, SubtaskStrings saved) throws IOException;
  }

  private static final int BUFFER = 64 << 10;
  private static final CheckpointOptions CANONICAL =
      CheckpointOptions.alignedNoTimeout(
          SavepointType.savepoint(SavepointFormatType.CANONICAL),
          CheckpointStorageLocationReference.getDefault());

  private final SavedStates from;
  private final Path directory;
  private final FileSystem files;
  private final Map<OperatorState, OperatorState> changed = new HashMap<>();

  /** Begins as the savepoint is. */
  RewrittenSavepoint(SavedStates from) throws IOException {
    this.from = from;
    Path place = new Path(from.facts().directory());
    this.files = place.getFileSystem();
    this.directory = files.getFileStatus(place).isDir() ? place : place.getParent();
  }

  /**
   * Checks that files may be written there: otherwise it is found out when all work is done.
   *
   * @throws SavepointException if none may
   */
  void requireWritable() throws IOException {
    Path probe = new Path(directory, "_writable-" + UUID.randomUUID());
    try {
      files.create(probe, FileSystem.WriteMode.NO_OVERWRITE).close();
    } catch (IOException | RuntimeException e) {
      throw unwritable(e);
    }
    try {
      boolean unused = files.delete(probe, false);
    } catch (IOException | RuntimeException e) {
      // Where nobody may delete, an empty file stays, and does no harm.
    }
  }

  /**
   * Changes the operator states of each subtask.
   *
   * @param states names of those that are read
   */
  void change(String uid, Predicate<String> states, Change change) throws IOException {
    OperatorState old = from.operator(uid).orElse(null);
    if (old == null) {
      return;
    }
    OperatorState made = emptied(old);
    for (var subtask : from.subtasks(uid, states).entrySet()) {
      int number = subtask.getKey();
      OperatorSubtaskState before = old.getState(number);
      if (before.isFinished()) {
        made.putState(number, before);
        continue;
      }
      made.putState(number, written(number, change.of(number, subtask.getValue())));
    }
    changed.put(old, made);
  }

  /** Gives an operator blocks in place of those that it has. */
  void blocks(String uid, String state, List<byte[]> blocks) throws IOException {
    OperatorState old = from.operator(uid).orElseThrow();
    OperatorState made = emptied(old);
    // Flink gives a subtask all that the same one had, where there are as many as before.
    for (int subtask = 0; subtask < old.getParallelism(); subtask++) {
      KeyGroupRange range =
          KeyGroupRangeAssignment.computeKeyGroupRangeForOperatorIndex(
              old.getMaxParallelism(), old.getParallelism(), subtask);
      made.putState(subtask, writtenBlocks(range, old.getMaxParallelism(), state, blocks));
    }
    changed.put(old, made);
  }

  private static OperatorState emptied(OperatorState old) {
    return new OperatorState(
        old.getOperatorName().orElse(null),
        old.getOperatorUid().orElse(null),
        old.getOperatorID(),
        old.getParallelism(),
        old.getMaxParallelism());
  }

  private OperatorSubtaskState written(int subtask, SubtaskStrings states) throws IOException {
    try (OperatorStateBackend backend = SavedStates.restore(List.of())) {
      states.write(backend, subtask);
      SnapshotResult<OperatorStateHandle> result =
          FutureUtils.runIfNotDoneAndGet(backend.snapshot(1, 0, streams(), CANONICAL));
      OperatorSubtaskState.Builder made = OperatorSubtaskState.builder();
      if (result.getJobManagerOwnedSnapshot() != null) {
        made.setManagedOperatorState(result.getJobManagerOwnedSnapshot());
      }
      return made.build();
    } catch (Exception e) {
      throw unwritable(e);
    }
  }

  private OperatorSubtaskState writtenBlocks(
      KeyGroupRange range, int keyGroups, String state, List<byte[]> blocks) throws IOException {
    BlockKeys keys = new BlockKeys(blocks.size(), keyGroups);
    try (CloseableRegistry open = new CloseableRegistry()) {
      HeapKeyedStateBackend<Integer> backend =
          new HeapKeyedStateBackendBuilder<>(
                  new KvStateRegistry().createTaskRegistry(new JobID(), new JobVertexID()),
                  IntSerializer.INSTANCE,
                  RewrittenSavepoint.class.getClassLoader(),
                  keyGroups,
                  range,
                  new ExecutionConfig(),
                  TtlTimeProvider.DEFAULT,
                  LatencyTrackingStateConfig.disabled(),
                  SizeTrackingStateConfig.disabled(),
                  List.of(),
                  UncompressedStreamCompressionDecorator.INSTANCE,
                  LocalRecoveryConfig.BACKUP_AND_RECOVERY_DISABLED,
                  new HeapPriorityQueueSetFactory(range, keyGroups, 1),
                  false,
                  open)
              .build();
      try {
        ValueState<byte[]> values =
            backend.getPartitionedState(
                VoidNamespace.INSTANCE,
                VoidNamespaceSerializer.INSTANCE,
                new ValueStateDescriptor<>(state, BytePrimitiveArraySerializer.INSTANCE));
        for (int block = 0; block < blocks.size(); block++) {
          int key = keys.keyOf(block);
          if (range.contains(KeyGroupRangeAssignment.assignToKeyGroup(key, keyGroups))) {
            backend.setCurrentKey(key);
            values.update(blocks.get(block));
          }
        }
        SavepointSnapshotStrategy<Integer> strategy =
            new SavepointSnapshotStrategy<>(backend.savepoint().getSnapshotResources());
        FullSnapshotResources<Integer> resources = strategy.syncPrepareResources(1);
        KeyedStateHandle handle =
            strategy
                .asyncSnapshot(resources, 1, 0, streams(), CANONICAL)
                .get(open)
                .getJobManagerOwnedSnapshot();
        OperatorSubtaskState.Builder subtask = OperatorSubtaskState.builder();
        if (handle != null) {
          subtask.setManagedKeyedState(handle);
        }
        return subtask.build();
      } finally {
        backend.dispose();
      }
    } catch (Exception e) {
      throw unwritable(e);
    }
  }

  private FsCheckpointStreamFactory streams() {
    return new FsCheckpointStreamFactory(files, directory, directory, 0, BUFFER);
  }

  /**
   * Writes it.
   *
   * @param name of its file of metadata
   * @return its path, from which a job goes on
   */
  String write(String name) throws IOException {
    CheckpointMetadata metadata = from.metadata();
    List<OperatorState> operators =
        metadata.getOperatorStates().stream()
            .map(operator -> changed.getOrDefault(operator, operator))
            .toList();
    Path file = new Path(directory, name);
    try (DataOutputStream out =
        new DataOutputStream(
            new BufferedOutputStream(files.create(file, FileSystem.WriteMode.OVERWRITE)))) {
      Checkpoints.storeCheckpointMetadata(
          new CheckpointMetadata(
              metadata.getCheckpointId(),
              operators,
              metadata.getMasterStates(),
              metadata.getCheckpointProperties()),
          out);
    } catch (IOException e) {
      throw unwritable(e);
    }
    return file.toString();
  }

  private SavepointException unwritable(Exception e) {
    return SavepointException.unwritable(directory, e);
  }
}
