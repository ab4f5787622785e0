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
          .withDescription("How long flink run waits for free slots. 0: it doesn't look.");

  public static final OptionGroup GROUP =
      new OptionGroup(
          "Submission",
          "What the client does before it submits.",
          List.of(Setting.of(SLOT_WAIT, Range.zeroOrAtLeast(Duration.ofMillis(100), "100 ms"))));

  private SubmissionOptions() {}
}
