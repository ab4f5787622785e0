package dev.millrace.dl4j;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.deeplearning4j.core.storage.Persistable;
import org.deeplearning4j.core.storage.StatsStorageRouter;
import org.deeplearning4j.core.storage.StorageMetaData;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.optimize.api.BaseTrainingListener;
import org.deeplearning4j.optimize.api.InvocationType;
import org.deeplearning4j.optimize.listeners.CheckpointListener;
import org.deeplearning4j.optimize.listeners.CollectScoresListener;
import org.deeplearning4j.optimize.listeners.EvaluativeListener;
import org.deeplearning4j.optimize.listeners.PerformanceListener;
import org.deeplearning4j.optimize.listeners.ScoreIterationListener;
import org.deeplearning4j.optimize.listeners.TimeIterationListener;
import org.deeplearning4j.ui.model.stats.StatsListener;
import org.deeplearning4j.ui.model.stats.api.StatsReport;
import org.deeplearning4j.ui.model.stats.api.StatsType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.nd4j.linalg.api.ndarray.INDArray;

/** What listeners are told of. */
class ListenersIT {

  @TempDir Path directory;

  private final MultiLayerNetwork network = Examples.network();

  /** Keeps what it is told. */
  private static class Notes extends BaseTrainingListener {

    final List<String> told = new ArrayList<>();
    final List<Integer> iterations = new ArrayList<>();
    final List<INDArray> parameters = new ArrayList<>();
    Thread thread;

    @Override
    public void iterationDone(Model model, int iteration, int epoch) {
      thread = Thread.currentThread();
      iterations.add(iteration);
      parameters.add(model.params().dup());
    }

    @Override
    public void onEpochStart(Model model) {
      told.add("start " + ((MultiLayerNetwork) model).getEpochCount());
    }

    @Override
    public void onEpochEnd(Model model) {
      told.add("end " + ((MultiLayerNetwork) model).getEpochCount());
      parameters.add(model.params().dup());
    }
  }

  /** Thirty minibatches of two workers are fifteen rounds. */
  @Test
  void listenersAreToldOfRoundsAndEpochs() {
    Notes own = new Notes();
    Notes notes = new Notes();
    network.setListeners(own);
    try (ParallelWrapper wrapper = new ParallelWrapper.Builder<>(network).workers(2).build()) {
      wrapper.setListeners(notes, own);
      wrapper.fit(Examples.iterator(1, 30, 16), 2);
      wrapper.fit(Examples.iterator(1, 30, 16));
    }

    assertThat(notes.told)
        .containsExactly("start 0", "end 0", "start 1", "end 1", "start 2", "end 2");
    assertThat(own.told).isEqualTo(notes.told);
    assertThat(notes.iterations).containsExactlyElementsOf(IntStream.range(0, 45).boxed().toList());
    assertThat(own.iterations).isEqualTo(notes.iterations);
    assertThat(notes.thread).isSameAs(Thread.currentThread());
    assertThat(network.getEpochCount()).isEqualTo(3);
    int last = notes.parameters.size() - 1;
    assertThat(notes.parameters.get(last)).isEqualTo(network.params());
  }

  @Test
  void listenersSeeModelsThatArePublishedMeanwhile() {
    Notes notes = new Notes();
    network.setListeners(notes);
    try (ParallelWrapper wrapper = new ParallelWrapper.Builder<>(network).workers(2).build()) {
      wrapper.fit(Examples.iterator(1, 600, 16));
    }

    assertThat(notes.iterations).hasSize(300);
    assertThat(network.getIterationCount()).isEqualTo(300);
    assertThat(notes.parameters.stream().distinct().count()).isGreaterThan(3);
  }

  @Test
  void epochsAreCountedWithoutListeners() {
    try (ParallelWrapper wrapper = new ParallelWrapper.Builder<>(network).workers(2).build()) {
      wrapper.fit(Examples.iterator(1, 30, 16), 3);
    }

    assertThat(network.getEpochCount()).isEqualTo(3);
    assertThat(network.getIterationCount()).isEqualTo(45);
  }

