package dev.millrace.dl4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.millrace.snapshot.LatestSnapshot;
import dev.millrace.snapshot.PartitionProgress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.deeplearning4j.datasets.iterator.IteratorDataSetIterator;
import org.deeplearning4j.datasets.iterator.utilty.ListDataSetIterator;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.optimize.api.BaseTrainingListener;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.dataset.api.iterator.DataSetIterator;

/** What programs have met with DL4J's wrapper doesn't happen here. */
@Timeout(180)
class ComplaintsIT {

  @TempDir Path directory;

  private final MultiLayerNetwork network = Examples.network();
  private TrainingContext context;

  @AfterEach
  void close() {
    if (context != null) {
      context.close();
    }
  }

  private ParallelWrapper.Builder<MultiLayerNetwork> wrapper(int workers) {
    context = TrainingContext.embedded().directory(directory.toString());
    return new ParallelWrapper.Builder<>(network)
        .workers(workers)
        .prefetchBuffer(4)
        .context(context);
  }

  /** Returns how many examples the last model has learned, by epoch; none may be missing. */
  private Map<String, Long> learned() throws IOException {
    Map<String, Long> learned = new TreeMap<>();
    for (PartitionProgress progress : ledger()) {
      learned.merge(progress.topic(), progress.learned().count(), Long::sum);
    }
    return learned;
  }

  private List<PartitionProgress> ledger() throws IOException {
    try (Stream<Path> runs = Files.list(directory)) {
      Path newest =
          runs.max(
                  (one, other) ->
                      one.toFile().lastModified() < other.toFile().lastModified() ? -1 : 1)
              .orElseThrow();
      return LatestSnapshot.find(newest.resolve("models")).orElseThrow().description().ledger();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"AVERAGING", "SHARED_GRADIENTS"})
  void aSecondFitDoesntHang(ParallelWrapper.TrainingMode mode) throws Exception {
    ParallelWrapper wrapper = wrapper(2).trainingMode(mode).build();

    wrapper.fit(Examples.iterator(1, 60, 32), 3);
    wrapper.fit(Examples.iterator(2, 60, 32), 3);

    assertThat(learned())
        .containsExactlyEntriesOf(
            new TreeMap<>(Map.of("epoch-1", 1920L, "epoch-2", 1920L, "epoch-3", 1920L)));
    assertThat(Examples.accuracy(network)).isGreaterThan(0.8);
  }

  /** Two of them wait for nothing that never comes, in any epoch. */
  @Test
  void thereMayBeMoreWorkersThanMinibatches() throws Exception {
    wrapper(3).build().fit(Examples.iterator(1, 2, 16), 10);

    assertThat(learned()).hasSize(10).allSatisfy((epoch, count) -> assertThat(count).isEqualTo(32));
  }

  /** Over epochs one worker would have many minibatches more than the other. */
  @Test
  void minibatchesNeedntDivideByWorkers() throws Exception {
    wrapper(2).prefetchBuffer(1).build().fit(Examples.iterator(1, 5, 16), 20);

    assertThat(learned()).hasSize(20).allSatisfy((epoch, count) -> assertThat(count).isEqualTo(80));
  }

  @Test
  void theLastMinibatchMayBeShort() throws Exception {
    List<DataSet> minibatches = Examples.minibatches(1, 5, 32);
    minibatches.add(Examples.minibatch(new Random(3), 7));

    wrapper(2).averagingFrequency(2).build().fit(new ListDataSetIterator<>(minibatches, 1), 2);

    assertThat(learned())
        .containsExactlyEntriesOf(new TreeMap<>(Map.of("epoch-1", 167L, "epoch-2", 167L)));
  }

  @Test
  void anEmptyIteratorTeachesNothing() {
    INDArray before = network.params().dup();

    wrapper(2).build().fit(new ListDataSetIterator<>(List.of(), 1));

    assertThat(network.params()).isEqualTo(before);
  }

  @Test
  void oneWorkerIsEnough() throws Exception {
    wrapper(1).build().fit(Examples.iterator(1, 40, 32), 2);

    assertThat(learned())
        .containsExactlyEntriesOf(new TreeMap<>(Map.of("epoch-1", 1280L, "epoch-2", 1280L)));
    assertThat(network.getIterationCount()).isEqualTo(80);
  }

  @Test
  void aFailureThatRepeatsIsThrown() {
    INDArray before = network.params().dup();
    ParallelWrapper wrapper = wrapper(2).build();
    FaultyIterator faulty = new FaultyIterator(Examples.iterator(1, 20, 32), 10);

    assertThatThrownBy(() -> wrapper.fit(faulty))
        .isInstanceOf(TrainingFailedException.class)
        .hasMessageContaining("on purpose")
        .cause()
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("The iterator fails on purpose");
    assertThat(network.params()).isEqualTo(before);

    wrapper.fit(Examples.iterator(1, 20, 32));
    assertThat(network.params()).isNotEqualTo(before);
  }

