package dev.millrace.simulate.task;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
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
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
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

  private final Map<String, Items<?>> lists = new TreeMap<>();
  private final Map<String, Entries<?, ?>> broadcasts = new TreeMap<>();
  private final Map<String, List<byte[]>> unopenedLists;
  private final Map<String, List<byte[]>> unopenedBroadcasts;

  ListStates(SavedState restored) {
    unopenedLists = new TreeMap<>(restored.lists());
    unopenedBroadcasts = new TreeMap<>(restored.broadcasts());
  }

  /** What is to be written of one state. */
  private interface Written {
    List<byte[]> write();
  }

  /** What is to be written of all of them, taken now. */
  Later take() {
    Map<String, Written> ofLists = new TreeMap<>();
    Map<String, Written> ofBroadcasts = new TreeMap<>();
    lists.forEach((name, state) -> ofLists.put(name, state.take()));
    broadcasts.forEach((name, state) -> ofBroadcasts.put(name, state.take()));
    unopenedLists.forEach((name, bytes) -> ofLists.put(name, () -> bytes));
    unopenedBroadcasts.forEach((name, bytes) -> ofBroadcasts.put(name, () -> bytes));
    return new Later(ofLists, ofBroadcasts);
  }

  /** The part of a checkpoint that is written while the operator goes on. */
  static final class Later {

    private final Map<String, Written> lists;
    private final Map<String, Written> broadcasts;

    private Later(Map<String, Written> lists, Map<String, Written> broadcasts) {
      this.lists = lists;
      this.broadcasts = broadcasts;
    }

    SavedState write(Map<String, Map<Object, byte[]>> keyed) {
      return new SavedState(all(lists), all(broadcasts), keyed);
    }

    private static Map<String, List<byte[]>> all(Map<String, Written> states) {
      Map<String, List<byte[]>> all = new TreeMap<>();
      states.forEach((name, state) -> all.put(name, state.write()));
      return all;
    }
  }

  @Override
  public <S> ListState<S> getListState(ListStateDescriptor<S> descriptor) {
    descriptor.initializeSerializerUnlessSet(DEFAULTS);
    @SuppressWarnings("unchecked") // Of one name there is one type.
    Items<S> known = (Items<S>) lists.get(descriptor.getName());
    if (known != null) {
      return known;
    }
    Items<S> state = new Items<>(descriptor.getElementSerializer());
    List<byte[]> saved = unopenedLists.remove(descriptor.getName());
    if (saved != null) {
      saved.forEach(bytes -> state.items.add(read(state.serializer, bytes)));
    }
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
    Entries<K, V> known = (Entries<K, V>) broadcasts.get(descriptor.getName());
    if (known != null) {
      return known;
    }
    Entries<K, V> state =
        new Entries<>(descriptor.getKeySerializer(), descriptor.getValueSerializer());
    List<byte[]> saved = unopenedBroadcasts.remove(descriptor.getName());
    if (saved != null) {
      for (int i = 0; i < saved.size(); i += 2) {
        state.put(read(state.keys, saved.get(i)), read(state.values, saved.get(i + 1)));
      }
    }
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

  private static <T> byte[] write(TypeSerializer<T> serializer, T value) {
    try {
      DataOutputSerializer out = new DataOutputSerializer(64);
      serializer.serialize(value, out);
      return out.getCopyOfBuffer();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static <T> T read(TypeSerializer<T> serializer, byte[] bytes) {
    try {
      return serializer.deserialize(new DataInputDeserializer(bytes));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static final class Items<T> implements ListState<T> {

    private final TypeSerializer<T> serializer;
    private List<T> items = new ArrayList<>();

    Items(TypeSerializer<T> serializer) {
      this.serializer = serializer;
    }

    Written take() {
      List<T> taken = new ArrayList<>(items.size());
      items.forEach(item -> taken.add(serializer.copy(item)));
      return () -> taken.stream().map(item -> write(serializer, item)).toList();
    }

    @Override
    public Iterable<T> get() {
      return items;
    }

    @Override
    public void add(T item) {
      items.add(item);
    }

    @Override
    public void update(List<T> all) {
      items = new ArrayList<>(all);
    }

    @Override
    public void addAll(List<T> more) {
      items.addAll(more);
    }

    @Override
    public void clear() {
      items = new ArrayList<>();
    }
  }

  private static final class Entries<K, V> implements BroadcastState<K, V> {

    private final TypeSerializer<K> keys;
    private final TypeSerializer<V> values;
    private final Map<K, V> entries = new TreeMap<>();

    Entries(TypeSerializer<K> keys, TypeSerializer<V> values) {
      this.keys = keys;
      this.values = values;
    }

    Written take() {
      List<Map.Entry<K, V>> taken = new ArrayList<>();
      entries.forEach((key, value) -> taken.add(Map.entry(key, values.copy(value))));
      return () -> {
        List<byte[]> bytes = new ArrayList<>();
        for (Map.Entry<K, V> entry : taken) {
          bytes.add(write(keys, entry.getKey()));
          bytes.add(write(values, entry.getValue()));
        }
        return bytes;
      };
    }

    @Override
    public void put(K key, V value) {
      entries.put(key, value);
    }

    @Override
    public void putAll(Map<K, V> all) {
      entries.putAll(all);
    }

    @Override
    public void remove(K key) {
      entries.remove(key);
    }

    @Override
    public V get(K key) {
      return entries.get(key);
    }

    @Override
    public boolean contains(K key) {
      return entries.containsKey(key);
    }

    @Override
    public java.util.Iterator<Map.Entry<K, V>> iterator() {
      return entries.entrySet().iterator();
    }

    @Override
    public Iterable<Map.Entry<K, V>> entries() {
      return entries.entrySet();
    }

    @Override
    public Iterable<Map.Entry<K, V>> immutableEntries() {
      return entries.entrySet();
    }

    @Override
    public void clear() {
      entries.clear();
    }
  }
}
