package dev.millrace.exchange.savepoint;

import dev.millrace.exchange.flink.ByteStringState;
import java.io.DataInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.apache.flink.api.common.ExecutionConfig;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.core.fs.CloseableRegistry;
import org.apache.flink.runtime.checkpoint.Checkpoints;
import org.apache.flink.runtime.checkpoint.OperatorState;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.checkpoint.metadata.CheckpointMetadata;
import org.apache.flink.runtime.jobgraph.OperatorID;
import org.apache.flink.runtime.state.DefaultOperatorStateBackendBuilder;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.OperatorStateBackend;
import org.apache.flink.runtime.state.OperatorStateHandle;
import org.apache.flink.runtime.state.filesystem.AbstractFsCheckpointStorageAccess;
import org.apache.flink.runtime.state.filesystem.FsCompletedCheckpointStorageLocation;
import org.apache.flink.streaming.api.graph.StreamGraphHasherV2;
import org.apache.flink.util.function.FunctionWithException;

/** Reads states of byte strings out of a savepoint or checkpoint, without its job. */
public final class SavedStates {

  /** Where Flink keeps a reader's splits. */
  private static final String SPLITS = "SourceReaderState";

  private final String path;
  private final CheckpointMetadata metadata;
  private final SavepointFacts facts;

  private SavedStates(String path, CheckpointMetadata metadata, SavepointFacts facts) {
    this.path = path;
    this.metadata = metadata;
    this.facts = facts;
  }

  /**
   * Reads what there is; the states themselves are left for later.
   *
   * @param path of its directory, or of its file {@code _metadata}, on any of Flink's file systems
   * @throws SavepointException if there is none, or it can't be read from here
   */
  public static SavedStates open(String path) throws SavepointException {
    FsCompletedCheckpointStorageLocation location = locate(path);
    try (DataInputStream in = new DataInputStream(location.getMetadataHandle().openInputStream())) {
      CheckpointMetadata metadata =
          Checkpoints.loadCheckpointMetadata(
              in, SavedStates.class.getClassLoader(), location.getExternalPointer());
      return new SavedStates(path, metadata, SavepointFacts.of(location, metadata));
    } catch (IOException | RuntimeException | Error e) {
      throw SavepointException.unreadable(path, "The metadata", e);
    }
  }

  private static FsCompletedCheckpointStorageLocation locate(String path)
      throws SavepointException {
    try {
      return AbstractFsCheckpointStorageAccess.resolveCheckpointPointer(path);
    } catch (FileNotFoundException e) {
      throw SavepointException.none(path);
    } catch (IOException | RuntimeException e) {
      throw SavepointException.unreadable(path, "The place", e);
    }
  }

  /** Returns the path that it was opened by. */
  public String path() {
    return path;
  }

  CheckpointMetadata metadata() {
    return metadata;
  }

  public SavepointFacts facts() {
    return facts;
  }

  /** Whether there is any state of that operator, that of a source's coordinator included. */
  public boolean has(String operatorUid) {
    return operator(operatorUid)
        .filter(
            state ->
                state.getCoordinatorState() != null
                    || state.getStates().stream().anyMatch(OperatorSubtaskState::hasState))
        .isPresent();
  }

  /**
   * The strings of one operator state, of all subtasks; none where there is no such state.
   *
   * @throws SavepointException if they can't be read
   */
  public List<byte[]> strings(String operatorUid, String state) throws SavepointException {
    return read(operatorUid, state, ByteStringState::strings);
  }

  /**
   * Returns what {@link #strings} does, of any size, each to be read once.
   *
   * @throws SavepointException if they can't be read
   */
  public List<DataInputStream> streams(String operatorUid, String state) throws SavepointException {
    return read(operatorUid, state, ByteStringState::read);
  }

  /**
   * The splits that a source's readers had, of all subtasks, each as Flink writes it: with a
   * version in front.
   *
   * @throws SavepointException if they can't be read
   */
  public List<byte[]> splits(String sourceUid) throws SavepointException {
    return read(
        sourceUid,
        new ListStateDescriptor<>(SPLITS, BytePrimitiveArraySerializer.INSTANCE),
        splits -> {
          List<byte[]> all = new ArrayList<>();
          splits.get().forEach(all::add);
          return all;
        });
  }

