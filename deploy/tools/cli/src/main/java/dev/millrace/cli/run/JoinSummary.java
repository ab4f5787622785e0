package dev.millrace.cli.run;

import dev.millrace.cli.console.ProgressLine;
import java.util.Locale;

/**
 * A run that joined in figures, for scripts.
 *
 * @param negatives features without a label that went on as negative ones
 * @param unlabelled features without a label that were left out
 * @param seconds from the start of the job to its end
 */
record JoinSummary(
    long pairs,
    long negatives,
    long unlabelled,
    long late,
    long duplicates,
    long rejected,
    double seconds) {

  /** Writes the counts without the time. */
  String counts() {
    return String.format(
        Locale.ROOT,
        "%,d pairs, %,d negative, %,d without a label, %,d late, %,d duplicates, %,d rejected",
        pairs,
        negatives,
        unlabelled,
        late,
        duplicates,
        rejected);
  }

  @Override
  public String toString() {
    return "Joined in %s: %s".formatted(ProgressLine.duration(Math.round(seconds)), counts());
  }
}
