package dev.millrace.exchange.layer;

import dev.millrace.model.LayerActivations;
import dev.millrace.model.LayerDescription;
import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.TensorDescription;
import dev.millrace.model.shape.IndexRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * Measures the layers of a replica's network from time to time: distributions of weights, of what
 * one local step adds to them and of activations, as DL4J's {@code StatsListener} reports them, and
 * how able the network still is to learn (dead units, effective rank: Dohare et al. 2024).
 *
 * <p>It changes nothing, and nothing of it is in checkpoints. It takes at most 0.8 % of the time:
 * the longer a measurement has taken, the later the next one is. It keeps a copy of the parameters,
 * of large tensors of a part of them.
 *
 * <p>Belongs to the thread of its {@link ModelReplica}.
 */
public final class LayerMeter {

  /** How many times as long as a measurement the time to the next one is at least. */
  static final int PAUSE = 125;

  private record Layer(String name, List<SampledTensor> tensors) {}

  private final ModelReplica model;
  private final List<Layer> layers = new ArrayList<>();
  private final float[] scratch;
  private final long interval;
  private final ExampleSample sample;

  private final LongSupplier nanos;

  /** When the next measurement is due. */
  private long due;

  private boolean hasKept;
  private long keeping;

  /**
   * @param descriptions of the model's layers
   * @param tensors of the model, of which each is in one layer
   * @param interval from one measurement to the next, at least, in nanoseconds
   * @param nanos a clock that never goes back
   */
  public LayerMeter(
      ModelReplica model,
      List<LayerDescription> descriptions,
      List<TensorDescription> tensors,
      long interval,
      LongSupplier nanos) {
    this.model = model;
    this.interval = interval;
    this.nanos = nanos;
    this.due = nanos.getAsLong();
    this.sample = new ExampleSample(model.spec().shape());
    int longest = 0;
    for (LayerDescription layer : descriptions) {
      List<SampledTensor> own = tensorsOf(layer.parameters(), tensors);
      if (!own.isEmpty()) {
        layers.add(new Layer(layer.name(), own));
      }
      for (SampledTensor tensor : own) {
        longest = Math.max(longest, tensor.length());
      }
    }
    this.scratch = new float[longest];
  }

  private static List<SampledTensor> tensorsOf(IndexRange layer, List<TensorDescription> all) {
    return all.stream()
        .filter(tensor -> tensor.from() >= layer.from() && tensor.from() < layer.to())
        .map(SampledTensor::new)
        .toList();
  }

  /** A local step on these examples is next. */
  public void before(Minibatch minibatch) {
    long start = nanos.getAsLong();
    hasKept = start - due >= 0 && sample.isFullWith(minibatch.size());
    if (hasKept) {
      layers.forEach(layer -> layer.tensors.forEach(tensor -> tensor.keep(model)));
      keeping = nanos.getAsLong() - start;
    }
  }

  /**
   * The step has been made on these examples, whose features are complete by now.
   *
   * @param round of the global model that the replica has
   * @param time in milliseconds since the epoch
   * @return what was measured, if it was time and there are enough examples
   */
  public Optional<LayersReport> after(Minibatch minibatch, long round, long time) {
    long start = nanos.getAsLong();
    if (start - due < 0) {
      return Optional.empty();
    }
    sample.take(minibatch);
    if (!hasKept || !sample.isFull()) {
      return Optional.empty();
    }
    LayersReport report = new LayersReport(time, round, measure());
    sample.clear();
    long end = nanos.getAsLong();
    due = end + Math.max(interval, PAUSE * (keeping + end - start));
    return Optional.of(report);
  }

  private List<LayerStatistics> measure() {
    Map<String, LayerActivations> activations =
        model.activations(sample.examples()).stream()
            .collect(Collectors.toMap(LayerActivations::layer, Function.identity()));
    List<LayerStatistics> all = new ArrayList<>(layers.size());
    for (Layer layer : layers) {
      all.add(of(layer, activations.get(layer.name)));
    }
    return List.copyOf(all);
  }

  private LayerStatistics of(Layer layer, LayerActivations activationsOrNull) {
    List<TensorStatistics> tensors = new ArrayList<>(layer.tensors.size());
    for (SampledTensor tensor : layer.tensors) {
      tensors.add(tensor.after(model, scratch));
    }
    if (activationsOrNull == null) {
      return new LayerStatistics(
          layer.name, 0, Double.NaN, Double.NaN, Distribution.NONE, List.copyOf(tensors));
    }
    float[] values = activationsOrNull.values();
    return new LayerStatistics(
        layer.name,
        activationsOrNull.units(),
        DeadUnits.share(activationsOrNull),
        EffectiveRank.of(activationsOrNull),
        Distribution.of(values, values.length),
        List.copyOf(tensors));
  }
}
