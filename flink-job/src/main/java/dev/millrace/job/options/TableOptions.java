package dev.millrace.job.options;

import dev.millrace.fields.TableDimensions;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.Configuration;

/** Settings of embedding tables, by the names of tables. */
public final class TableOptions {

  public static final ConfigOption<Map<String, String>> TABLES =
      ConfigOptions.key("tables")
          .mapType()
          .noDefaultValue()
          .withDescription(
              "Settings of embedding tables, as tables.NAME.SETTING: dimension, updater,"
                  + " learning-rate, l2, spread, admit-after, expire-after, most-rows, most-bytes."
                  + " The name * is for all tables.");

  public static final String DIMENSION = "dimension";

  /** Names all tables that don't have a setting of their own. */
  public static final String ALL = "*";

  private TableOptions() {}

  /** Returns a table's settings by their names: its own, and those of all tables. */
  public static Map<String, String> of(Configuration options, String table) {
    Map<String, String> all = settings(options, ALL);
    all.putAll(settings(options, table));
    return all;
  }

  private static Map<String, String> settings(Configuration options, String table) {
    Map<String, String> settings = new TreeMap<>();
    options
        .getOptional(TABLES)
        .orElse(Map.of())
        .forEach(
            (key, value) -> {
              if (tableOf(key).equals(table)) {
                settings.put(settingOf(key), value);
              }
            });
    return settings;
  }

  /** Returns the table of a key under {@link #TABLES}, which may have points itself. */
  public static String tableOf(String key) {
    return key.substring(0, Math.max(0, key.lastIndexOf('.')));
  }

  /** Returns the name of the setting of a key under {@link #TABLES}. */
  public static String settingOf(String key) {
    return key.substring(key.lastIndexOf('.') + 1);
  }

  /** Returns how many values a table's rows have; the usual number where nobody says a number. */
  static int dimension(Configuration options, String table) {
    String dimension = of(options, table).get(DIMENSION);
    try {
      return dimension == null ? TableDimensions.DEFAULT : Integer.parseInt(dimension.strip());
    } catch (NumberFormatException e) {
      // The rules of tables tell it.
      return TableDimensions.DEFAULT;
    }
  }
}
