package dev.millrace.job.train.part.drift;

import dev.millrace.exchange.drift.Detection;
import dev.millrace.exchange.drift.Detection.Features;
import dev.millrace.exchange.drift.DriftRules;
import dev.millrace.exchange.drift.Reactions;
import dev.millrace.exchange.steering.CoordinatorHookFactory;
import dev.millrace.job.options.Dependence;
import dev.millrace.job.options.InvalidOptionsException;
import dev.millrace.job.options.OptionGroup;
import dev.millrace.job.options.OptionRules;
import dev.millrace.job.options.SnapshotOptions;
import dev.millrace.job.train.options.ExchangeOptions;
import dev.millrace.job.train.part.OptionalPart;
import dev.millrace.job.train.part.PartContext;
import dev.millrace.job.train.part.drift.DriftOptions.Reaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.flink.configuration.Configuration;

/** Finds drifts, and has training react to them. */
public final class DriftPart implements OptionalPart {

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

  @Override
  public OptionGroup options() {
    return DriftOptions.GROUP;
  }

  @Override
  public List<Dependence> dependences() {
    return DriftDependences.ALL;
  }

  @Override
  public boolean steers(Configuration options) {
    return detection(options).isOn();
  }

  @Override
  public void check(OptionRules rules, boolean steered) {
    Configuration options = rules.options();
    if (has(options, Reaction.PUBLISH)) {
      rules.require(SnapshotOptions.GROUP, SnapshotOptions.DIRECTORY);
    }
    if (!has(options, Reaction.MORE_ROUNDS)) {
      return;
    }
    if (options.get(ExchangeOptions.FRAGMENTS) > 1) {
      rules.broken(
          ("drift.reaction has more-rounds and exchange.fragments is '%s': each fragment needs a"
                  + " local step before its turn; leave one of them out")
              .formatted(options.get(ExchangeOptions.FRAGMENTS)));
    }
    if (rules.has(ExchangeOptions.INTERVAL) || options.get(ExchangeOptions.LOCAL_STEPS) == 1) {
      rules.broken(
          "drift.reaction has more-rounds, which makes fewer local steps between contributions, and"
              + " exchange.local-steps is 1 or exchange.interval is given; leave more-rounds out");
    }
  }

  @Override
  public Optional<CoordinatorHookFactory> coordinatorHook(PartContext context) {
    Configuration options = context.options();
    List<String> problems = problems(context);
    if (!problems.isEmpty()) {
      throw new InvalidOptionsException(problems);
    }
    return steers(options)
        ? Optional.of(new DriftRules(detection(options), reactions(options)))
        : Optional.empty();
  }

  private static List<String> problems(PartContext context) {
    List<String> problems = new ArrayList<>();
    if (context.shape().structure().labelPerStep()
        && context.options().contains(DriftOptions.DETECTORS)) {
      problems.add(
          "drift.detector is set, and each step of a sequence has a label of its own; detectors take"
              + " one error a record. Leave it out");
    }
    Features features = context.options().get(DriftOptions.FEATURES);
    if (features == Features.KOLMOGOROV_SMIRNOV && context.shape().structure().isSequence()) {
      problems.add(
          "drift.features is kolmogorov-smirnov, and examples are sequences, whose steps have no"
              + " features of their own place; leave it out");
    }
    if (features == Features.ADWIN && !context.standardizes()) {
      problems.add(
          "drift.features is adwin, and features aren't standardized, so their means aren't known; set"
              + " input.standardize to on, or leave it out");
    }
    return problems;
  }

  private static Detection detection(Configuration options) {
    return new Detection(
        options.getOptional(DriftOptions.DETECTORS).orElse(List.of()).stream().distinct().toList(),
        options.get(DriftOptions.FEATURES),
        options.get(DriftOptions.CONFIDENCE),
        TOLERANCE,
        THRESHOLD);
  }

  private static Reactions reactions(Configuration options) {
    return new Reactions(
        has(options, Reaction.MORE_ROUNDS) ? STEPS : 1,
        has(options, Reaction.SMALLER_BATCHES) ? BATCH : 1,
        options.get(DriftOptions.EXAMPLES),
        has(options, Reaction.PUBLISH),
        PAUSE);
  }

  private static boolean has(Configuration options, Reaction reaction) {
    return options.getOptional(DriftOptions.REACTIONS).orElse(List.of()).contains(reaction);
  }
}
