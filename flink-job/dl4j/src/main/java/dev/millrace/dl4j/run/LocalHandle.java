package dev.millrace.dl4j.run;

import java.io.Serializable;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * An object of this process, for tasks that run in it: only a name travels with the job.
 *
 * @param <T> what it is
 */
public final class LocalHandle<T> implements Serializable, AutoCloseable {

  private static final Map<String, Object> OBJECTS = new ConcurrentHashMap<>();

  private final String name = UUID.randomUUID().toString();

  private LocalHandle() {}

  /** Makes an object known, until the handle is closed. */
  public static <T> LocalHandle<T> of(T object) {
    LocalHandle<T> handle = new LocalHandle<>();
    OBJECTS.put(handle.name, object);
    return handle;
  }

  /**
   * Returns the object.
   *
   * @throws IllegalStateException if it is in another process, or training has ended
   */
  @SuppressWarnings("unchecked") // The name is its own.
  public T get() {
    Object object = OBJECTS.get(name);
    if (object == null) {
      throw new IllegalStateException(
          "What this task works with is in the program's process, and the task isn't, or training"
              + " has ended");
    }
    return (T) object;
  }

  @Override
  public void close() {
    OBJECTS.remove(name);
  }
}
