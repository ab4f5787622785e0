package dev.millrace.model.population;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.IndexRange;
import java.util.List;
import java.util.Objects;

/**
 * One model of a population: what its engine needs to build it, and in what it differs from the
 * others.
 *
 * @param engine name of the engine
 * @param kind see {@link ModelSpec}, as all up to {@code runningStatistics}
 * @param learningRate of its updater; for people, since the configuration has it, too
 * @param replay how many replayed examples it takes in a step at most; null for all
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Member(
    String engine,
    String kind,
    String configuration,
    int parameters,
    int updaterState,
    List<IndexRange> nonNegative,
    List<IndexRange> runningStatistics,
    double learningRate,
    Integer replay) {

  public Member {
    Objects.requireNonNull(engine, "engine");
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(configuration, "configuration");
    nonNegative = List.copyOf(nonNegative);
    runningStatistics = List.copyOf(runningStatistics);
    if (engine.equals(PopulationEngine.NAME)) {
      throw new IllegalArgumentException("A member of a population can't be a population");
    }
    if (parameters < 1 || updaterState < 0) {
      throw new IllegalArgumentException(
          "A member can't have %s parameters and %s values of updater state"
              .formatted(parameters, updaterState));
    }
  }

  /** A member of that spec. */
  public static Member of(ModelSpec spec, double learningRate, Integer replayOrNull) {
    return new Member(
        spec.engine(),
        spec.kind(),
        spec.configuration(),
        spec.parameters(),
        spec.updaterState(),
        spec.nonNegative(),
        spec.runningStatistics(),
        learningRate,
        replayOrNull);
  }

  /** Returns what its engine builds it by. */
  ModelSpec spec(ExampleShape shape) {
    return new ModelSpec(
        engine,
        kind,
        configuration,
        shape,
        parameters,
        updaterState,
        nonNegative,
        runningStatistics);
  }

  /** Replayed examples that it takes in a step at most. */
  int mostReplayed() {
    return replay == null ? Integer.MAX_VALUE : replay;
  }

  /** Returns a member with the same settings for a model that was read out of an archive. */
  Member with(ModelSpec spec) {
    return of(spec, learningRate, replay);
  }
}