  /** Listeners are told once of each round, too, and parameters are put back where it ends so. */
  @Test
  void aFailureOfOneMomentIsOvercome() throws Exception {
    int[] told = {0};
    network.setListeners(
        new BaseTrainingListener() {
          @Override
          public void iterationDone(Model model, int iteration, int epoch) {
            assertThat(iteration).isEqualTo(told[0]++);
          }
        });

    wrapper(2).build().fit(new FaultyIterator(Examples.iterator(1, 41, 32), 30, 1));

    assertThat(learned()).containsExactlyEntriesOf(Map.of("epoch-1", 41 * 32L));
    assertThat(told[0]).isEqualTo(21);
  }

  @Test
  void aNetworkThatListenersLookedAtIsPutBackAfterAFailure() {
    INDArray before = network.params().dup();
    int[] changed = {0};
    network.setListeners(
        new BaseTrainingListener() {
          @Override
          public void iterationDone(Model model, int iteration, int epoch) {
            changed[0] += model.params().equals(before) ? 0 : 1;
          }
        });

    Throwable failure =
        catchThrowable(
            () -> wrapper(2).build().fit(new FaultyIterator(Examples.iterator(1, 900, 32), 800)));

    assertThat(failure).isInstanceOf(TrainingFailedException.class);
    assertThat(changed[0]).isPositive();
    assertThat(network.params()).isEqualTo(before);
    assertThat(network.getIterationCount()).isZero();
  }

  @Test
  void anIteratorThatCanNotBeginAgainWorksOnce() throws Exception {
    ParallelWrapper wrapper = wrapper(2).build();
    DataSetIterator once = once(1, 20);

    wrapper.fit(once);

    assertThat(learned()).containsExactlyEntriesOf(Map.of("epoch-1", 640L));
    assertThatThrownBy(() -> wrapper.fit(once(1, 20), 2))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("resetSupported is false");
    assertThatThrownBy(() -> wrapper.fit(new FaultyIterator(once(1, 20), 10, 1)))
        .isInstanceOf(TrainingFailedException.class)
        .hasMessageContaining("on purpose")
        .hasMessageContaining("resetSupported is false");
  }

  private static DataSetIterator once(long seed, int count) {
    return new IteratorDataSetIterator(Examples.minibatches(seed, count, 32).iterator(), 32);
  }

  @Test
  void fitWorksAfterAShutdown() {
    try (ParallelWrapper wrapper = new ParallelWrapper.Builder<>(network).workers(2).build()) {
      wrapper.fit(Examples.iterator(1, 60, 32));
      wrapper.shutdown();
      wrapper.fit(Examples.iterator(1, 60, 32));
    }

    assertThat(network.getIterationCount()).isEqualTo(60);
  }

  @Test
  void fitEndsWhenItsThreadIsInterrupted() throws Exception {
    INDArray before = network.params().dup();
    ParallelWrapper wrapper = wrapper(2).build();
    CountDownLatch begun = new CountDownLatch(1);
    Thread program = Thread.currentThread();
    network.setListeners(
        new BaseTrainingListener() {
          @Override
          public void iterationDone(Model model, int iteration, int epoch) {
            begun.countDown();
          }
        });
    Thread interrupter =
        new Thread(
            () -> {
              try {
                begun.await();
                program.interrupt();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    interrupter.start();

    Throwable failure = catchThrowable(() -> wrapper.fit(Examples.iterator(1, 4_000, 32)));
    boolean kept = Thread.interrupted();

    assertThat(failure)
        .isInstanceOf(TrainingFailedException.class)
        .hasMessageContaining("interrupted");
    assertThat(kept).isTrue();
    assertThat(network.params()).isEqualTo(before);
    wrapper.fit(Examples.iterator(1, 20, 32));
    assertThat(network.params()).isNotEqualTo(before);
  }

  @Test
  void fitEndsWhenItIsStopped() throws Exception {
    ParallelWrapper wrapper = wrapper(2).build();
    network.setListeners(
        new BaseTrainingListener() {
          @Override
          public void iterationDone(Model model, int iteration, int epoch) {
            if (iteration == 20) {
              wrapper.stopFit();
            }
          }
        });

    wrapper.fit(Examples.iterator(1, 4_000, 32), 5);

    assertThat(learned().get("epoch-1")).isBetween(20 * 64L, 3_900 * 32L);
    assertThat(network.getEpochCount()).isZero();
    assertThat(network.getIterationCount()).isPositive();
  }
}