  /**
   * The strings of operator states of some names, by subtask; none of an operator that isn't there.
   *
   * @throws SavepointException if they can't be read
   */
  SortedMap<Integer, SubtaskStrings> subtasks(String operatorUid, Predicate<String> names)
      throws SavepointException {
    SortedMap<Integer, SubtaskStrings> subtasks = new TreeMap<>();
    Map<Integer, OperatorSubtaskState> saved =
        operator(operatorUid).map(OperatorState::getSubtaskStates).orElse(Map.of());
    for (var subtask : saved.entrySet()) {
      int number = subtask.getKey();
      List<OperatorStateHandle> handles = List.copyOf(subtask.getValue().getManagedOperatorState());
      try (OperatorStateBackend backend = restore(handles)) {
        subtasks.put(number, SubtaskStrings.read(backend, number, names));
      } catch (Exception | Error e) {
        throw SavepointException.unreadable(path, "The operator '%s'".formatted(operatorUid), e);
      }
    }
    return subtasks;
  }

  private <T> List<T> read(
      String operatorUid,
      String state,
      FunctionWithException<ListState<Object>, List<T>, Exception> reader)
      throws SavepointException {
    return read(operatorUid, ByteStringState.descriptor(state), reader);
  }

  private <S, T> List<T> read(
      String operatorUid,
      ListStateDescriptor<S> state,
      FunctionWithException<ListState<S>, List<T>, Exception> reader)
      throws SavepointException {
    List<OperatorStateHandle> handles = new ArrayList<>();
    operator(operatorUid)
        .map(OperatorState::getStates)
        .orElse(List.of())
        .forEach(subtask -> subtask.getManagedOperatorState().forEach(handles::add));
    try (OperatorStateBackend backend = restore(handles)) {
      return reader.apply(backend.getListState(state));
    } catch (Exception | Error e) {
      throw unreadable(state.getName(), operatorUid, e);
    }
  }

  /**
   * Hands out the strings of some keyed states, of all subtasks, one at a time.
   *
   * @param keys of the operator
   * @throws SavepointException if they can't be read
   */
  void forEach(
      String operatorUid,
      List<String> states,
      TypeSerializer<? extends Number> keys,
      KeyedEntries.Consumer consumer)
      throws SavepointException {
    eachSubtask(operatorUid, states, entries -> entries.forEach(states, keys, consumer));
  }

  /**
   * Returns the names of an operator's keyed states, in order; none if there is no such operator.
   *
   * @throws SavepointException if they can't be read
   */
  List<String> keyedStates(String operatorUid) throws SavepointException {
    SortedSet<String> names = new TreeSet<>();
    eachSubtask(operatorUid, List.of("*"), entries -> names.addAll(entries.states()));
    return List.copyOf(names);
  }

  /** Does something with what each subtask has. */
  @FunctionalInterface
  private interface EntriesReader {

    void read(KeyedEntries entries) throws IOException;
  }

  private void eachSubtask(String operatorUid, List<String> states, EntriesReader reader)
      throws SavepointException {
    Optional<OperatorState> operator = operator(operatorUid);
    if (operator.isEmpty()) {
      return;
    }
    try {
      for (OperatorSubtaskState subtask : operator.get().getStates()) {
        for (KeyedStateHandle handle : subtask.getManagedKeyedState()) {
          reader.read(KeyedEntries.of(handle, operator.get().getMaxParallelism()));
        }
      }
    } catch (SavepointException e) {
      throw e;
    } catch (IOException | RuntimeException | Error e) {
      throw unreadable(String.join(", ", states), operatorUid, e);
    }
  }

  /** Older metadata has no uids, but ids that are made of them. */
  Optional<OperatorState> operator(String uid) {
    OperatorID id = new OperatorID(StreamGraphHasherV2.generateUserSpecifiedHash(uid));
    return metadata.getOperatorStates().stream()
        .filter(operator -> operator.getOperatorID().equals(id))
        .findFirst();
  }

  private SavepointException unreadable(String state, String operatorUid, Throwable cause) {
    return SavepointException.unreadable(
        path, "The state '%s' of the operator '%s'".formatted(state, operatorUid), cause);
  }

  static OperatorStateBackend restore(List<OperatorStateHandle> handles) throws IOException {
    return new DefaultOperatorStateBackendBuilder(
            SavedStates.class.getClassLoader(),
            new ExecutionConfig(),
            false,
            handles,
            new CloseableRegistry())
        .build();
  }
}
