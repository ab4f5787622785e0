package dev.millrace.cli.proposal;

import dev.millrace.cli.describe.Sample;
import dev.millrace.cli.describe.SampledRecords;
import dev.millrace.file.FieldTable;
import dev.millrace.file.RecordTexts;
import dev.millrace.file.TableRecords;
import dev.millrace.job.options.InputFields;
import dev.millrace.job.options.InputOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.flink.configuration.Configuration;

/** A sample and its records, as options have them. */
public final class SampleOptions {

  private SampleOptions() {}

  /** Makes an empty sample of which the options may say what texts stand for. */
  public static Sample sample(Configuration options) {
    return new Sample(
        options.getOptional(InputOptions.MISSING).orElse(List.of()),
        options.getOptional(InputOptions.DECIMAL).map(sign -> sign.charAt(0)).orElse(null));
  }

  /**
   * Opens the records of a file as they are produced with proposed options.
   *
   * @param json whether it is no table
   * @throws IOException if it can't be read
   */
  public static SampledRecords records(Path file, boolean json, Configuration options)
      throws IOException {
    if (json) {
      return SampledRecords.of(RecordTexts.open(file));
    }
    FieldTable table = InputFields.table(options, InputOptions.shape(options));
    return SampledRecords.of(
        options.get(InputOptions.FORMAT).equals("csv")
            ? TableRecords.lines(file, table)
            : TableRecords.objects(file, table));
  }
}
