package dev.millrace.job.train.options;

import dev.millrace.exchange.aggregate.Aggregator;
import dev.millrace.exchange.aggregate.AggregatorExtension;
import dev.millrace.exchange.aggregate.ServerOptimizer;
import dev.millrace.exchange.aggregate.ServerOptimizerExtension;
import dev.millrace.exchange.codec.Codec;
import dev.millrace.exchange.codec.CodecExtension;
import dev.millrace.exchange.round.Schedule;
import dev.millrace.exchange.round.ScheduleExtension;
import dev.millrace.extension.Extension;
import dev.millrace.extension.Extensions;
import dev.millrace.job.options.OptionGroup;
import dev.millrace.job.options.OptionRules;
import dev.millrace.job.options.Range;
import dev.millrace.job.options.Setting;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.Configuration;

/** What a job uses of somebody else's jars. */
public final class ExtensionOptions {

  /** What options begin with that extensions judge themselves. */
  public static final String OWN = "extension.options.";

  public static final ConfigOption<String> AGGREGATOR =
      name("extension.aggregator", "Combines contributions, in place of exchange.aggregator.");

  public static final ConfigOption<String> SERVER_OPTIMIZER =
      name(
          "extension.server-optimizer",
          "Moves the global model by a round's change, in place of exchange.server-optimizer.");

  public static final ConfigOption<String> SCHEDULE =
      name(
          "extension.schedule",
          "Says when replicas contribute and whether they wait, in place of exchange.schedule.");

  public static final ConfigOption<String> CODEC =
      name("extension.codec", "Encodes contributions, in place of exchange.codec.contributions.");

  public static final OptionGroup GROUP =
      new OptionGroup(
          "Extensions",
          "Classes of your own, named as their jars name them (extensions.md). Options that begin with"
              + " extension.options. are theirs.",
          List.of(
              Setting.of(AGGREGATOR, Range.text("the name of an extension")),
              Setting.of(SERVER_OPTIMIZER, Range.text("the name of an extension")),
              Setting.of(SCHEDULE, Range.text("the name of an extension")),
              Setting.of(CODEC, Range.text("the name of an extension"))));

  private ExtensionOptions() {}

  private static ConfigOption<String> name(String key, String meaning) {
    return ConfigOptions.key(key).stringType().noDefaultValue().withDescription(meaning);
  }

  public static Optional<Aggregator> aggregator(Configuration options) {
    return create(options, AGGREGATOR, AggregatorExtension.class);
  }

  public static Optional<ServerOptimizer> serverOptimizer(Configuration options) {
    return create(options, SERVER_OPTIMIZER, ServerOptimizerExtension.class);
  }

  public static Optional<Schedule> schedule(Configuration options) {
    return create(options, SCHEDULE, ScheduleExtension.class);
  }

  public static Optional<Codec> codec(Configuration options) {
    return create(options, CODEC, CodecExtension.class);
  }

  private static <T, E extends Extension<T>> Optional<T> create(
      Configuration options, ConfigOption<String> option, Class<E> kind) {
    return options
        .getOptional(option)
        .map(
            name -> {
              try {
                return Extensions.create(kind, name, own(options));
              } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(
                    "%s is '%s': %s".formatted(option.key(), name, e.getMessage()), e);
              }
            });
  }

  private static Map<String, String> own(Configuration options) {
    Map<String, String> own = new TreeMap<>();
    options
        .toMap()
        .forEach(
            (key, value) -> {
              if (key.startsWith(OWN)) {
                own.put(key.substring(OWN.length()), value);
              }
            });
    return own;
  }

  /** Makes each that is named. */
  static void check(OptionRules rules) {
    Configuration options = rules.options();
    try {
      Optional<ServerOptimizer> unusedOptimizer = serverOptimizer(options);
      Optional<Schedule> unusedSchedule = schedule(options);
      Optional<Codec> unusedCodec = codec(options);
      boolean inParts = aggregator(options).map(Aggregator::combinesInParts).orElse(true);
      if (!inParts && options.get(ExchangeOptions.COMBINE) != ExchangeOptions.FirstLevel.OFF) {
        rules.broken(
            "%s is '%s', which needs all contributions at once, and %s is '%s'; leave one of them out"
                .formatted(
                    AGGREGATOR.key(),
                    options.get(AGGREGATOR),
                    ExchangeOptions.COMBINE.key(),
                    options.get(ExchangeOptions.COMBINE)));
      }
    } catch (IllegalArgumentException e) {
      rules.broken(e.getMessage());
    }
  }
}
