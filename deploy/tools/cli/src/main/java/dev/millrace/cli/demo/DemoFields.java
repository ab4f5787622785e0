package dev.millrace.cli.demo;

import dev.millrace.cli.describe.Proposal;
import dev.millrace.cli.describe.SampledFile;
import dev.millrace.cli.describe.Yaml;
import dev.millrace.cli.proposal.SampleOptions;
import dev.millrace.file.DataSpec;
import dev.millrace.file.ExampleSet;
import dev.millrace.job.options.CsvOptions;
import dev.millrace.job.options.InputFields;
import dev.millrace.job.options.InputOptions;
import dev.millrace.job.options.InvalidOptionsException;
import dev.millrace.job.setup.OptionReader;
import dev.millrace.model.io.Reason;
import dev.millrace.model.shape.ExampleShape;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.flink.configuration.Configuration;

/** Describes the fields of a table with words, which nobody has described. */
final class DemoFields {

  /** Enough to see whether a column holds words. */
  private static final long FEW_ROWS = 1000;

  private static final long MOST_ROWS = 1_000_000;

  private DemoFields() {}

  /**
   * Options of the input with a description: the user's own, or one that follows from the table.
   * Empty where the data is no table, or one of numbers.
   *
   * @param given the user's
   * @param format of the records, csv or json
   */
  static Optional<Configuration> of(
      DataSpec spec, Configuration given, InputOptions.Format format) {
    if (InputFields.areGiven(given)) {
      return Optional.of(InputFields.complete(new Configuration(given)));
    }
    if (!(spec instanceof DataSpec.Csv csv)) {
      return Optional.empty();
    }
    char separator = CsvOptions.settings(given).separator();
    boolean first = given.get(CsvOptions.LABEL) == CsvOptions.LabelPosition.FIRST;
    try {
      if (!sampled(csv, separator, given, FEW_ROWS).hasWords(first)) {
        return Optional.empty();
      }
      SampledFile sampled = sampled(csv, separator, given, MOST_ROWS);
      Configuration options =
          OptionReader.parse(
              // Rows would end with the demo's broker, and the models are there to be used later.
              new Proposal(
                      sampled.sample(), spec.toString(), sampled.label(first), sampled.remarks())
                  .withoutIds()
                  .text(
                      List.of(),
                      DemoOptions.TOPIC,
                      format.toString(),
                      format == InputOptions.Format.CSV ? layout(sampled.columns()) : List.of()));
      options.addAll(given);
      return Optional.of(InputFields.complete(options));
    } catch (IOException e) {
      // Told where the table is opened as one of numbers.
      return Optional.empty();
    }
  }

  private static SampledFile sampled(
      DataSpec.Csv csv, char separator, Configuration given, long rows) throws IOException {
    List<String> columns = given.getOptional(CsvOptions.COLUMNS).orElse(List.of());
    return SampledFile.table(csv.file(), separator, columns, SampleOptions.sample(given), rows);
  }

  private static List<String> layout(List<String> names) {
    return names.isEmpty() ? List.of() : List.of("csv.columns: " + Yaml.list(names));
  }

  /**
   * Opens the table.
   *
   * @throws InvalidOptionsException if it can't be read, or the description doesn't fit
   */
  static ExampleSet open(DataSpec spec, Configuration fields) {
    ExampleShape shape =
        InputOptions.shapeIfGiven(fields)
            .orElseThrow(
                () ->
                    new InvalidOptionsException(
                        List.of(
                            "%s is missing; it must be the number of classes"
                                .formatted(InputOptions.OUTPUTS.key()))));
    try {
      return spec.openFields(InputFields.table(fields, shape));
    } catch (IOException | IllegalArgumentException e) {
      throw new InvalidOptionsException(
          List.of("--data is '%s'. %s".formatted(spec, Reason.of(e))));
    }
  }
}
