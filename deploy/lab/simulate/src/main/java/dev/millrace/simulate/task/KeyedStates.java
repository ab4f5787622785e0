package dev.millrace.simulate.task;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.RunnableFuture;
import java.util.stream.Stream;
import org.apache.flink.api.common.state.State;
import org.apache.flink.api.common.state.StateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.IntSerializer;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.runtime.checkpoint.CheckpointOptions;
import org.apache.flink.runtime.state.CheckpointStreamFactory;
import org.apache.flink.runtime.state.CheckpointableKeyedStateBackend;
import org.apache.flink.runtime.state.DoneFuture;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyGroupedInternalPriorityQueue;
import org.apache.flink.runtime.state.Keyed;
import org.apache.flink.runtime.state.KeyedStateFunction;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.PriorityComparable;
import org.apache.flink.runtime.state.SavepointResources;
import org.apache.flink.runtime.state.SnapshotResult;
import org.apache.flink.runtime.state.StateSnapshotTransformer.StateSnapshotTransformFactory;
import org.apache.flink.runtime.state.heap.HeapPriorityQueueElement;

/** Keyed state of byte strings, which is all that the exchange has. */
final class KeyedStates implements CheckpointableKeyedStateBackend<Object> {

  private final Map<String, Map<Object, byte[]>> states = new TreeMap<>();
  private Object key;

  KeyedStates(SavedState restored) {
    restored.keyed().forEach((name, values) -> states.put(name, new TreeMap<>(values)));
  }

  Map<String, Map<Object, byte[]>> take() {
    Map<String, Map<Object, byte[]>> taken = new TreeMap<>();
    states.forEach((name, values) -> taken.put(name, new TreeMap<>(values)));
    return taken;
  }

  @Override
  public void setCurrentKey(Object current) {
    key = current;
  }

  @Override
  public Object getCurrentKey() {
    return key;
  }

  @Override
  public void setCurrentKeyAndKeyGroup(Object current, int group) {
    key = current;
  }

  @Override
  @SuppressWarnings({"unchecked", "rawtypes"}) // Keys are of any type.
  public TypeSerializer<Object> getKeySerializer() {
    return (TypeSerializer) IntSerializer.INSTANCE;
  }

  @Override
  @SuppressWarnings("unchecked") // The exchange asks for values of bytes.
  public <N, S extends State> S getPartitionedState(
      N space, TypeSerializer<N> spaces, StateDescriptor<S, ?> descriptor) {
    Map<Object, byte[]> values =
        states.computeIfAbsent(descriptor.getName(), any -> new TreeMap<>());
    return (S) new Bytes(values);
  }

  private final class Bytes implements ValueState<byte[]> {

    private final Map<Object, byte[]> values;

    Bytes(Map<Object, byte[]> values) {
      this.values = values;
    }

    @Override
    public byte[] value() {
      return values.get(key);
    }

    @Override
    public void update(byte[] value) {
      values.put(key, value);
    }

    @Override
    public void clear() {
      values.remove(key);
    }
  }

  @Override
  public KeyGroupRange getKeyGroupRange() {
    return KeyGroupRange.EMPTY_KEY_GROUP_RANGE;
  }

  @Override
  public RunnableFuture<SnapshotResult<KeyedStateHandle>> snapshot(
      long checkpoint, long time, CheckpointStreamFactory streams, CheckpointOptions options) {
    return DoneFuture.of(SnapshotResult.empty());
  }

  @Override
  public void dispose() {
    // It is garbage.
  }

  @Override
  public void close() {
    // Nothing is open.
  }

  @Override
  public String getBackendTypeIdentifier() {
    return "simulated";
  }

  @Override
  public SavepointResources<Object> savepoint() {
    throw unused();
  }

  @Override
  public <N, S extends State, T> void applyToAllKeys(
      N space,
      TypeSerializer<N> spaces,
      StateDescriptor<S, T> descriptor,
      KeyedStateFunction<Object, S> function) {
    throw unused();
  }

  @Override
  public <N> Stream<Object> getKeys(String state, N space) {
    throw unused();
  }

  @Override
  public <N> Stream<Object> getKeys(List<String> names, N space) {
    throw unused();
  }

  @Override
  public <N> Stream<Tuple2<Object, N>> getKeysAndNamespaces(String state) {
    throw unused();
  }

  @Override
  public <N, S extends State, T> S getOrCreateKeyedState(
      TypeSerializer<N> spaces, StateDescriptor<S, T> descriptor) {
    throw unused();
  }

  @Override
  public void registerKeySelectionListener(KeySelectionListener<Object> listener) {
    throw unused();
  }

  @Override
  public boolean deregisterKeySelectionListener(KeySelectionListener<Object> listener) {
    throw unused();
  }

  @Override
  @SuppressWarnings("TypeParameterUnusedInFormals") // Flink's signature.
  public <N, V, E, S extends State, I extends S> I createOrUpdateInternalState(
      TypeSerializer<N> spaces,
      StateDescriptor<S, V> descriptor,
      StateSnapshotTransformFactory<E> transforms) {
    throw unused();
  }

  @Override
  public <T extends HeapPriorityQueueElement & PriorityComparable<? super T> & Keyed<?>>
      KeyGroupedInternalPriorityQueue<T> create(String name, TypeSerializer<T> elements) {
    throw unused();
  }

  private static UnsupportedOperationException unused() {
    return new UnsupportedOperationException("No simulated operator needs this");
  }
}
