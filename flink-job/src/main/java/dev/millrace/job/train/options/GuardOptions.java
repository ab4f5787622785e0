package dev.millrace.job.train.options;

import dev.millrace.job.options.OptionGroup;
import dev.millrace.job.options.Range;
import dev.millrace.job.options.Setting;
import java.util.List;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;

/** What keeps a diverging replica out of the model. */
public final class GuardOptions {

  public static final ConfigOption<Double> MAX_CHANGE =
      ConfigOptions.key("guard.max-change")
          .doubleType()
          .defaultValue(10.0)
          .withDescription(
              "A contribution that changes parameters by more than this multiple is refused."
                  + " 0: none.");

  public static final ConfigOption<Integer> MAX_REFUSALS =
      ConfigOptions.key("guard.max-refusals")
          .intType()
          .defaultValue(100)
          .withDescription("Refusals in a row of one replica that fail the job. 0: never.");

  public static final OptionGroup GROUP =
      new OptionGroup(
          "Guard",
          "A contribution with NaN, infinite or exploding values is refused.",
          List.of(
              Setting.of(MAX_CHANGE, Range.zeroOrAtLeast(1.0)),
              Setting.of(MAX_REFUSALS, Range.atLeast(0))));

  private GuardOptions() {}
}
