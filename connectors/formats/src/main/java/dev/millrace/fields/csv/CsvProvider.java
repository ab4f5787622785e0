package dev.millrace.fields.csv;

import dev.millrace.fields.FieldPlan;
import dev.millrace.fields.RecordFormat;
import dev.millrace.fields.RecordFormatProvider;
import dev.millrace.fields.RecordObjects;
import java.util.List;
import java.util.Map;

/**
 * The format {@code csv}. Its options are {@code csv.separator} and {@code csv.columns}, the names
 * of the columns, one a line.
 */
public final class CsvProvider implements RecordFormatProvider {

  @Override
  public String name() {
    return "csv";
  }

  @Override
  public RecordFormat create(FieldPlan plan, Map<String, String> options) {
    return new CsvRecords(plan, separator(options), columns(options));
  }

  @Override
  public RecordObjects objects(Map<String, String> options) {
    return new CsvObjects(separator(options), columns(options));
  }

  private static char separator(Map<String, String> options) {
    String separator = options.getOrDefault("csv.separator", ",");
    return separator.equals("\\t") ? '\t' : separator.charAt(0);
  }

  private static List<String> columns(Map<String, String> options) {
    String columns = options.getOrDefault("csv.columns", "");
    return columns.isEmpty() ? List.of() : List.of(columns.split("\n", -1));
  }
}
