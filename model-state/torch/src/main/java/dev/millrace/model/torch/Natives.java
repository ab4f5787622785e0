package dev.millrace.model.torch;

import java.util.ArrayDeque;
import java.util.Deque;
import org.bytedeco.javacpp.Pointer;

/**
 * Native objects that live as long as their owner, and longer than the {@code PointerScope} in
 * which they were made. Not thread-safe.
 */
final class Natives implements AutoCloseable {

  private final Deque<Pointer> kept = new ArrayDeque<>();

  <P extends Pointer> P keep(P pointer) {
    pointer.retainReference();
    kept.push(pointer);
    return pointer;
  }

  /** Frees them, the youngest first. */
  @Override
  public void close() {
    while (!kept.isEmpty()) {
      kept.pop().releaseReference();
    }
  }
}
