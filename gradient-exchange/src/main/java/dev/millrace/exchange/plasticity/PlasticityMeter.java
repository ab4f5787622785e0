package dev.millrace.exchange.plasticity;

import dev.millrace.model.ExampleShape;
import dev.millrace.model.IndexRange;
import dev.millrace.model.LayerActivations;
import dev.millrace.model.LayerDescription;
import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.Partition;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Measures each so many rounds how able a replica's network still is to learn, on a small sample of
 * the newest examples: dead units, effective rank, norms and updates of each layer (as Dohare et
 * al. 2024 do). Between measurements it costs nothing. It changes nothing, and nothing of it is in
 * checkpoints.
 *
 * <p>Belongs to the thread of its {@link ModelReplica}.
 */
public final class PlasticityMeter {

  /** Examples that a measurement takes. */
  static final int SAMPLE = 64;

  private static final Partition NOWHERE = new Partition("sample", 0);
  private static final float SAME = 1e-6f;
  private static final int PIECE = 1 << 16;

  private final ModelReplica model;
  private final List<LayerDescription> layers;
  private final long every;
  private final Minibatch sample;
  private float[] lastOrNull;
  private long measured = -1;

  /**
   * @param layers of the model
   * @param every rounds from one measurement to the next
   */
  public PlasticityMeter(ModelReplica model, List<LayerDescription> layers, long every) {
    this.model = model;
    this.layers = layers.stream().filter(layer -> layer.parameters().length() > 0).toList();
    this.every = every;
    this.sample = new Minibatch(model.spec().shape(), SAMPLE);
  }

  /**
   * A step has been made on these examples, whose features are complete.
   *
   * @param round of the global model that the replica has
   * @param time in milliseconds since the epoch
   * @return what was measured, if it is time and the sample is full
   */
  public Optional<PlasticityReport> learned(Minibatch minibatch, long round, long time) {
    if (round / every <= measured) {
      return Optional.empty();
    }
    for (int row = 0; row < minibatch.fresh() && !sample.isFull(); row++) {
      take(minibatch, row);
    }
    if (!sample.isFull()) {
      return Optional.empty();
    }
    measured = round / every;
    PlasticityReport report = new PlasticityReport(time, round, measure());
    sample.clear();
    return Optional.of(report);
  }

  private void take(Minibatch minibatch, int row) {
    ExampleShape shape = minibatch.shape();
    int features = shape.features();
    int labels = shape.labels();
    int words = shape.words();
    sample.add(
        Arrays.copyOfRange(minibatch.features(), row * features, (row + 1) * features),
        Arrays.copyOfRange(minibatch.labels(), row * labels, (row + 1) * labels),
        Arrays.copyOfRange(minibatch.words(), row * words, (row + 1) * words),
        minibatch.steps(row),
        1,
        NOWHERE,
        row);
  }

  private List<LayerPlasticity> measure() {
    float[] parameters = new float[model.spec().parameters()];
    for (int from = 0; from < parameters.length; from += PIECE) {
      model.read(from, parameters, from, Math.min(PIECE, parameters.length - from));
    }
    Map<String, LayerActivations> activations =
        model.activations(sample).stream()
            .collect(Collectors.toMap(LayerActivations::layer, Function.identity()));
    List<LayerPlasticity> all = new ArrayList<>();
    for (LayerDescription layer : layers) {
      all.add(of(layer, activations.get(layer.name()), parameters));
    }
    lastOrNull = parameters;
    return List.copyOf(all);
  }

  private LayerPlasticity of(
      LayerDescription layer, LayerActivations activationsOrNull, float[] parameters) {
    IndexRange range = layer.parameters();
    double norm = 0;
    double change = 0;
    for (int i = range.from(); i < range.to(); i++) {
      norm += (double) parameters[i] * parameters[i];
      double difference = lastOrNull == null ? Double.NaN : parameters[i] - lastOrNull[i];
      change += difference * difference;
    }
    boolean known = activationsOrNull != null;
    return new LayerPlasticity(
        layer.name(),
        known ? activationsOrNull.units() : 0,
        known ? deadShare(activationsOrNull) : Double.NaN,
        known ? EffectiveRank.of(activationsOrNull) : Double.NaN,
        Math.sqrt(norm),
        Math.sqrt(change / norm));
  }

  /** Units that are the same for all: rectified ones at zero, others at a bound. */
  static double deadShare(LayerActivations layer) {
    int units = layer.units();
    float[] least = Arrays.copyOf(layer.values(), units);
    float[] most = Arrays.copyOf(layer.values(), units);
    for (int from = 0; from < layer.values().length; from += units) {
      for (int unit = 0; unit < units; unit++) {
        least[unit] = Math.min(least[unit], layer.values()[from + unit]);
        most[unit] = Math.max(most[unit], layer.values()[from + unit]);
      }
    }
    int dead = 0;
    for (int unit = 0; unit < units; unit++) {
      dead += most[unit] - least[unit] <= SAME ? 1 : 0;
    }
    return (double) dead / units;
  }
}
