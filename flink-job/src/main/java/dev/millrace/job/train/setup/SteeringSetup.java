package dev.millrace.job.train.setup;

import dev.millrace.exchange.drift.Detection;
import dev.millrace.exchange.drift.Detection.Features;
import dev.millrace.exchange.drift.ExampleSignals;
import dev.millrace.exchange.round.Reactions;
import dev.millrace.exchange.round.SteeringRules;
import dev.millrace.job.options.InvalidOptionsException;
import dev.millrace.job.train.options.DriftOptions;
import dev.millrace.job.train.options.DriftOptions.Reaction;
import dev.millrace.job.train.options.ForgettingOptions;
import dev.millrace.model.ExampleShape;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.configuration.Configuration;

/** What checked options say of drifts and reactions. */
final class SteeringSetup {

  /** The rise of the error that isn't a drift to Page-Hinkley. */
  private static final double TOLERANCE = 0.01;

  /** Divided by the rise of the error it is Page-Hinkley's delay in examples. */
  private static final double THRESHOLD = 100;

  /** What more-rounds multiplies local steps by. */
  private static final double STEPS = 0.34;

  /** What smaller-batches multiplies the examples of minibatches by. */
  private static final double BATCH = 0.125;

  /** Examples of the whole job after a reaction without another one. */
  private static final long PAUSE = 2_000;

  private final Configuration options;

  SteeringSetup(Configuration options) {
    this.options = options;
  }

  /**
   * Returns the rules that training is steered by.
   *
   * @param standardizes whether there are statistics of features
   * @throws InvalidOptionsException if detectors don't suit the examples
   */
  SteeringRules rules(ExampleShape shape, boolean standardizes) {
    List<String> problems = new ArrayList<>();
    if (shape.structure().labelPerStep() && options.contains(DriftOptions.DETECTORS)) {
      problems.add(
          "drift.detector is set, and each step of a sequence has a label of its own; detectors take"
              + " one error a record. Leave it out");
    }
    Features features = options.get(DriftOptions.FEATURES);
    if (features == Features.KOLMOGOROV_SMIRNOV && shape.structure().isSequence()) {
      problems.add(
          "drift.features is kolmogorov-smirnov, and examples are sequences, whose steps have no"
              + " features of their own place; leave it out");
    }
    if (features == Features.ADWIN && !standardizes) {
      problems.add(
          "drift.features is adwin, and features aren't standardized, so their means aren't known; set"
              + " input.standardize to on, or leave it out");
    }
    if (!problems.isEmpty()) {
      throw new InvalidOptionsException(problems);
    }
    return new SteeringRules(detection(), reactions());
  }

  /** Returns what contributions tell of single examples. */
  ExampleSignals tells() {
    return detection().told();
  }

  private Detection detection() {
    return new Detection(
        options.getOptional(DriftOptions.DETECTORS).orElse(List.of()).stream().distinct().toList(),
        options.get(DriftOptions.FEATURES),
        options.get(DriftOptions.CONFIDENCE),
        TOLERANCE,
        THRESHOLD);
  }

  private Reactions reactions() {
    return new Reactions(
        has(Reaction.MORE_ROUNDS) ? STEPS : 1,
        has(Reaction.SMALLER_BATCHES) ? BATCH : 1,
        options.get(DriftOptions.EXAMPLES),
        has(Reaction.PUBLISH),
        options.get(ForgettingOptions.ANCHOR) == ForgettingOptions.Anchor.DRIFT,
        PAUSE);
  }

  private boolean has(Reaction reaction) {
    return options.getOptional(DriftOptions.REACTIONS).orElse(List.of()).contains(reaction);
  }
}
