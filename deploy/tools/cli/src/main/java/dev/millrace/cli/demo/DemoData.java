package dev.millrace.cli.demo;

import dev.millrace.cli.console.DataArgument;
import dev.millrace.file.DataSpec;
import dev.millrace.file.ExampleSequence;
import dev.millrace.file.ExampleSet;
import dev.millrace.file.FieldTable;
import dev.millrace.file.RecordSequence;
import dev.millrace.file.TableRecords;
import dev.millrace.job.options.CsvOptions;
import dev.millrace.job.options.InputFields;
import dev.millrace.job.options.InputOptions;
import dev.millrace.job.options.InvalidOptionsException;
import dev.millrace.job.setup.JobOptions;
import dev.millrace.job.setup.OptionReader;
import dev.millrace.model.shape.ExampleShape;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.flink.configuration.Configuration;

/**
 * What a demo learns from.
 *
 * @param spec as the user gave it
 * @param set what it describes
 * @param format of the records that it is produced as
 * @param limit examples to take at most
 * @param fieldsOrNull options of a table whose columns are described fields; null where examples
 *     are arrays of numbers
 */
record DemoData(
    DataSpec spec,
    ExampleSet set,
    InputOptions.Format format,
    long limit,
    Configuration fieldsOrNull) {

  DemoData {
    Objects.requireNonNull(spec, "spec");
    Objects.requireNonNull(set, "set");
    Objects.requireNonNull(format, "format");
  }

  /**
   * Opens data, tables as the job's options lay them out and number their classes.
   *
   * @param formatOrNull where the user asks for one
   * @throws InvalidOptionsException if the data can't be read, or an option is wrong
   */
  static DemoData open(
      DataSpec spec, InputOptions.Format formatOrNull, long limit, List<String> arguments) {
    Configuration options = OptionReader.read(arguments);
    JobOptions.checkEach(options);
    InputOptions.Format ofTable =
        formatOrNull == InputOptions.Format.JSON ? formatOrNull : InputOptions.Format.CSV;
    Configuration fields = DemoFields.of(spec, options, ofTable).orElse(null);
    if (fields != null) {
      return new DemoData(spec, DemoFields.open(spec, fields), ofTable, limit, fields);
    }
    ExampleSet set = DataArgument.open(spec, CsvOptions.settings(options));
    InputOptions.Format format =
        formatOrNull == null ? DataArgument.naturalFormat(set) : formatOrNull;
    return new DemoData(spec, set, format, limit, null);
  }

  /**
   * Opens the records that are learned from.
   *
   * @param options of the job
   */
  RecordSequence records(Configuration options) throws IOException {
    if (fieldsOrNull == null) {
      return RecordSequence.of(set.training(), InputOptions.exampleFormat(options, shape()));
    }
    Path file = ((DataSpec.Csv) spec).file();
    FieldTable table = InputFields.table(fieldsOrNull, shape());
    return format == InputOptions.Format.JSON
        ? TableRecords.objects(file, table)
        : TableRecords.lines(file, table);
  }

  /** Returns how many of them are sent. */
  long records() throws IOException {
    if (fieldsOrNull == null) {
      return limit;
    }
    try (ExampleSequence training = set.training()) {
      return Math.min(limit, training.count());
    }
  }

  ExampleShape shape() {
    return set.shape();
  }

  /** Returns what the model is measured by, in the words of {@code evaluation.holdout}. */
  Optional<String> holdOut() {
    boolean none = spec instanceof DataSpec.Csv csv && csv.holdOut() == 0;
    return none ? Optional.empty() : Optional.of(spec.toString());
  }
}
