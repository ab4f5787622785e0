package dev.millrace.job.options;

import java.time.Duration;
import java.util.List;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;

/** What the client does before it submits the job. */
public final class SubmissionOptions {

  public static final ConfigOption<Duration> SLOT_WAIT =
      ConfigOptions.key("submission.slot-wait")
          .durationType()
          .defaultValue(Duration.ofSeconds(10))
          .withDescription(
              "How long to wait for enough free slots before the job is refused; Flink itself"
                  + " would take it, and fail it after minutes. 0 for not looking: for clusters that"
                  + " add TaskManagers on demand. Only standalone session clusters are looked at,"
                  + " and those without the adaptive scheduler.");

  static final OptionGroup GROUP =
      new OptionGroup(
          "Submission",
          "What the client does before it submits the job.",
          List.of(Setting.of(SLOT_WAIT, Range.zeroOrAtLeast(Duration.ofMillis(100), "100 ms"))));

  private SubmissionOptions() {}
}
