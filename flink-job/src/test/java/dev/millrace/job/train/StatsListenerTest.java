package dev.millrace.job.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.exchange.layer.Distribution;
import dev.millrace.exchange.layer.LayerMeter;
import dev.millrace.exchange.layer.LayerStatistics;
import dev.millrace.exchange.layer.LayersReport;
import dev.millrace.exchange.layer.TensorStatistics;
import dev.millrace.model.InitialModel;
import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelDefinition;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.Partition;
import dev.millrace.model.device.DeviceRequest;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.deeplearning4j.core.storage.Persistable;
import org.deeplearning4j.core.storage.StatsStorageRouter;
import org.deeplearning4j.core.storage.StorageMetaData;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.ui.model.stats.StatsListener;
import org.deeplearning4j.ui.model.stats.api.Histogram;
import org.deeplearning4j.ui.model.stats.api.StatsReport;
import org.deeplearning4j.ui.model.stats.api.StatsType;
import org.deeplearning4j.ui.model.stats.impl.DefaultStatsUpdateConfiguration;
import org.junit.jupiter.api.Test;
import org.nd4j.linalg.factory.Nd4j;

/** What is measured of layers is what DL4J's own listener reports of them. */
class StatsListenerTest {

  private static final int ROWS = 64;
  private static final int STEPS = 3;

  @Test
  void theLayersOfADenseNetworkAreAsDl4jReportsThem() {
    ExampleShape shape = new ExampleShape(20, 5, Target.CLASSIFICATION);
    compare(
        new ModelDefinition.BuiltIn(
            "mlp", shape, List.of(30, 10), List.of(), "adam", 0.01, 0, 0, 7));
  }

  @Test
  void theLayersOfLenetAreAsDl4jReportsThem() {
    ExampleShape shape = new ExampleShape(28 * 28, 10, Target.CLASSIFICATION);
    compare(
        new ModelDefinition.BuiltIn(
            "lenet", shape, List.of(), List.of(28, 28, 1), "nesterovs", 0.01, 0.9, 0, 7));
  }

  private static void compare(ModelDefinition definition) {
    InitialModel initial = ModelEngine.named("dl4j").define(definition);
    List<Minibatch> minibatches = new ArrayList<>();
    Random random = new Random(11);
    for (int i = 0; i < STEPS; i++) {
      minibatches.add(minibatch(initial.spec().shape(), random));
    }
    // Each twice: a listener tells the activations of the forward pass that is before a step.
    List<Minibatch> steps = minibatches.stream().flatMap(one -> Stream.of(one, one)).toList();
    List<StatsReport> told = listen(initial, steps);
    List<LayersReport> measured = measure(initial, steps);

    assertThat(told).hasSize(2 * STEPS);
    assertThat(measured).hasSize(2 * STEPS);
    for (int i = 0; i < STEPS; i++) {
      assertEqual(measured.get(2 * i), told.get(2 * i), told.get(2 * i + 1));
    }
  }

  private static Minibatch minibatch(ExampleShape shape, Random random) {
    Minibatch minibatch = new Minibatch(shape, ROWS);
    for (int row = 0; row < ROWS; row++) {
      float[] features = new float[shape.features()];
      for (int i = 0; i < features.length; i++) {
        features[i] = (float) random.nextGaussian();
      }
      float[] labels = new float[shape.labels()];
      labels[random.nextInt(labels.length)] = 1;
      minibatch.add(features, labels, 1, new Partition("t", 0), row);
    }
    return minibatch;
  }

  private static List<LayersReport> measure(InitialModel initial, List<Minibatch> steps) {
    ModelEngine engine = ModelEngine.named("dl4j");
    ModelSpec spec = initial.spec();
    List<LayersReport> reports = new ArrayList<>();
    try (ModelReplica model = engine.build(spec, DeviceRequest.any())) {
      model.write(0, initial.vector(), 0, initial.vector().length);
      LayerMeter meter =
          new LayerMeter(
              model,
              engine.describe(spec.kind(), spec.configuration()),
              engine.tensors(spec.kind(), spec.configuration()),
              0,
              () -> 0);
      float[] predictions = new float[ROWS * spec.shape().labels()];
      for (Minibatch minibatch : steps) {
        meter.before(minibatch);
        model.fit(minibatch, predictions);
        meter.after(minibatch, 0, 0).ifPresent(reports::add);
      }
    }
    return reports;
  }

