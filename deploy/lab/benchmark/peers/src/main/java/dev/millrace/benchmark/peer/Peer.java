package dev.millrace.benchmark.peer;

import java.time.Duration;

/** Something that learns, measured. */
public interface Peer {

  /**
   * Learns for the time of the warm-up, then for the time that is measured, and ends what it
   * started. One call a process: some of DL4J's parallel training does not run twice.
   *
   * @param time at least; a minibatch that has begun is finished
   */
  Learned measure(Workload workload, Duration warmUp, Duration time) throws InterruptedException;
}
