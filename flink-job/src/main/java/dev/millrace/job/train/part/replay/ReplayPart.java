package dev.millrace.job.train.part.replay;

import static dev.millrace.job.options.Dependence.refused;

import dev.millrace.exchange.hook.ReplicaHookFactory;
import dev.millrace.exchange.replay.Keep;
import dev.millrace.exchange.replay.ReplaySettings;
import dev.millrace.job.options.Condition;
import dev.millrace.job.options.Dependence;
import dev.millrace.job.options.InputOptions;
import dev.millrace.job.options.InvalidOptionsException;
import dev.millrace.job.options.ModelOptions;
import dev.millrace.job.options.OptionGroup;
import dev.millrace.job.options.OptionRules;
import dev.millrace.job.options.StructureOptions;
import dev.millrace.job.train.part.OptionalPart;
import dev.millrace.job.train.part.PartContext;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.configuration.Configuration;

/** Has replicas learn older examples again. */
public final class ReplayPart implements OptionalPart {

  /**
   * The most numbers of the examples that a replica keeps, so that features and labels each fit
   * into an array.
   */
  private static final long MOST_FLOATS = 500_000_000;

  @Override
  public OptionGroup options() {
    return ReplayOptions.GROUP;
  }

  @Override
  public List<Dependence> dependences() {
    return refused(
        new Condition("with replay.size above 0", ReplayPart::isOn),
        ReplayOptions.KEEP,
        ReplayOptions.SHARE,
        ReplayOptions.HALF_LIFE,
        ReplayOptions.DISTILLATION);
  }

  @Override
  public Map<String, String> streaming(Configuration given) {
    return Map.of("replay.size", "2000", "replay.keep", "recent", "replay.share", "0.875");
  }

  @Override
  public void check(OptionRules rules, boolean steered) {
    Configuration options = rules.options();
    boolean classes =
        options.get(InputOptions.TARGET) == Target.CLASSIFICATION
            && !rules.has(StructureOptions.SEQUENCE_STEPS)
            && !rules.has(StructureOptions.GRAPH_OUTPUTS);
    if (options.get(ReplayOptions.KEEP) == Keep.CLASS_BALANCED && !classes) {
      rules.broken(
          "replay.keep is 'class-balanced', and examples have no class each; take reservoir or recent");
    }
  }

  @Override
  public Optional<ReplicaHookFactory> replicaHook(PartContext context) {
    Configuration options = context.options();
    if (!isOn(options)) {
      return Optional.empty();
    }
    requireRoom(options.get(ReplayOptions.SIZE), context.shape());
    return Optional.of(
        new ReplaySettings(
            options.get(ReplayOptions.SIZE),
            options.get(ReplayOptions.KEEP),
            options.get(ReplayOptions.SHARE),
            ReplayOptions.halfLife(options),
            options.get(ReplayOptions.DISTILLATION),
            options.get(ModelOptions.SEED)));
  }

  private static boolean isOn(Configuration options) {
    return options.get(ReplayOptions.SIZE) > 0;
  }

  private static void requireRoom(int size, ExampleShape shape) {
    long floats = (long) shape.features() + shape.labels();
    if (size * floats > MOST_FLOATS) {
      throw new InvalidOptionsException(
          List.of(
              ("replay.size is '%s': with %s features and %s labels each, those of all steps and"
                      + " the label lags included, that is more than the 2 GB that a replica can keep;"
                      + " keep at most %s")
                  .formatted(size, shape.features(), shape.labels(), MOST_FLOATS / floats)));
    }
  }
}
