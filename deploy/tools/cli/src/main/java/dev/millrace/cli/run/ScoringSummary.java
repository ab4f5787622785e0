package dev.millrace.cli.run;

import dev.millrace.cli.console.ProgressLine;
import java.util.Locale;

/**
 * A run that scored in figures, for scripts.
 *
 * @param rejected records that were no example
 * @param seconds from the start of the job to its end
 */
record ScoringSummary(long predictions, long rejected, double seconds) {

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "Predicted for %,d examples in %s; %,d records were rejected",
        predictions,
        ProgressLine.duration(Math.round(seconds)),
        rejected);
  }
}
