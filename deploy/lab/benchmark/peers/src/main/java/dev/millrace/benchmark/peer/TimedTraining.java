package dev.millrace.benchmark.peer;

import java.time.Duration;

/** Measures a {@link Training} on one network. */
record TimedTraining(Training training) implements Peer {

  @Override
  public Learned measure(Workload workload, Duration warmUp, Duration time) {
    Stopwatch stopwatch = new Stopwatch(warmUp, time);
    training.train(workload.newNetwork(), workload.examples().minibatches(), stopwatch);
    return stopwatch.learned();
  }
}
