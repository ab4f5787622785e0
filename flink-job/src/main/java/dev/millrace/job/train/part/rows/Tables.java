package dev.millrace.job.train.part.rows;

import dev.millrace.exchange.rows.RowTable;
import dev.millrace.job.options.NearestKey;
import dev.millrace.job.options.OptionRules;
import dev.millrace.job.options.TableOptions;
import dev.millrace.model.shape.IdColumn;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.configuration.Configuration;

/** The tables that fields name, with the settings that options give them. */
final class Tables {

  /**
   * Fields whose rows learn at {@link RowTable#LEARNING_RATE}. With more fields a prediction is a
   * sum of more rows, each of which makes a step: then steps are as much smaller.
   */
  private static final int FIELDS = 8;

  private Tables() {}

  /**
   * Makes the tables of fields, each once.
   *
   * @throws IllegalArgumentException if a setting is wrong
   */
  static List<RowTable> of(List<IdColumn> columns, Configuration options) {
    float rate = learningRate(columns.size());
    Map<String, RowTable> tables = new LinkedHashMap<>();
    for (IdColumn column : columns) {
      tables.computeIfAbsent(
          column.table(),
          name ->
              TableSettings.table(
                  name, column.features().length(), rate, TableOptions.of(options, name)));
    }
    return List.copyOf(tables.values());
  }

  /** Returns the learning rate of tables that say none, with so many fields of ids. */
  static float learningRate(int fields) {
    return RowTable.LEARNING_RATE * FIELDS / Math.max(FIELDS, fields);
  }

  /** Checks all settings, where it is known which fields there are. */
  static void check(List<IdColumn> columns, OptionRules rules) {
    List<String> names = columns.stream().map(IdColumn::table).distinct().sorted().toList();
    rules.options().get(TableOptions.TABLES).keySet().forEach(key -> checkKey(key, names, rules));
    try {
      of(columns, rules.options());
    } catch (IllegalArgumentException e) {
      rules.broken(e.getMessage());
    }
  }

  private static void checkKey(String key, List<String> names, OptionRules rules) {
    String table = TableOptions.tableOf(key);
    String setting = TableOptions.settingOf(key);
    if (!TableSettings.NAMES.contains(setting)) {
      rules.broken(
          "tables.%s is no setting of a table; %s"
              .formatted(
                  key,
                  NearestKey.to(setting, TableSettings.NAMES)
                      .map(nearest -> "did you mean %s?".formatted(nearest))
                      .orElse("choose one of " + String.join(", ", TableSettings.NAMES))));
    } else if (!table.equals(TableOptions.ALL) && !names.contains(table)) {
      rules.broken(
          "tables.%s is of a table that no field names; the fields' tables are %s"
              .formatted(key, String.join(", ", names)));
    }
  }
}
