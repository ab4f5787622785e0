package dev.millrace.snapshot;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/** A store that notes what is put and deleted. */
final class RecordingStore implements SnapshotStore {

  private final SnapshotStore real;
  private final List<String> order;

  RecordingStore(SnapshotStore real, List<String> order) {
    this.real = real;
    this.order = order;
  }

  @Override
  public void put(String name, Content content) throws IOException {
    order.add("put " + name);
    real.put(name, content);
  }

  @Override
  public InputStream read(String name) throws IOException {
    return real.read(name);
  }

  @Override
  public List<String> names() throws IOException {
    return real.names();
  }

  @Override
  public void delete(String name) throws IOException {
    order.add("delete " + name);
    real.delete(name);
  }

  @Override
  public String locate(String name) {
    return real.locate(name);
  }

  @Override
  public void clean() throws IOException {
    real.clean();
  }
}
