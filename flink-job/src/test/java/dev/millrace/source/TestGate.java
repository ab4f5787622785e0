package dev.millrace.source;

/** The calling thread's gate as the reader of a gated source finds it. */
public final class TestGate {

  private TestGate() {}

  /**
   * Whether the source may emit.
   *
   * @throws IllegalStateException if no gate is installed
   */
  public static boolean isOpen() {
    return TaskLink.ofThisTask().gate().isOpen();
  }
}
