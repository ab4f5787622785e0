package dev.millrace.model;

import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.IndexRange;
import java.io.Serializable;
import java.util.List;
import java.util.Objects;

/**
 * All that is needed to build a replica of a model, and to know how its flat vector is made up. It
 * is part of every checkpoint, so that a savepoint alone can be exported.
 *
 * @param engine name of the {@link ModelEngine}
 * @param kind the engine's own name for the kind of network
 * @param configuration the engine's own description of the network, as JSON
 * @param shape what the network takes and gives
 * @param parameters length of the parameter part of the flat vector
 * @param updaterState length of the updater state that follows it
 * @param nonNegative indices of the flat vector that must not fall below zero
 * @param runningStatistics indices of parameters that tell of what was seen, as those that batch
 *     normalization keeps do: they are averaged and, as updater state, never stepped
 * @param frozen what the job doesn't train; not part of a checkpoint
 */
public record ModelSpec(
    String engine,
    String kind,
    String configuration,
    ExampleShape shape,
    int parameters,
    int updaterState,
    List<IndexRange> nonNegative,
    List<IndexRange> runningStatistics,
    Frozen frozen)
    implements Serializable {

  /** A model of which all is trained. */
  public ModelSpec(
      String engine,
      String kind,
      String configuration,
      ExampleShape shape,
      int parameters,
      int updaterState,
      List<IndexRange> nonNegative,
      List<IndexRange> runningStatistics) {
    this(
        engine,
        kind,
        configuration,
        shape,
        parameters,
        updaterState,
        nonNegative,
        runningStatistics,
        Frozen.NONE);
  }

  /** A model without running statistics. */
  public ModelSpec(
      String engine,
      String kind,
      String configuration,
      ExampleShape shape,
      int parameters,
      int updaterState,
      List<IndexRange> nonNegative) {
    this(engine, kind, configuration, shape, parameters, updaterState, nonNegative, List.of());
  }

  public ModelSpec {
    Objects.requireNonNull(engine, "engine");
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(configuration, "configuration");
    Objects.requireNonNull(shape, "shape");
    Objects.requireNonNull(frozen, "frozen");
    nonNegative = List.copyOf(nonNegative);
    runningStatistics = List.copyOf(runningStatistics);
  }

  /** Returns the same model, of which that is frozen. */
  public ModelSpec with(Frozen other) {
    return new ModelSpec(
        engine,
        kind,
        configuration,
        shape,
        parameters,
        updaterState,
        nonNegative,
        runningStatistics,
        other);
  }

  /** Length of the flat vector [parameters | updater state]. */
  public int vectorLength() {
    return Math.addExact(parameters, updaterState);
  }

  /**
   * The blocks that replicas exchange.
   *
   * @param withUpdaterState whether the updater state is averaged too, or stays each replica's own
   */
  public BlockLayout layout(int blockSize, boolean withUpdaterState) {
    int length = withUpdaterState ? vectorLength() : parameters;
    List<IndexRange> exchanged = nonNegative.stream().filter(r -> r.to() <= length).toList();
    return new BlockLayout(
        length, blockSize, parameters, exchanged, runningStatistics, frozen.parameters());
  }
}
