package dev.millrace.model.io;

import java.util.Locale;

/**
 * Tells whether the heap has room, before memory is taken for what others wrote. A process that
 * runs with {@code -XX:+ExitOnOutOfMemoryError} ends where it is asked for too much, and can refuse
 * nothing any more.
 */
public final class HeapRoom {

  /** A smaller piece is always tried. */
  private static final long SMALL = 1 << 20;

  private HeapRoom() {}

  /** Whether there is room for so many bytes, if need be after a collection of garbage. */
  public static boolean has(long bytes) {
    if (bytes <= SMALL || bytes <= free()) {
      return true;
    }
    // Garbage counts as taken until it is collected.
    System.gc();
    return bytes <= free();
  }

  /**
   * Checks that there is room.
   *
   * @param what takes it, as the beginning of a sentence
   * @throws InvalidModelException if there is none
   */
  public static void require(long bytes, String what) {
    if (!has(bytes)) {
      throw new InvalidModelException(
          String.format(
              Locale.ROOT,
              "%s takes %,d MB of memory, and this process has %,d MB left; give it more (-Xmx), or"
                  + " publish a smaller model",
              what,
              bytes >> 20,
              free() >> 20));
    }
  }

  /**
   * Takes memory for that many values.
   *
   * @param what they are, as the beginning of a sentence
   * @throws InvalidModelException if there is no room for them
   */
  public static float[] floats(long length, String what) {
    if (length > Integer.MAX_VALUE) {
      throw new InvalidModelException(
          "%s would be %s values, and can be at most %s"
              .formatted(what, length, Integer.MAX_VALUE));
    }
    require(length * Float.BYTES, what);
    return new float[(int) length];
  }

  private static long free() {
    Runtime runtime = Runtime.getRuntime();
    return runtime.maxMemory() - (runtime.totalMemory() - runtime.freeMemory());
  }
}
