package dev.millrace.job.train.part.drift;

import dev.millrace.exchange.drift.Detection;
import dev.millrace.job.options.OptionGroup;
import dev.millrace.job.options.Range;
import dev.millrace.job.options.Setting;
import java.util.List;
import java.util.Locale;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;

/** How drifts are found, and what training does then. */
public final class DriftOptions {

  /** What training does when a drift is found. */
  public enum Reaction {
    MORE_ROUNDS,
    SMALLER_BATCHES,
    PUBLISH;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  public static final ConfigOption<List<Detection.Kind>> DETECTORS =
      ConfigOptions.key("drift.detector")
          .enumType(Detection.Kind.class)
          .asList()
          .noDefaultValue()
          .withDescription("What looks for a rise of the error. Absent: nothing.");

  public static final ConfigOption<Detection.Features> FEATURES =
      ConfigOptions.key("drift.features")
          .enumType(Detection.Features.class)
          .defaultValue(Detection.Features.NONE)
          .withDescription("What looks for a change of each feature.");

  public static final ConfigOption<Double> CONFIDENCE =
      ConfigOptions.key("drift.confidence")
          .doubleType()
          .defaultValue(1e-4)
          .withDescription(
              "False-alarm probability of a single test (adwin, kswin, features). Smaller"
                  + " values detect drifts later.");

  public static final ConfigOption<List<Reaction>> REACTIONS =
      ConfigOptions.key("drift.reaction")
          .enumType(Reaction.class)
          .asList()
          .noDefaultValue()
          .withDescription("What training does at a drift. Absent: nothing.");

  public static final ConfigOption<Long> EXAMPLES =
      ConfigOptions.key("drift.examples")
          .longType()
          .defaultValue(2_000L)
          .withDescription("Examples for which a reaction lasts.");

  public static final OptionGroup GROUP =
      new OptionGroup(
          "Drift",
          "What training does where the stream changes. See"
              + " [changing data](../guides/changing-data.md).",
          List.of(
              Setting.of(DETECTORS, Range.listOf(Range.oneOf(Detection.Kind.class))),
              Setting.experimental(FEATURES, Range.oneOf(Detection.Features.class)),
              Setting.of(CONFIDENCE, Range.fraction()),
              Setting.of(REACTIONS, Range.listOf(Range.oneOf(Reaction.class))),
              Setting.of(EXAMPLES, Range.atLeast(1L))));

  private DriftOptions() {}
}
