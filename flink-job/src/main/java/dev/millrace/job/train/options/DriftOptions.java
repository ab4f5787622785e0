package dev.millrace.job.train.options;

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
          .withDescription(
              "What looks for a rise of the prequential error, one or several. Absent: nothing"
                  + " looks.");

  public static final ConfigOption<Detection.Features> FEATURES =
      ConfigOptions.key("drift.features")
          .enumType(Detection.Features.class)
          .defaultValue(Detection.Features.NONE)
          .withDescription(
              "What looks at each feature, too. adwin: a change of the mean of standardized features,"
                  + " round by round. kolmogorov-smirnov: a change of the distribution, by a sample of"
                  + " each contribution's examples. A drift names the features.");

  public static final ConfigOption<Double> CONFIDENCE =
      ConfigOptions.key("drift.confidence")
          .doubleType()
          .defaultValue(1e-4)
          .withDescription(
              "How likely one look of adwin, kswin or at all features may find a drift that is none."
                  + " Less finds drifts later.");

  public static final ConfigOption<Double> TOLERANCE =
      ConfigOptions.key("drift.page-hinkley.tolerance")
          .doubleType()
          .defaultValue(0.01)
          .withDescription("By how much the error may rise without being a drift.");

  public static final ConfigOption<Double> THRESHOLD =
      ConfigOptions.key("drift.page-hinkley.threshold")
          .doubleType()
          .defaultValue(100.0)
          .withDescription(
              "The threshold, divided by the rise of the error, is the delay in examples.");

  public static final ConfigOption<List<Reaction>> REACTIONS =
      ConfigOptions.key("drift.reaction")
          .enumType(Reaction.class)
          .asList()
          .noDefaultValue()
          .withDescription(
              "What training does then, one or several: more rounds or smaller minibatches for a"
                  + " while; publishing the model. Absent: nothing.");

  public static final ConfigOption<Long> PAUSE =
      ConfigOptions.key("drift.pause")
          .longType()
          .defaultValue(2_000L)
          .withDescription(
              "Examples of the whole job after a reaction in which drifts are reported, without another reaction.");

  public static final ConfigOption<Long> EXAMPLES =
      ConfigOptions.key("drift.examples")
          .longType()
          .defaultValue(2_000L)
          .withDescription(
              "Examples of the whole job for which more-rounds and smaller-batches last.");

  public static final ConfigOption<Double> STEPS =
      ConfigOptions.key("drift.local-steps-factor")
          .doubleType()
          .defaultValue(0.34)
          .withDescription("What more-rounds multiplies exchange.local-steps by.");

  public static final ConfigOption<Double> BATCH =
      ConfigOptions.key("drift.batch-factor")
          .doubleType()
          .defaultValue(0.125)
          .withDescription(
              "What smaller-batches multiplies the examples of each replica's minibatches by; one is"
                  + " the least.");

  public static final ConfigOption<Integer> KEEP_PUBLISHED =
      ConfigOptions.key("drift.keep-published")
          .intType()
          .defaultValue(10)
          .withDescription(
              "How many of the newest models that publish has published stay, beside those of"
                  + " snapshot.keep.");

  public static final OptionGroup GROUP =
      new OptionGroup(
          "Drift",
          "What is looked for in a stream that changes, and what training does then."
              + " [Changing data](../guides/changing-data.md) says what helps against what.",
          List.of(
              Setting.of(DETECTORS, Range.listOf(Range.oneOf(Detection.Kind.class))),
              Setting.of(FEATURES, Range.oneOf(Detection.Features.class)),
              Setting.of(CONFIDENCE, Range.fraction()),
              Setting.of(TOLERANCE, Range.atLeast(0.0)),
              Setting.of(THRESHOLD, Range.above(0)),
              Setting.of(REACTIONS, Range.listOf(Range.oneOf(Reaction.class))),
              Setting.of(PAUSE, Range.atLeast(0L)),
              Setting.of(EXAMPLES, Range.atLeast(1L)),
              Setting.of(STEPS, Range.share()),
              Setting.of(BATCH, Range.share()),
              Setting.of(KEEP_PUBLISHED, Range.atLeast(0))));

  private DriftOptions() {}
}
