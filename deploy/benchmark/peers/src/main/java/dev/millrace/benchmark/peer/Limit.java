package dev.millrace.benchmark.peer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.nd4j.linalg.dataset.DataSet;

/**
 * Two threads with a network each that never exchange anything: what two workers could do if
 * exchange cost nothing. Both start what is measured at once, and the time is the slower one's.
 */
final class Limit implements Peer {

  private static final int THREADS = 2;

  /** Their warm-ups take the same time; a thread that never comes has failed. */
  private static final Duration OTHER_IS_LATE = Duration.ofMinutes(1);

  @Override
  public Learned measure(Workload workload, Duration warmUp, Duration time)
      throws InterruptedException {
    CyclicBarrier start = new CyclicBarrier(THREADS);
    List<Callable<Learned>> trainings = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      trainings.add(() -> train(workload, warmUp, time, start));
    }
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      return together(threads.invokeAll(trainings));
    } catch (ExecutionException e) {
      throw new IllegalStateException("A thread did not learn", e.getCause());
    } finally {
      threads.shutdownNow();
    }
  }

  private static Learned train(
      Workload workload, Duration warmUp, Duration time, CyclicBarrier start)
      throws InterruptedException, BrokenBarrierException, TimeoutException {
    MultiLayerNetwork network = workload.newNetwork();
    List<DataSet> minibatches = workload.examples().minibatches();
    new PlainFit().train(network, minibatches, new Stopwatch(Duration.ZERO, warmUp));
    start.await(OTHER_IS_LATE.toSeconds(), TimeUnit.SECONDS);
    Stopwatch stopwatch = new Stopwatch(Duration.ZERO, time);
    new PlainFit().train(network, minibatches, stopwatch);
    return stopwatch.learned();
  }

  private static Learned together(List<Future<Learned>> threads)
      throws ExecutionException, InterruptedException {
    Learned sum = new Learned(0, Duration.ZERO);
    for (Future<Learned> thread : threads) {
      Learned one = thread.get();
      Duration longer = one.time().compareTo(sum.time()) > 0 ? one.time() : sum.time();
      sum = new Learned(sum.examples() + one.examples(), longer);
    }
    return sum;
  }
}
