package dev.millrace.simulate.task;

import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.typeutils.TypeSerializer;

/** One list state. */
final class ListItems<T> implements ListState<T> {

  private final TypeSerializer<T> serializer;
  private List<T> items = new ArrayList<>();

  /** Restores it. */
  ListItems(TypeSerializer<T> serializer, List<byte[]> saved) {
    this.serializer = serializer;
    saved.forEach(bytes -> items.add(StateBytes.read(serializer, bytes)));
  }

  StateBytes.Written take() {
    List<T> taken = new ArrayList<>(items.size());
    items.forEach(item -> taken.add(serializer.copy(item)));
    return () -> taken.stream().map(item -> StateBytes.write(serializer, item)).toList();
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
