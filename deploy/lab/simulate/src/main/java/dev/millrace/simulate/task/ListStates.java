package dev.millrace.simulate.task;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.RunnableFuture;
import org.apache.flink.api.common.ExecutionConfig;
import org.apache.flink.api.common.state.BroadcastState;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.runtime.checkpoint.CheckpointOptions;
import org.apache.flink.runtime.state.CheckpointStreamFactory;
import org.apache.flink.runtime.state.DoneFuture;
import org.apache.flink.runtime.state.OperatorStateBackend;
import org.apache.flink.runtime.state.OperatorStateHandle;
import org.apache.flink.runtime.state.SnapshotResult;

/**
 * The operator state of one operator, as Flink's heap has it: a checkpoint takes what it is at the
 * barrier, and writes it later.
 */
final class ListStates implements OperatorStateBackend {

  private static final ExecutionConfig DEFAULTS = new ExecutionConfig();

  private final Map<String, ListItems<?>> lists = new TreeMap<>();
  private final Map<String, MapEntries<?, ?>> broadcasts = new TreeMap<>();
  private final Map<String, List<byte[]>> unopenedLists;
  private final Map<String, List<byte[]>> unopenedBroadcasts;

  ListStates(SavedState restored) {
    unopenedLists = new TreeMap<>(restored.lists());
    unopenedBroadcasts = new TreeMap<>(restored.broadcasts());
  }

  /** Returns what is to be written of all of them, taken now. */
  Later take() {
    Map<String, StateBytes.Written> ofLists = new TreeMap<>();
    Map<String, StateBytes.Written> ofBroadcasts = new TreeMap<>();
    lists.forEach((name, state) -> ofLists.put(name, state.take()));
    broadcasts.forEach((name, state) -> ofBroadcasts.put(name, state.take()));
    unopenedLists.forEach((name, bytes) -> ofLists.put(name, () -> bytes));
    unopenedBroadcasts.forEach((name, bytes) -> ofBroadcasts.put(name, () -> bytes));
    return new Later(ofLists, ofBroadcasts);
  }

  /** The part of a checkpoint that is written while the operator goes on. */
  static final class Later {

    private final Map<String, StateBytes.Written> lists;
    private final Map<String, StateBytes.Written> broadcasts;

    private Later(
        Map<String, StateBytes.Written> lists, Map<String, StateBytes.Written> broadcasts) {
      this.lists = lists;
      this.broadcasts = broadcasts;
    }

    SavedState write(Map<String, Map<Object, byte[]>> keyed) {
      return new SavedState(all(lists), all(broadcasts), keyed);
    }

    private static Map<String, List<byte[]>> all(Map<String, StateBytes.Written> states) {
      Map<String, List<byte[]>> all = new TreeMap<>();
      states.forEach((name, state) -> all.put(name, state.write()));
      return all;
    }
  }

  @Override
  public <S> ListState<S> getListState(ListStateDescriptor<S> descriptor) {
    descriptor.initializeSerializerUnlessSet(DEFAULTS);
    @SuppressWarnings("unchecked") // Of one name there is one type.
    ListItems<S> known = (ListItems<S>) lists.get(descriptor.getName());
    if (known != null) {
      return known;
    }
    List<byte[]> saved = unopenedLists.remove(descriptor.getName());
    ListItems<S> state =
        new ListItems<>(descriptor.getElementSerializer(), saved == null ? List.of() : saved);
    lists.put(descriptor.getName(), state);
    return state;
  }

  @Override
  public <S> ListState<S> getUnionListState(ListStateDescriptor<S> descriptor) {
    throw new UnsupportedOperationException(
        "%s is a union list: no checkpoint completes once a subtask has ended"
            .formatted(descriptor.getName()));
  }

  @Override
  public <K, V> BroadcastState<K, V> getBroadcastState(MapStateDescriptor<K, V> descriptor) {
    descriptor.initializeSerializerUnlessSet(DEFAULTS);
    @SuppressWarnings("unchecked") // Of one name there is one type.
    MapEntries<K, V> known = (MapEntries<K, V>) broadcasts.get(descriptor.getName());
    if (known != null) {
      return known;
    }
    List<byte[]> saved = unopenedBroadcasts.remove(descriptor.getName());
    MapEntries<K, V> state =
        new MapEntries<>(
            descriptor.getKeySerializer(),
            descriptor.getValueSerializer(),
            saved == null ? List.of() : saved);
    broadcasts.put(descriptor.getName(), state);
    return state;
  }

  @Override
  public Set<String> getRegisteredStateNames() {
    Set<String> names = new TreeSet<>(lists.keySet());
    names.addAll(unopenedLists.keySet());
    return names;
  }

  @Override
  public Set<String> getRegisteredBroadcastStateNames() {
    Set<String> names = new TreeSet<>(broadcasts.keySet());
    names.addAll(unopenedBroadcasts.keySet());
    return names;
  }

  @Override
  public <K, V> BroadcastState<K, V> getBroadcastState(
      org.apache.flink.api.common.state.v2.MapStateDescriptor<K, V> descriptor) {
    throw new UnsupportedOperationException(descriptor.toString());
  }

  @Override
  public <S> org.apache.flink.api.common.state.v2.ListState<S> getListState(
      org.apache.flink.api.common.state.v2.ListStateDescriptor<S> descriptor) {
    throw new UnsupportedOperationException(descriptor.toString());
  }

  @Override
  public <S> org.apache.flink.api.common.state.v2.ListState<S> getUnionListState(
      org.apache.flink.api.common.state.v2.ListStateDescriptor<S> descriptor) {
    throw new UnsupportedOperationException(descriptor.toString());
  }

  @Override
  public RunnableFuture<SnapshotResult<OperatorStateHandle>> snapshot(
      long checkpoint, long time, CheckpointStreamFactory streams, CheckpointOptions options) {
    return DoneFuture.of(SnapshotResult.empty());
  }

  @Override
  public void dispose() {
    lists.clear();
    broadcasts.clear();
  }

  @Override
  public void close() {
    // Nothing is open.
  }
}
