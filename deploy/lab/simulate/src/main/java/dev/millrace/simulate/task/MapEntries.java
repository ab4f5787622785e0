package dev.millrace.simulate.task;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.api.common.state.BroadcastState;
import org.apache.flink.api.common.typeutils.TypeSerializer;

/** One broadcast state, in the order of its keys. */
final class MapEntries<K, V> implements BroadcastState<K, V> {

  private final TypeSerializer<K> keys;
  private final TypeSerializer<V> values;
  private final Map<K, V> entries = new TreeMap<>();

  /** Restores it. */
  MapEntries(TypeSerializer<K> keys, TypeSerializer<V> values, List<byte[]> saved) {
    this.keys = keys;
    this.values = values;
    for (int i = 0; i < saved.size(); i += 2) {
      put(StateBytes.read(keys, saved.get(i)), StateBytes.read(values, saved.get(i + 1)));
    }
  }

  StateBytes.Written take() {
    List<Map.Entry<K, V>> taken = new ArrayList<>();
    entries.forEach((key, value) -> taken.add(Map.entry(key, values.copy(value))));
    return () -> {
      List<byte[]> bytes = new ArrayList<>();
      for (Map.Entry<K, V> entry : taken) {
        bytes.add(StateBytes.write(keys, entry.getKey()));
        bytes.add(StateBytes.write(values, entry.getValue()));
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
  public Iterator<Map.Entry<K, V>> iterator() {
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
