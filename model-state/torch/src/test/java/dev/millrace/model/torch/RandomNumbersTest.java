package dev.millrace.model.torch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.model.InitialModel;
import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.Steps;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.bytedeco.pytorch.Generator;
import org.bytedeco.pytorch.JitModule;
import org.junit.jupiter.api.Test;

/** Networks with dropout learn the same bits in any process, and beside any others. */
final class RandomNumbersTest {

  private static final int STEPS = 60;
  private static final int BATCH = 16;

  private final InitialModel model =
      TestReplicas.model(
          TestReplicas.SHAPE, TestReplicas.training(UpdaterKind.ADAM), TestReplicas::withDropout);

  @Test
  void replicasOfTwoThreadsDrawAsEachDoesAlone() throws Exception {
    List<float[]> alone = List.of(trained(1), trained(2), trained(3), trained(4));

    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Callable<float[]>> together =
          List.of(() -> trained(1), () -> trained(2), () -> trained(3), () -> trained(4));
      List<float[]> vectors = new ArrayList<>();
      for (Future<float[]> vector : threads.invokeAll(together)) {
        vectors.add(vector.get());
      }
      assertThat(vectors).usingRecursiveComparison().isEqualTo(alone);
    } finally {
      threads.shutdownNow();
    }
  }

  private float[] trained(long stream) {
    try (ModelReplica replica = TestReplicas.replica(model)) {
      replica.setRandomStream(stream);
      train(replica, 0, STEPS);
      return TestReplicas.vector(replica);
    }
  }

  private static void train(ModelReplica replica, int from, int to) {
    for (int step = from; step < to; step++) {
      TestReplicas.fit(replica, TestReplicas.examples(TestReplicas.SHAPE, BATCH, step));
    }
  }

  /** As after a restart: another replica, with the vector and the steps of the first. */
  @Test
  void drawsTheSameAfterARestartAtAnyStep() {
    float[] whole = trained(7);
    for (int middle = 1; middle < STEPS; middle += 13) {
      try (ModelReplica first = TestReplicas.replica(model);
          ModelReplica second = TestReplicas.replica(model)) {
        first.setRandomStream(7);
        train(first, 0, middle);
        float[] vector = TestReplicas.vector(first);
        second.setRandomStream(7);
        second.write(0, vector, 0, vector.length);
        second.setSteps(first.steps());
        train(second, middle, STEPS);

        assertThat(TestReplicas.vector(second)).as("restart at %d", middle).isEqualTo(whole);
      }
    }
  }

  @Test
  void streamsAndStepsDrawDifferently() {
    Minibatch minibatch = TestReplicas.examples(TestReplicas.SHAPE, BATCH, 1);
    List<List<Float>> drawn = new ArrayList<>();
    for (long stream = 0; stream < 3; stream++) {
      for (long step = 0; step < 3; step++) {
        try (ModelReplica replica = TestReplicas.replica(model)) {
          replica.setRandomStream(stream);
          replica.setSteps(Steps.of(step));
          List<Float> predictions = new ArrayList<>();
          for (float value : TestReplicas.fit(replica, minibatch)) {
            predictions.add(value);
          }
          drawn.add(predictions);
        }
      }
    }
    assertThat(drawn).doesNotHaveDuplicates();
  }

  /** Small minibatches are a part of an iteration each. */
  @Test
  void stepsOfOneIterationDrawDifferently() {
    Minibatch minibatch = TestReplicas.examples(TestReplicas.SHAPE, BATCH, 1);
    try (ModelReplica replica = TestReplicas.replica(model);
        ModelReplica later = TestReplicas.replica(model)) {
      replica.setSteps(new Steps(5, 5));
      later.setSteps(new Steps(5, 6));

      assertThat(TestReplicas.fit(later, minibatch))
          .isNotEqualTo(TestReplicas.fit(replica, minibatch));
    }
  }

  /** The lock is of a class that all jobs of a process share. */
  @Test
  void onlyNetworksThatDrawTakeTheLock() throws Exception {
    assertThat(waits(TestReplicas::withDropout)).isTrue();
    assertThat(waits(TestReplicas::withRandomAttention)).isTrue();
    assertThat(waits(TestReplicas::dense)).isFalse();
    assertThat(waits(TestReplicas::withStatistics)).isFalse();
  }

  private static boolean waits(Supplier<JitModule> module) throws InterruptedException {
    InitialModel made =
        TestReplicas.model(TestReplicas.SHAPE, TestReplicas.training(UpdaterKind.SGD), module);
    CountDownLatch built = new CountDownLatch(1);
    CountDownLatch free = new CountDownLatch(1);
    Thread thread =
        new Thread(
            () -> {
              try (ModelReplica replica = TestReplicas.replica(made)) {
                built.countDown();
                free.await();
                train(replica, 0, 1);
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
    thread.start();
    built.await();
    boolean waits;
    Object lock = Generator.class;
    synchronized (lock) {
      free.countDown();
      while (thread.isAlive() && thread.getState() != Thread.State.BLOCKED) {
        Thread.onSpinWait();
      }
      waits = thread.isAlive();
    }
    thread.join();
    return waits;
  }
}
