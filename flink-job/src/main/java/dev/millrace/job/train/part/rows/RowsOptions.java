package dev.millrace.job.train.part.rows;

import dev.millrace.job.options.OptionGroup;
import dev.millrace.job.options.Range;
import dev.millrace.job.options.Setting;
import dev.millrace.job.options.TableOptions;
import java.util.List;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;

/** What rows of embedding tables are like, and how many are at hand. */
public final class RowsOptions {

  public static final ConfigOption<Integer> PREFETCH =
      ConfigOptions.key("rows.prefetch")
          .intType()
          .defaultValue(1)
          .withDescription(
              "Minibatches whose rows are fetched ahead. 0: none, and one replica repeats bit for bit.");

  public static final ConfigOption<Integer> CACHE =
      ConfigOptions.key("rows.cache")
          .intType()
          .defaultValue(100_000)
          .withDescription("Rows of each table that each replica's process has on the heap.");

  public static final OptionGroup GROUP =
      new OptionGroup(
          "Rows",
          "Embedding tables have a row for each id of fields of the kinds id and ids.",
          List.of(
              Setting.experimental(
                  TableOptions.TABLES, Range.map("settings such as tables.users.dimension: 16")),
              Setting.experimental(PREFETCH, Range.atLeast(0)),
              Setting.experimental(CACHE, Range.atLeast(1))));

  private RowsOptions() {}
}
