package dev.millrace.exchange.plasticity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.exchange.ForwardingModel;
import dev.millrace.model.DeviceRequest;
import dev.millrace.model.IndexRange;
import dev.millrace.model.LayerActivations;
import dev.millrace.model.LayerDescription;
import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.Partition;
import dev.millrace.model.testing.SummingEngine;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PlasticityMeterTest {

  private static final List<LayerDescription> LAYERS =
      List.of(
          new LayerDescription("hidden", "Dense", new IndexRange(0, 2), "sgd"),
          new LayerDescription("pooling", "Pooling", new IndexRange(2, 2), ""),
          new LayerDescription("output", "Dense", new IndexRange(2, 4), "sgd"));

  private final Told model = new Told();

  @Test
  void theRankIsHowManyDirectionsAreFilledAlike() {
    assertThat(rank(2, 3, 1, 0, 0, 2, 0, 0)).isCloseTo(1, within(1e-9));
    assertThat(rank(2, 2, 1, 0, 0, 1)).isCloseTo(2, within(1e-9));
    assertThat(rank(2, 4, 1, 0, 1, 0, 0, 1, 0, 1)).isCloseTo(2, within(1e-9));
    assertThat(rank(3, 2, 0, 0, 0, 0, 0, 0)).isZero();
    // Singular values 3 and 1: shares of 3/4 and 1/4.
    double entropy = -0.75 * Math.log(0.75) - 0.25 * Math.log(0.25);
    assertThat(rank(2, 2, 3, 0, 0, 1)).isCloseTo(Math.exp(entropy), within(1e-9));
    // The same, turned: of rows as of units.
    float c = (float) Math.cos(0.7);
    float s = (float) Math.sin(0.7);
    assertThat(rank(2, 3, 3 * c, 3 * s, 0, -s, c, 0)).isCloseTo(Math.exp(entropy), within(1e-5));
    assertThat(rank(3, 2, 3 * c, -s, 3 * s, c, 0, 0)).isCloseTo(Math.exp(entropy), within(1e-5));
  }

  @Test
  void manyRandomDirectionsAreNearlyAllOfThem() {
    Random random = new Random(3);
    float[] values = new float[4_000 * 20];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) random.nextGaussian();
    }
    assertThat(rank(4_000, 20, values)).isBetween(19.9, 20.0);
  }

  @Test
  void aUnitIsDeadThatGivesTheSameForAll() {
    LayerActivations layer =
        new LayerActivations("l", 3, 4, new float[] {0, 1, 1, 2, 0, 1, 0, 3, 0, 1, 0, 4});
    assertThat(PlasticityMeter.deadShare(layer)).isEqualTo(0.5);
  }

  @Test
  void measuresEachSoManyRoundsWhenTheSampleIsFull() {
    PlasticityMeter meter = new PlasticityMeter(model, LAYERS, 10);
    model.set(3, 4, 0, 1);
    model.activations = List.of(new LayerActivations("hidden", 2, 2, new float[] {1, 0, 2, 0}));

    assertThat(meter.learned(rows(40), 3, 1)).isEmpty();
    PlasticityReport first = meter.learned(rows(40), 4, 99).orElseThrow();
    assertThat(model.asked).isEqualTo(PlasticityMeter.SAMPLE);
    assertThat(first.time()).isEqualTo(99);
    assertThat(first.round()).isEqualTo(4);
    assertThat(first.layers())
        .extracting(LayerPlasticity::layer)
        .containsExactly("hidden", "output");
    LayerPlasticity hidden = first.layers().get(0);
    assertThat(hidden.units()).isEqualTo(2);
    assertThat(hidden.deadShare()).isEqualTo(0.5);
    assertThat(hidden.effectiveRank()).isCloseTo(1, within(1e-9));
    assertThat(hidden.norm()).isEqualTo(5);
    assertThat(hidden.updateRatio()).isNaN();
    assertThat(first.layers().get(1).deadShare()).isNaN();

    assertThat(meter.learned(rows(100), 9, 100)).isEmpty();
    model.set(6, 8, 0, 1);
    Optional<PlasticityReport> second = meter.learned(rows(100), 10, 101);
    assertThat(second.orElseThrow().layers())
        .extracting(LayerPlasticity::updateRatio)
        .containsExactly(0.5, 0.0);

    model.set(6, 8, 0, 2);
    assertThat(meter.learned(rows(100), 25, 102).orElseThrow().layers())
        .as("since the second")
        .extracting(LayerPlasticity::updateRatio)
        .containsExactly(0.0, 0.5);
  }

  @Test
  void theSampleIsOfFreshExamplesSinceTheMeasurementBefore() {
    PlasticityMeter meter = new PlasticityMeter(model, LAYERS, 10);
    Minibatch older = rows(50, 30, 1);
    assertThat(meter.learned(older, 1, 0)).isEmpty();
    assertThat(meter.learned(older, 1, 0)).isPresent();
    assertThat(model.sample).as("replayed ones are twos").containsOnly(1f);

    assertThat(meter.learned(rows(100, 0, 3), 10, 0)).isPresent();
    assertThat(model.sample).containsOnly(3f);
  }

  @Test
  void ofWideLayersRowsAreTakenEvenlyApart() {
    int units = 200;
    float[] values = new float[256 * units];
    for (int row = 0; row < 256; row++) {
      values[row * units + row / 128] = 1;
    }
    assertThat(rank(256, units, values)).isCloseTo(2, within(1e-9));
  }

  @Test
  void aReportIsReadAsItWasWritten() throws IOException {
    PlasticityReport report =
        new PlasticityReport(5, 6, List.of(new LayerPlasticity("a", 1, 0.5, 2, 3, Double.NaN)));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PlasticityReport.WIRE.write(report, new DataOutputStream(bytes));

    assertThat(
            PlasticityReport.WIRE.read(
                new DataInputStream(new ByteArrayInputStream(bytes.toByteArray()))))
        .isEqualTo(report);
  }

  private static double rank(int rows, int units, float... values) {
    return EffectiveRank.of(new LayerActivations("l", rows, units, values));
  }

  private Minibatch rows(int count) {
    return rows(count, 0, 0);
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

  private static final class Told extends ForwardingModel {

    private List<LayerActivations> activations = List.of();
    private int asked;
    private float[] sample = {};

    Told() {
      super(
          ModelEngine.named(SummingEngine.NAME).build(SummingEngine.spec(4), DeviceRequest.any()));
    }

    void set(float... values) {
      write(0, values, 0, values.length);
    }

    @Override
    public List<LayerActivations> activations(Minibatch minibatch) {
      asked = minibatch.size();
      sample = Arrays.copyOf(minibatch.features(), asked);
      return activations;
    }
  }
}