  @Test
  void listenersOfDl4jWork() throws Exception {
    CollectScoresListener scores = new CollectScoresListener(1);
    List<Double> accuracies = new ArrayList<>();
    EvaluativeListener evaluation =
        new EvaluativeListener(Examples.iterator(9, 4, 32), 1, InvocationType.EPOCH_END);
    evaluation.setCallback(
        (listener, model, invocations, evaluations) ->
            accuracies.add(
                ((org.nd4j.evaluation.classification.Evaluation) evaluations[0]).accuracy()));
    File checkpoints = Files.createDirectory(directory.resolve("checkpoints")).toFile();
    network.setListeners(
        new ScoreIterationListener(10),
        new PerformanceListener(10, true),
        new TimeIterationListener(100),
        scores,
        evaluation,
        new CheckpointListener.Builder(checkpoints).keepAll().saveEveryNEpochs(1).build());
    try (ParallelWrapper wrapper =
        new ParallelWrapper.Builder<>(network)
            .workers(2)
            .averagingFrequency(3)
            .reportScoreAfterAveraging(true)
            .watch(directory.resolve("measures.jsonl").toString())
            .build()) {
      wrapper.fit(Examples.iterator(1, 60, 32), 4);
    }

    assertThat(scores.getListScore().size()).isEqualTo(40);
    assertThat(scores.getListScore().get(39)).isLessThan(scores.getListScore().get(0));
    assertThat(accuracies).hasSize(4);
    assertThat(CheckpointListener.lastCheckpoint(checkpoints).getEpoch()).isEqualTo(3);
    assertThat(CheckpointListener.loadLastCheckpointMLN(checkpoints).params())
        .isEqualTo(network.params());
    try (Stream<String> lines = Files.lines(directory.resolve("measures.jsonl"))) {
      assertThat(lines.filter(line -> line.contains("\"progress\"")).count()).isPositive();
    }
  }

  @Test
  void aListenerMayStopFitAtTheEndOfAnEpoch() {
    try (ParallelWrapper wrapper = new ParallelWrapper.Builder<>(network).workers(2).build()) {
      wrapper.setListeners(
          new BaseTrainingListener() {
            @Override
            public void onEpochEnd(Model model) {
              wrapper.stopFit();
            }
          });
      wrapper.fit(Examples.iterator(1, 10, 16), 5);
      assertThat(network.getEpochCount()).isEqualTo(1);

      wrapper.fit(Examples.iterator(1, 10, 16), 5);
    }

    assertThat(network.getEpochCount()).isEqualTo(2);
  }

  @Test
  void aListenerThatThrowsStopsNothing() {
    Notes notes = new Notes();
    network.setListeners(
        new BaseTrainingListener() {
          @Override
          public void iterationDone(Model model, int iteration, int epoch) {
            throw new IllegalStateException("on purpose");
          }
        },
        notes);
    try (ParallelWrapper wrapper = new ParallelWrapper.Builder<>(network).workers(2).build()) {
      wrapper.fit(Examples.iterator(1, 10, 16));
    }

    assertThat(notes.iterations).hasSize(5);
  }

  /** Gradients and activations stay in the replicas, and are asked for by default. */
  @Test
  void statisticsOfDl4jSeeScoresAndParameters() {
    List<StatsReport> reports = new ArrayList<>();
    network.setListeners(
        new StatsListener(
            new StatsStorageRouter() {
              @Override
              public void putUpdate(Persistable update) {
                reports.add((StatsReport) update);
              }

              @Override
              public void putUpdate(Collection<? extends Persistable> updates) {
                updates.forEach(this::putUpdate);
              }

              @Override
              public void putStorageMetaData(StorageMetaData metaData) {}

              @Override
              public void putStorageMetaData(Collection<? extends StorageMetaData> metaData) {}

              @Override
              public void putStaticInfo(Persistable info) {}

              @Override
              public void putStaticInfo(Collection<? extends Persistable> infos) {}
            }));
    try (ParallelWrapper wrapper = new ParallelWrapper.Builder<>(network).workers(2).build()) {
      wrapper.fit(Examples.iterator(1, 600, 16));
    }

    assertThat(reports).hasSize(29);
    assertThat(reports.get(28).getScore()).isLessThan(reports.get(0).getScore());
    assertThat(
            reports.stream()
                .map(report -> report.getMeanMagnitudes(StatsType.Parameters))
                .distinct()
                .count())
        .isGreaterThan(3);
  }

  /** The storage of DL4J's page may be any object. */
  @Test
  void aStorageOfStatisticsIsTaken() {
    Notes notes = new Notes();
    try (ParallelWrapper wrapper = new ParallelWrapper.Builder<>(network).workers(2).build()) {
      wrapper.setListeners(new Object(), notes);
      wrapper.fit(Examples.iterator(1, 10, 16));
    }

    assertThat(notes.iterations).hasSize(5);
  }
}
