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
import java.util.function.Function;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.nd4j.linalg.dataset.DataSet;

/**
 * Threads with a network each that never exchange anything: what as many workers could do if
 * exchange cost nothing. All start what is measured at once, and the time is the slowest one's.
 */
public final class Limit implements Peer {

  private static final int THREADS = 2;

  /** Their warm-ups take the same time; a thread that never comes has failed. */
  private static final Duration OTHER_IS_LATE = Duration.ofMinutes(1);

  private final int threads;
  private final Function<Workload, Learner> learners;

  /**
   * Measures any kind of network.
   *
   * @param learners makes the network of a thread, on this thread
   */
  public Limit(int threads, Function<Workload, Learner> learners) {
    this.threads = threads;
    this.learners = learners;
  }

  /** Two threads with DL4J's networks. */
  static Limit dl4j() {
    return new Limit(
        THREADS,
        workload -> {
          MultiLayerNetwork network = workload.newNetwork();
          List<DataSet> minibatches = workload.examples().minibatches();
          return rounds -> new PlainFit().train(network, minibatches, rounds);
        });
  }

  /** Threads with libtorch's modules. */
  static Limit torch(int threads) {
    return new Limit(
        threads,
        workload ->
            new TorchLearner(
                workload
                    .torch()
                    .orElseThrow(
                        () -> new IllegalArgumentException("The workload has no torch.json")),
                workload.examples()));
  }

  @Override
  public Learned measure(Workload workload, Duration warmUp, Duration time)
      throws InterruptedException {
    CyclicBarrier start = new CyclicBarrier(threads);
    List<Callable<Learned>> trainings = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      trainings.add(() -> train(workload, warmUp, time, start));
    }
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      return together(pool.invokeAll(trainings));
    } catch (ExecutionException e) {
      throw new IllegalStateException("A thread did not learn", e.getCause());
    } finally {
      pool.shutdownNow();
    }
  }

  private Learned train(Workload workload, Duration warmUp, Duration time, CyclicBarrier start)
      throws InterruptedException, BrokenBarrierException, TimeoutException {
    try (Learner learner = learners.apply(workload)) {
      learner.learn(new Stopwatch(Duration.ZERO, warmUp));
      start.await(OTHER_IS_LATE.toSeconds(), TimeUnit.SECONDS);
      Stopwatch stopwatch = new Stopwatch(Duration.ZERO, time);
      learner.learn(stopwatch);
      return stopwatch.learned();
    }
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
