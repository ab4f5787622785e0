package dev.millrace.job.train.part.forgetting;

import dev.millrace.exchange.forgetting.OlderModelPenalty;
import dev.millrace.exchange.forgetting.OlderModelPenalty.Moment;
import dev.millrace.exchange.hook.ReplicaHookFactory;
import dev.millrace.job.options.Dependence;
import dev.millrace.job.options.OptionGroup;
import dev.millrace.job.options.OptionRules;
import dev.millrace.job.train.part.OptionalPart;
import dev.millrace.job.train.part.PartContext;
import dev.millrace.job.train.part.forgetting.ForgettingOptions.Importance;
import dev.millrace.job.train.part.forgetting.ForgettingOptions.Older;
import java.util.List;
import java.util.Optional;
import org.apache.flink.configuration.Configuration;

/** Keeps replicas near an older model. */
public final class ForgettingPart implements OptionalPart {

  /** Local steps from one measurement of the importance to the next: it costs about a step. */
  private static final int IMPORTANCE_STEPS = 20;

  /** Share of the importance known before that is left when the older model is replaced. */
  private static final double IMPORTANCE_DECAY = 0.9;

  @Override
  public OptionGroup options() {
    return ForgettingOptions.GROUP;
  }

  @Override
  public List<Dependence> dependences() {
    return ForgettingOptions.DEPENDENCES;
  }

  @Override
  public void check(OptionRules rules, boolean steered) {
    Older older = rules.options().get(ForgettingOptions.OLDER_MODEL);
    if (older == Older.PERIODIC) {
      rules.require(ForgettingOptions.GROUP, ForgettingOptions.EVERY);
    }
    if (older == Older.DRIFT && !steered) {
      rules.broken(
          "forgetting.older-model is 'drift', and nothing looks for any; set drift.detector or"
              + " drift.features");
    }
  }

  @Override
  public Optional<ReplicaHookFactory> replicaHook(PartContext context) {
    Configuration options = context.options();
    Older older = options.get(ForgettingOptions.OLDER_MODEL);
    return older == Older.NONE ? Optional.empty() : Optional.of(penalty(older, options));
  }

  private static OlderModelPenalty penalty(Older older, Configuration options) {
    boolean weighed = options.get(ForgettingOptions.IMPORTANCE) == Importance.FISHER;
    return new OlderModelPenalty(
        switch (older) {
          case INITIAL, NONE -> Moment.INITIAL;
          case PERIODIC -> Moment.PERIODIC;
          case DRIFT -> Moment.DRIFT;
        },
        options.getOptional(ForgettingOptions.EVERY).orElse(1L),
        options.get(ForgettingOptions.STRENGTH),
        weighed ? IMPORTANCE_STEPS : 0,
        IMPORTANCE_DECAY);
  }
}
