package dev.millrace.job.options;

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
              "From the tenth round on, a contribution that changes the parameters by more than so"
                  + " many times their own size (L2 norms) is an explosion, and so is one of which any"
                  + " standardized feature lies a hundred times as many deviations from what is"
                  + " known of it; 0 for no such limit.");

  public static final ConfigOption<Integer> MAX_REFUSALS =
      ConfigOptions.key("guard.max-refusals")
          .intType()
          .defaultValue(100)
          .withDescription(
              "Refused contributions in a row of one replica after which the job fails for good; 0"
                  + " for no end.");

  static final OptionGroup GROUP =
      new OptionGroup(
          "Guard",
          "A contribution with NaN, infinite or exploding values is never made: its records count as"
              + " rejected, and its replica goes back to the global model.",
          List.of(
              Setting.of(MAX_CHANGE, Range.zeroOrAtLeast(1.0)),
              Setting.of(MAX_REFUSALS, Range.atLeast(0))));

  private GuardOptions() {}
}
