package dev.millrace.cli.proposal;

import dev.millrace.cli.describe.Yaml;
import dev.millrace.fields.Envelope;
import dev.millrace.job.options.CsvOptions;
import dev.millrace.job.options.InputOptions;
import dev.millrace.job.options.RecordSchemaOptions;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;

/** Lines of a proposal that say how records are written, beside their format. */
final class RecordLayout {

  private RecordLayout() {}

  /** Returns those of a topic's records. */
  static List<String> ofRecords(Configuration options, Envelope envelope, KeptOptions kept) {
    String format = options.get(InputOptions.FORMAT);
    List<String> layout = new ArrayList<>();
    if (envelope != Envelope.NONE) {
      layout.add("envelope: " + envelope);
    }
    if (format.equals("csv")) {
      layout.addAll(ofLines(CsvOptions.settings(options).separator(), columns(options), false));
    }
    if (format.equals("avro") || format.startsWith("protobuf")) {
      for (ConfigOption<String> option :
          List.of(RecordSchemaOptions.SCHEMA, RecordSchemaOptions.PROTOBUF_MESSAGE)) {
        options
            .getOptional(option)
            .ifPresent(
                value ->
                    layout.add(
                        option.key().substring("input.".length()) + ": " + Yaml.text(value)));
      }
    }
    if (format.equals("avro-confluent")) {
      layout.addAll(kept.registry(options));
    }
    return layout;
  }

  /**
   * Returns those of a table's lines.
   *
   * @param nameless where the table has no header
   */
  static List<String> ofLines(char separator, List<String> columns, boolean nameless) {
    List<String> layout = new ArrayList<>();
    if (nameless) {
      layout.add("# The table has no header: columns are called by their places.");
    }
    if (separator != ',') {
      layout.add(
          "csv.separator: " + Yaml.text(separator == '\t' ? "\\t" : String.valueOf(separator)));
    }
    if (!columns.isEmpty()) {
      layout.add("csv.columns: " + Yaml.list(columns));
    }
    return layout;
  }

  /** Returns the columns that the options name. */
  static List<String> columns(Configuration options) {
    return options.getOptional(CsvOptions.COLUMNS).orElse(List.of());
  }
}
