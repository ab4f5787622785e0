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
              "From the tenth round, a contribution is an explosion that changes the parameters by"
                  + " more than this multiple of their L2 norm, or an unclipped standardized feature"
                  + " by a hundred times as many deviations. 0: no limit.");

  public static final ConfigOption<Integer> MAX_REFUSALS =
      ConfigOptions.key("guard.max-refusals")
          .intType()
          .defaultValue(100)
          .withDescription(
              "Refused contributions of one replica in a row after which the job fails"
                  + " permanently. 0: it never fails for them.");

  public static final OptionGroup GROUP =
      new OptionGroup(
          "Guard",
          "A contribution with NaN, infinite or exploding values is never made: its records count as"
              + " rejected, and its replica returns to the global model.",
          List.of(
              Setting.of(MAX_CHANGE, Range.zeroOrAtLeast(1.0)),
              Setting.of(MAX_REFUSALS, Range.atLeast(0))));

  private GuardOptions() {}
}
