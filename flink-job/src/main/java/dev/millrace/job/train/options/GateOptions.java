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
              "Each model is measured on the hold-out set, and served only if this metric"
                  + " isn't worse than the served model's by more than gate.margin. Absent: every"
                  + " model is served.");

  public static final ConfigOption<Double> MARGIN =
      ConfigOptions.key("gate.margin")
          .doubleType()
          .defaultValue(0.0)
          .withDescription(
              "How much worse a model may be and still be served, in the metric's unit.");

  public static final OptionGroup GROUP =
      new OptionGroup(
          "Gate",
          "A model that the gate refuses is written, and isn't served: latest.json still names the"
              + " one before. See snapshots.md.",
          List.of(
              Setting.of(METRIC, Range.oneOf(PublicationGate.Metric.class)),
              Setting.of(MARGIN, Range.atLeast(0.0))));

  private GateOptions() {}
}
