package dev.millrace.exchange.layer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.exchange.ForwardingModel;
import dev.millrace.model.LayerActivations;
import dev.millrace.model.LayerDescription;
import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.Partition;
import dev.millrace.model.TensorDescription;
import dev.millrace.model.device.DeviceRequest;
import dev.millrace.model.shape.IndexRange;
import dev.millrace.model.testing.SummingEngine;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LayerMeterTest {

  private static final long INTERVAL = 1_000_000;
  private static final long READING = 10;

  private static final List<LayerDescription> LAYERS =
      List.of(
          new LayerDescription("hidden", "Dense", new IndexRange(0, 3), "sgd"),
          new LayerDescription("pooling", "Pooling", new IndexRange(3, 3), ""),
          new LayerDescription("output", "Dense", new IndexRange(3, 4), "sgd"));

  private static final List<TensorDescription> TENSORS =
      List.of(
          new TensorDescription("hidden.W", List.of(1L, 2L), 0),
          new TensorDescription("hidden.b", List.of(1L), 2),
          new TensorDescription("output.W", List.of(), 3));

  private final Told model = new Told();
  private long now = -5;
  private final LayerMeter meter = new LayerMeter(model, LAYERS, TENSORS, INTERVAL, () -> now);

  @Test
  void aUnitIsDeadThatGivesTheSameForAll() {
    LayerActivations layer =
        new LayerActivations("l", 3, 4, new float[] {0, 1, 1, 2, 0, 1, 0, 3, 0, 1, 0, 4});
    assertThat(DeadUnits.share(layer)).isEqualTo(0.5);
  }

  @Test
  void tellsWhatOneStepHasDone() {
    model.set(3, 4, 0, 1);
    model.activations = List.of(new LayerActivations("hidden", 2, 2, new float[] {1, 0, 2, 0}));

    LayersReport report = step(64, 3, 99, 5, 2, 0, 1).orElseThrow();

    assertThat(model.asked).isEqualTo(64);
    assertThat(report.time()).isEqualTo(99);
    assertThat(report.round()).isEqualTo(3);
    assertThat(report.layers())
        .extracting(LayerStatistics::layer)
        .containsExactly("hidden", "output");
    LayerStatistics hidden = report.layers().get(0);
    assertThat(hidden.tensors())
        .containsExactly(
            new TensorStatistics("hidden.W", of(5, 2), of(2, -2)),
            new TensorStatistics("hidden.b", of(0), of(0)));
    assertThat(hidden.units()).isEqualTo(2);
    assertThat(hidden.deadShare()).isEqualTo(0.5);
    assertThat(hidden.effectiveRank()).isCloseTo(1, within(1e-9));
    assertThat(hidden.activations()).isEqualTo(of(1, 0, 2, 0));
    assertThat(hidden.weightNorm()).isCloseTo(Math.sqrt(29), within(1e-9));
    assertThat(hidden.updateRatio()).isCloseTo(4.0 / 7, within(1e-9));
    LayerStatistics output = report.layers().get(1);
    assertThat(output.deadShare()).isNaN();
    assertThat(output.activations()).isEqualTo(Distribution.NONE);
    assertThat(output.updateRatio()).isZero();
  }

  @Test
  void measuresWhenTheIntervalIsOverAndTheSampleIsFull() {
    assertThat(step(40, 1, 1)).as("40 of 64").isEmpty();
    assertThat(step(40, 2, 2)).isPresent();
    now += INTERVAL - 1;
    assertThat(step(64, 3, 3)).as("too early").isEmpty();
    now += 1;
    assertThat(step(64, 4, 4)).isPresent();
  }

  @Test
  void aLongMeasurementIsSeldom() {
    model.reading = INTERVAL;
    assertThat(step(64, 1, 1)).isPresent();

    // Three tensors were read twice.
    now += LayerMeter.PAUSE * 6 * INTERVAL - 1;
    assertThat(step(64, 2, 2)).isEmpty();
    now += 1;
    assertThat(step(64, 3, 3)).isPresent();
  }

  /** What is replayed was learned before, and what couldn't be learned isn't there any more. */
  @Test
  void theSampleIsOfFreshExamples() {
    assertThat(step(rows(50, 30, 1), 1, 0)).isEmpty();
    assertThat(step(rows(50, 30, 1), 2, 0)).isPresent();
    assertThat(model.sample).as("replayed ones are twos").containsOnly(1f);

    now += INTERVAL;
    Minibatch taken = rows(70, 0, 3);
    meter.before(taken);
    assertThat(meter.after(rows(60, 0, 3), 3, 0)).as("ten were refused").isEmpty();
    assertThat(step(rows(60, 0, 4), 4, 0)).isPresent();
    assertThat(model.sample).contains(3f, 4f);
  }

  /** Of a tensor of 5 million values, of which one in five is looked at. */
  @Test
  void ofLargeTensorsPiecesAreLookedAt() {
    int length = 5 << 20;
    Told large = new Told(length);
    float[] values = new float[length];
    for (int i = 0; i < length; i++) {
      values[i] = i;
    }
    large.set(values);
    SampledTensor tensor = new SampledTensor(new TensorDescription("W", List.of((long) length), 0));
    assertThat(tensor.length()).isEqualTo(SampledTensor.MOST_VALUES);

    tensor.keep(large);
    for (int i = 0; i < length; i++) {
      values[i] = i + 2;
    }
    large.set(values);
    TensorStatistics statistics = tensor.after(large, new float[tensor.length()]);

    assertThat(statistics.weights().low()).isEqualTo(2);
    assertThat(statistics.weights().high()).isEqualTo(length + 1);
    assertThat(statistics.weights().mean()).isCloseTo(length / 2.0 + 1.5, within(1.0));
    assertThat(statistics.updates().mean()).isEqualTo(2);
    assertThat(statistics.updates().deviation()).isZero();
  }

  @Test
  void ofLargeExamplesFewerAreTaken() {
    assertThat(new ExampleSample(SummingEngine.spec(4).shape()).examples().capacity())
        .isEqualTo(ExampleSample.MOST_EXAMPLES);
  }

  @Test
  void aReportIsReadAsItWasWritten() throws IOException {
    LayersReport report =
        new LayersReport(
            5,
            6,
            List.of(
                new LayerStatistics(
                    "a",
                    1,
                    0.5,
                    2,
                    Distribution.NONE,
                    List.of(new TensorStatistics("a.W", of(1, 2), of(3))))));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    LayersReport.WIRE.write(report, new DataOutputStream(bytes));

    assertThat(
            LayersReport.WIRE.read(
                new DataInputStream(new ByteArrayInputStream(bytes.toByteArray()))))
        .isEqualTo(report);
  }

  private Optional<LayersReport> step(int rows, long round, long time, float... parameters) {
    Minibatch minibatch = rows(rows, 0, 0);
    meter.before(minibatch);
    model.set(parameters);
    return meter.after(minibatch, round, time);
  }

  private Optional<LayersReport> step(Minibatch minibatch, long round, long time) {
    meter.before(minibatch);
    return meter.after(minibatch, round, time);
  }

  private static Distribution of(float... values) {
    return Distribution.of(values, values.length);
  }

  /** Fresh rows of that feature, and behind them replayed ones of a feature of 2. */
  private Minibatch rows(int count, int replayed, float feature) {
    Minibatch minibatch = new Minibatch(model.spec().shape(), count, replayed);
    for (int row = 0; row < count; row++) {
      minibatch.add(new float[] {feature}, new float[1], 1, new Partition("t", 0), row);
    }
    for (int row = 0; row < replayed; row++) {
      minibatch.addReplayed(new float[] {2}, new float[1], new String[0], 0, 0, 1);
    }
    return minibatch;
  }

  private final class Told extends ForwardingModel {

    private List<LayerActivations> activations = List.of();
    private int asked;
    private float[] sample = {};
    private long reading = READING;

    Told() {
      this(4);
    }

    Told(int parameters) {
      super(
          ModelEngine.named(SummingEngine.NAME)
              .build(SummingEngine.spec(parameters), DeviceRequest.any()));
    }

    void set(float... values) {
      write(0, values, 0, values.length);
    }

    @Override
    public void read(int from, float[] target, int offset, int length) {
      now += reading;
      super.read(from, target, offset, length);
    }

    @Override
    public List<LayerActivations> activations(Minibatch minibatch) {
      asked = minibatch.size();
      sample = Arrays.copyOf(minibatch.features(), asked);
      return activations;
    }
  }
}
