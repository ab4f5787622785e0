package dev.millrace.job.train.rebuild;

import dev.millrace.example.LagSettings.By;
import dev.millrace.exchange.log.RecordRun;
import dev.millrace.exchange.log.RecordSet;
import dev.millrace.exchange.log.UnusableLogException;
import dev.millrace.job.options.LagOptions;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.apache.flink.configuration.Configuration;

/**
 * Labels that sources keep, to be features of records that come later. They are in a savepoint, and
 * nobody takes them out of it.
 */
final class KeptLabels {

  private KeptLabels() {}

  /**
   * Checks that sources keep no label of some records.
   *
   * @param records that are to be forgotten
   * @param examples all that the job has learned or held out
   * @throws UnusableLogException if they may
   */
  static void requireNoneOf(
      RecordSet records, Supplier<RecordSet> examples, Configuration options) {
    int lags = options.get(LagOptions.LAGS);
    if (lags == 0) {
      return;
    }
    if (options.get(LagOptions.BY) == By.KEY) {
      throw new UnusableLogException(
          "With %s: key sources keep keys and their labels in savepoints, and nobody takes them out there"
              .formatted(LagOptions.BY.key()));
    }
    RecordSet all = examples.get();
    for (RecordRun run : records.runs()) {
      requireBehind(run, lags, all);
    }
  }

  private static void requireBehind(RecordRun run, int lags, RecordSet examples) {
    long next = run.end();
    for (int behind = 0; behind < lags; behind++) {
      OptionalLong example = examples.next(run.topic(), run.partition(), next);
      if (example.isEmpty()) {
        throw new UnusableLogException(
            ("Record %s of %s-%s is among the last %s of its partition, whose labels are features of"
                    + " the next ones (%s). Let the job learn %s more of that partition, and stop it"
                    + " again")
                .formatted(
                    run.end() - 1,
                    run.topic(),
                    run.partition(),
                    lags,
                    LagOptions.LAGS.key(),
                    lags - behind));
      }
      next = example.getAsLong() + 1;
    }
  }
}
