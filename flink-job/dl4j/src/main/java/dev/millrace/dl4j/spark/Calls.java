package dev.millrace.dl4j.spark;

import java.util.concurrent.Callable;

/** Calls functions of programs. */
final class Calls {

  private Calls() {}

  /**
   * @throws IllegalStateException if the function throws a checked exception, with it as the cause
   */
  static <T> T call(Callable<T> function) {
    try {
      return function.call();
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException("A function of the program failed: " + e, e);
    }
  }
}
