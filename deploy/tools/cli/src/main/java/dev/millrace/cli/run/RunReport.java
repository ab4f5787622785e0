package dev.millrace.cli.run;

import dev.millrace.cli.console.ProgressLine;
import dev.millrace.cli.console.Screen;
import dev.millrace.cli.progress.MetricsLine;
import dev.millrace.job.options.DeadLetterOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.flink.configuration.Configuration;

/** Shows the end of a run: its figures, its model, its learning curve. */
public final class RunReport {

  private final RunHistory history;
  private final String rejectedRecords;

  /**
   * @param rejectedRecords where they are told of, in words; see {@link #inDeadLetters}
   */
  public RunReport(RunHistory history, String rejectedRecords) {
    this.history = history;
    this.rejectedRecords = rejectedRecords;
  }

  /** Says where a job with these options tells of rejected records. */
  public static String inDeadLetters(Configuration options) {
    return options
        .getOptional(DeadLetterOptions.TOPIC)
        .map(topic -> "the topic %s says which, and why".formatted(topic))
        .orElse("set %s to learn which, and why".formatted(DeadLetterOptions.TOPIC.key()));
  }

  public void show(Screen screen) {
    Summary summary = Summary.of(history);
    screen.say(
        String.format(
            Locale.ROOT,
            "Learned from %,d examples in %s: %,.0f/s, %,d rounds",
            summary.examples(),
            ProgressLine.duration(Math.round(summary.seconds())),
            summary.examplesPerSecond(),
            summary.rounds()));
    history.latest().ifPresent(last -> screen.say("Prequential: " + measures(last)));
    history.latestHoldOut().ifPresent(last -> screen.say("Hold-out:    " + measures(last)));
    if (!history.drifts().isEmpty()) {
      MetricsLine.Drift last = history.drifts().get(history.drifts().size() - 1);
      screen.say(
          String.format(
              Locale.ROOT,
              "Drifts:      %,d; the last after %,d examples, found by %s",
              history.drifts().size(),
              last.examples(),
              last.detector()));
    }
    showRejected(summary, screen);
    screen.say("Model:       " + (summary.model() == null ? "none published" : summary.model()));
  }

  private void showRejected(Summary summary, Screen screen) {
    if (summary.rejected() > 0) {
      screen.say(
          String.format(
              Locale.ROOT,
              "Rejected:    %,d of %,d records; %s",
              summary.rejected(),
              summary.examples() + summary.rejected(),
              rejectedRecords));
    }
    if (summary.refusedContributions() > 0) {
      screen.say(
          String.format(
              Locale.ROOT,
              "Refused:     %,d contributions, made of %,d of these records; the last: %s",
              summary.refusedContributions(),
              summary.refusedRecords(),
              summary.lastRefusal()));
    }
  }

  private static String measures(MetricsLine.Progress last) {
    return measures(last.accuracy(), last.loss(), last.auc(), last.mae(), last.rmse());
  }

  private static String measures(MetricsLine.HoldOut last) {
    return measures(last.accuracy(), last.loss(), last.auc(), last.mae(), last.rmse())
        + String.format(Locale.ROOT, " on %,d examples", last.examples());
  }

  private static String measures(
      Double accuracy, Double loss, Double auc, Double mae, Double rmse) {
    List<String> parts = new ArrayList<>();
    if (accuracy != null) {
      parts.add(String.format(Locale.ROOT, "accuracy %.4f", accuracy));
    }
    if (loss != null) {
      parts.add(String.format(Locale.ROOT, "loss %.4f", loss));
    }
    if (auc != null) {
      parts.add(String.format(Locale.ROOT, "AUC %.4f", auc));
    }
    if (accuracy == null && mae != null) {
      parts.add(String.format(Locale.ROOT, "MAE %.4f", mae));
    }
    if (accuracy == null && rmse != null) {
      parts.add(String.format(Locale.ROOT, "RMSE %.4f", rmse));
    }
    return String.join(", ", parts);
  }
}
