package dev.millrace.job.train.options;

import dev.millrace.job.options.OptionGroup;
import dev.millrace.job.options.Range;
import dev.millrace.job.options.Setting;
import java.util.List;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;

/** How it is measured whether a network can still learn. */
public final class PlasticityOptions {

  public static final ConfigOption<Integer> EVERY =
      ConfigOptions.key("plasticity.every")
          .intType()
          .defaultValue(0)
          .withDescription(
              "Rounds between two measurements of the network: dead units, effective rank of"
                  + " activations, norms and updates of each layer, of the first replica. 0: none.");

  public static final OptionGroup GROUP =
      new OptionGroup(
          "Plasticity",
          "A network that learns for long may lose the ability to learn: units die, activations lose"
              + " rank, weights grow. forgetting.anchor initial keeps it.",
          List.of(Setting.of(EVERY, Range.atLeast(0))));

  private PlasticityOptions() {}
}
