package dev.millrace.cli.timeline;

import dev.millrace.cli.timeline.TimelineSummary.Slowest;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Sentences that name where the time goes and the options that change it. */
final class Advice {

  /** The share of the time from which on something is worth a change. */
  private static final double MUCH = 0.1;

  /**
   * The share of the time from which on what no phase explains is worth a word; a job's start is
   * part of it.
   */
  private static final double MUCH_OTHER = 0.2;

  private Advice() {}

  /** Returns at least one sentence. {@code slowestOrNull}: of several replicas. */
  static List<String> on(Map<Phase, Double> shares, Slowest slowestOrNull) {
    List<String> advice = new ArrayList<>();
    double wait = shares.get(Phase.WAIT);
    if (slowestOrNull != null && slowestOrNull.othersWait() >= MUCH) {
      advice.add(
          format(
              "Replica %d makes the others wait for %s of the time: a step takes it %s, them %s."
                  + " exchange.straggler-wait lets rounds continue without a straggler,"
                  + " exchange.schedule overlap lets replicas train on meanwhile.",
              slowestOrNull.replica(),
              percent(slowestOrNull.othersWait()),
              Millis.text(slowestOrNull.stepTime()),
              Millis.text(slowestOrNull.othersStepTime())));
    } else if (wait >= MUCH) {
      advice.add(
          format(
              "Replicas wait for each other for %s of the time, for none of them in particular:"
                  + " exchange.schedule overlap lets them train on meanwhile, a higher"
                  + " exchange.local-steps makes it less often.",
              percent(wait)));
    }
    double exchange =
        shares.get(Phase.ENCODE) + shares.get(Phase.EXCHANGE) + shares.get(Phase.APPLY);
    if (exchange >= MUCH) {
      advice.add(
          format(
              "The exchange takes %s of the time, encoding and applying included: raise"
                  + " exchange.local-steps, or set exchange.overhead to the share that it may take.",
              percent(exchange)));
    }
    if (shares.get(Phase.OTHER) >= MUCH_OTHER) {
      advice.add(
          format(
              "For %s of the time replicas do none of this: they lack examples, take checkpoints,"
                  + " or start.",
              percent(shares.get(Phase.OTHER))));
    }
    if (advice.isEmpty()) {
      advice.add(
          format(
              "Local fits take %s of the time; nothing here asks for a change.",
              percent(shares.get(Phase.FIT))));
    }
    return advice;
  }

  private static String format(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }

  private static String percent(double share) {
    return format("%.0f %%", 100 * share);
  }
}
