package dev.millrace.job.options;

import java.time.Duration;
import java.util.List;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;

/** How often the state of the job is made safe. */
public final class CheckpointOptions {

  public static final ConfigOption<Duration> INTERVAL =
      ConfigOptions.key("checkpoint.interval")
          .durationType()
          .defaultValue(Duration.ofSeconds(10))
          .withDescription(
              "Time between checkpoints, each a consistent cut of offsets and model; 0 for none,"
                  + " whatever Flink's own configuration says. Without checkpoints a job that fails"
                  + " begins anew, there are no savepoints to go on from either, and no model is"
                  + " written when the job is stopped.");

  public static final ConfigOption<String> DIRECTORY =
      ConfigOptions.key("checkpoint.directory")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "Where checkpoints are kept; all machines must reach it. Without it, where Flink's own"
                  + " execution.checkpointing.dir says, and in the work directory for millrace"
                  + " train and demo. Where neither is set, models of more than 655,360 values"
                  + " (parameters and updater state) are refused.");

  static final OptionGroup GROUP =
      new OptionGroup(
          "Checkpoints",
          "After a failure the job continues from its last checkpoint, and every record is in the"
              + " model exactly once.",
          List.of(
              Setting.of(INTERVAL, Range.zeroOrAtLeast(Duration.ofMillis(10), "10 ms")),
              Setting.of(DIRECTORY, Range.text("a path or URI"))));

  private CheckpointOptions() {}
}
