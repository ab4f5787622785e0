package dev.millrace.benchmark.figure;

import dev.millrace.benchmark.workload.Workload;

/** One of those who learn the same workload. */
interface Contender {

  /** Returns its name as tables have it. */
  String title();

  /**
   * Learns, and tells how many examples a second it learned from once it was warm.
   *
   * @throws dev.millrace.benchmark.stack.BenchmarkFailure if it fails
   */
  double examplesPerSecond(Workload workload);
}
