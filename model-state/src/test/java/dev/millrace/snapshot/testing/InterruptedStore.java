package dev.millrace.snapshot.testing;

import dev.millrace.snapshot.SnapshotStore;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/** A store in which something else happens right before one of the steps that are taken on it. */
public final class InterruptedStore implements SnapshotStore {

  public interface Event {
    void happen() throws IOException;
  }

  private final SnapshotStore real;
  private final Event event;
  private int stepsLeft;

  /**
   * @param step before which the event happens, counted from 0
   */
  public InterruptedStore(SnapshotStore real, int step, Event event) {
    this.real = real;
    this.stepsLeft = step;
    this.event = event;
  }

  /** Whether fewer steps were taken. */
  public boolean isPending() {
    return stepsLeft >= 0;
  }

  private void step() throws IOException {
    if (stepsLeft-- == 0) {
      event.happen();
    }
  }

  @Override
  public void put(String name, Content content) throws IOException {
    step();
    real.put(name, content);
  }

  @Override
  public InputStream read(String name) throws IOException {
    step();
    return real.read(name);
  }

  @Override
  public List<String> names() throws IOException {
    step();
    return real.names();
  }

  @Override
  public void delete(String name) throws IOException {
    step();
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
