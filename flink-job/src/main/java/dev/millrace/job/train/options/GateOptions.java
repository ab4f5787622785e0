package dev.millrace.job.train.options;

import dev.millrace.job.options.OptionGroup;
import dev.millrace.job.options.Range;
import dev.millrace.job.options.Setting;
import dev.millrace.snapshot.PublicationGate;
import java.util.List;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;

/** Which published models may be served. */
public final class GateOptions {

  public static final ConfigOption<PublicationGate.Metric> METRIC =
      ConfigOptions.key("gate.metric")
          .enumType(PublicationGate.Metric.class)
          .noDefaultValue()
          .withDescription(
              "A model that is worse by this metric on the hold-out set isn't served.");

  public static final ConfigOption<Double> MARGIN =
      ConfigOptions.key("gate.margin")
          .doubleType()
          .defaultValue(0.0)
          .withDescription("How much worse it may be.");

  public static final OptionGroup GROUP =
      new OptionGroup(
          "Gate",
          "A refused model is written, and isn't served.",
          List.of(
              Setting.of(METRIC, Range.oneOf(PublicationGate.Metric.class)),
              Setting.of(MARGIN, Range.atLeast(0.0))));

  private GateOptions() {}
}
