package dev.millrace.benchmark.stack;

/** A measurement that gave no figure; its message is for the person who asked for it. */
public final class BenchmarkFailure extends RuntimeException {

  public BenchmarkFailure(String message) {
    super(message);
  }
}