  private static List<StatsReport> listen(InitialModel initial, List<Minibatch> steps) {
    MultiLayerNetwork network =
        new MultiLayerNetwork(MultiLayerConfiguration.fromJson(initial.spec().configuration()));
    network.init();
    int parameters = initial.spec().parameters();
    network.setParams(Nd4j.createFromArray(Arrays.copyOf(initial.vector(), parameters)));
    List<StatsReport> reports = new ArrayList<>();
    network.setListeners(
        new StatsListener(
            new Kept(reports),
            null,
            new DefaultStatsUpdateConfiguration.Builder()
                .reportingFrequency(1)
                .collectHistogramsParameters(true)
                .collectHistogramsUpdates(true)
                .collectHistogramsActivations(true)
                .collectMeanParameters(true)
                .collectMeanUpdates(true)
                .collectMeanActivations(true)
                .collectStdevParameters(true)
                .collectStdevUpdates(true)
                .collectStdevActivations(true)
                .numHistogramBins(Distribution.BINS)
                .build(),
            "session",
            "worker"));
    for (Minibatch minibatch : steps) {
      ExampleShape shape = minibatch.shape();
      network.fit(
          Nd4j.createFromArray(minibatch.features()).reshape(ROWS, shape.features()),
          Nd4j.createFromArray(minibatch.labels()).reshape(ROWS, shape.labels()));
    }
    return reports;
  }

  private static void assertEqual(LayersReport measured, StatsReport told, StatsReport next) {
    int inner = 0;
    for (LayerStatistics layer : measured.layers()) {
      for (TensorStatistics tensor : layer.tensors()) {
        assertEqual(tensor.weights(), told, StatsType.Parameters, name(tensor.name()), 1);
        // DL4J subtracts them.
        assertEqual(tensor.updates(), told, StatsType.Updates, name(tensor.name()), -1);
      }
      if (layer.activations().count() > 0) {
        inner++;
        assertEqual(layer.activations(), next, StatsType.Activations, name(layer.layer()), 1);
      }
    }
    assertThat(inner).isEqualTo(measured.layers().size() - 1);
  }

  /** As a listener has it: {@code 0_W} for {@code layer0.W}, {@code 0} for {@code layer0}. */
  private static String name(String own) {
    return own.substring("layer".length()).replace('.', '_');
  }

  /** But for what rounding to floats makes: weights are rounded after each step. */
  private static void assertEqual(
      Distribution measured, StatsReport told, StatsType type, String name, int sign) {
    Histogram histogram = told.getHistograms(type).get(name);
    double width = (histogram.getMax() - histogram.getMin()) / Distribution.BINS;
    Offset<Double> rounding = within(1e-4 * width + 1e-7);
    assertThat(measured.mean())
        .as("%s %s", type, name)
        .isCloseTo(sign * told.getMean(type).get(name), rounding);
    assertThat(measured.magnitude()).isCloseTo(told.getMeanMagnitudes(type).get(name), rounding);
    assertThat(measured.deviation()).isCloseTo(told.getStdev(type).get(name), rounding);
    assertThat((double) (sign > 0 ? measured.low() : -measured.high()))
        .isCloseTo(histogram.getMin(), rounding);
    assertThat((double) (sign > 0 ? measured.high() : -measured.low()))
        .isCloseTo(histogram.getMax(), rounding);
    List<Integer> bins = new ArrayList<>(measured.bins());
    if (sign < 0) {
      Collections.reverse(bins);
    }
    assertSame(bins, histogram.getBinCounts(), measured.count(), name);
  }

  /** A value at the border of a bin may be on the other side, one in a thousand. */
  private static void assertSame(List<Integer> bins, int[] told, long count, String name) {
    int apart = 0;
    for (int bin = 0; bin < told.length; bin++) {
      apart += Math.abs(bins.get(bin) - told[bin]);
    }
    assertThat(apart)
        .as("%s: %s, told %s", name, bins, Arrays.toString(told))
        .isLessThanOrEqualTo((int) (2 + count / 500));
  }

  /** Where a listener's reports go. */
  private record Kept(List<StatsReport> reports) implements StatsStorageRouter {

    @Override
    public void putStorageMetaData(StorageMetaData data) {}

    @Override
    public void putStorageMetaData(Collection<? extends StorageMetaData> data) {}

    @Override
    public void putStaticInfo(Persistable information) {}

    @Override
    public void putStaticInfo(Collection<? extends Persistable> information) {}

    @Override
    public void putUpdate(Persistable update) {
      reports.add((StatsReport) update);
    }

    @Override
    public void putUpdate(Collection<? extends Persistable> updates) {
      updates.forEach(this::putUpdate);
    }
  }
}
