package dev.millrace.job.train.options;

import dev.millrace.job.options.CheckpointOptions;
import dev.millrace.job.options.OptionGroup;
import dev.millrace.job.options.OptionRules;
import dev.millrace.job.options.Range;
import dev.millrace.job.options.Setting;
import dev.millrace.job.options.SnapshotOptions;
import java.util.List;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;

/** Where it is told which records are in which model. */
public final class LineageOptions {

  public static final ConfigOption<String> URL =
      ConfigOptions.key("lineage.url")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "OpenLineage server that is told of each committed model. Token:"
                  + " OPENLINEAGE_API_KEY of TaskManagers.");

  public static final ConfigOption<String> JOB =
      ConfigOptions.key("lineage.job")
          .stringType()
          .defaultValue("training")
          .withDescription("Name of the job in these events, in the namespace millrace.");

  public static final OptionGroup GROUP =
      new OptionGroup(
          "OpenLineage",
          "A server that is down never stops training.",
          List.of(
              Setting.of(
                  URL,
                  Range.text(
                      "an http or https URL without user and password", MlflowOptions::isHttpUrl)),
              Setting.of(JOB, Range.text("a name"))));

  private LineageOptions() {}

  /** Names what events need that isn't given. */
  public static void check(OptionRules rules) {
    if (!rules.has(URL)) {
      return;
    }
    rules.require(SnapshotOptions.GROUP, SnapshotOptions.DIRECTORY);
    if (rules.options().get(CheckpointOptions.INTERVAL).isZero()) {
      rules.broken(
          "execution.checkpointing.interval is '0', so no model is ever committed, and lineage.url tells"
              + " of committed models alone; set an interval");
    }
  }
}
