package dev.millrace.job.options;

import static dev.millrace.job.options.Condition.given;
import static dev.millrace.job.options.Condition.is;
import static dev.millrace.job.options.Dependence.refused;
import static dev.millrace.job.options.Dependence.warned;

import java.util.List;
import java.util.stream.Stream;

/**
 * Which options of a job that only scores act under which condition alone. Nothing is said of those
 * for training: the jobs of a model share a file.
 */
final class ScoringDependences {

  static final List<Dependence> ALL =
      Stream.of(
              refused(given(DeadLetterOptions.TOPIC), DeadLetterOptions.GUARANTEE),
              warned(
                  is(InputOptions.FORMAT, InputOptions.Format.CSV),
                  CsvOptions.LABEL,
                  CsvOptions.SEPARATOR),
              warned(is(ScoringOptions.BOUNDED, false), InputOptions.PARTITION_DISCOVERY))
          .flatMap(List::stream)
          .toList();

  private ScoringDependences() {}
}
