package dev.millrace.job.train.options;

import dev.millrace.exchange.aggregate.Aggregator;
import dev.millrace.exchange.aggregate.AggregatorExtension;
import dev.millrace.exchange.aggregate.ServerOptimizer;
import dev.millrace.exchange.aggregate.ServerOptimizerExtension;
import dev.millrace.exchange.codec.Codec;
import dev.millrace.exchange.codec.CodecExtension;
import dev.millrace.exchange.schedule.Schedule;
import dev.millrace.exchange.schedule.ScheduleExtension;
import dev.millrace.extension.Extension;
import dev.millrace.extension.Extensions;
import dev.millrace.job.options.Condition;
import dev.millrace.job.options.OptionRules;
import dev.millrace.job.options.Range;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;

/** What a job uses of somebody else's jars, which other options name. */
public final class ExtensionOptions {

  /** What options begin with that extensions judge themselves. */
  public static final String OWN = "extension.options.";

  private ExtensionOptions() {}

  /** The names of what is built in, or the full name of a class of somebody else's. */
  static Range<String> range(Class<? extends Enum<?>> builtIn) {
    List<String> names = Stream.of(builtIn.getEnumConstants()).map(Object::toString).toList();
    return Range.text(
        String.join(", ", names) + " or a class's full name",
        value -> names.contains(value) || isClass(value));
  }

  /** Returns what an option names of what is built in. */
  public static <E extends Enum<E>> E builtIn(
      Configuration options, ConfigOption<String> option, Class<E> kind) {
    String name = options.get(option);
    return Stream.of(kind.getEnumConstants())
        .filter(one -> one.toString().equals(name))
        .findFirst()
        .orElseThrow();
  }

  /** An option names what is built in, and not a class. */
  public static Condition builtIn(ConfigOption<String> option) {
    return new Condition(
        "with a built-in " + option.key(), options -> !isClass(options.get(option)));
  }

  /** An option names a class. */
  public static Condition isClass(ConfigOption<String> option) {
    return new Condition("a class as " + option.key(), options -> isClass(options.get(option)));
  }

  private static boolean isClass(String name) {
    return name.matches("[\\w$]+(\\.[\\w$]+)+");
  }

  public static Optional<Aggregator> aggregator(Configuration options) {
    return create(options, ExchangeOptions.AGGREGATOR, AggregatorExtension.class);
  }

  public static Optional<ServerOptimizer> serverOptimizer(Configuration options) {
    return create(options, ExchangeOptions.SERVER_OPTIMIZER, ServerOptimizerExtension.class);
  }

  public static Optional<Schedule> schedule(Configuration options) {
    return create(options, ExchangeOptions.SCHEDULE, ScheduleExtension.class);
  }

  public static Optional<Codec> codec(Configuration options) {
    return create(options, CodecOptions.CONTRIBUTIONS, CodecExtension.class);
  }

  private static <T, E extends Extension<T>> Optional<T> create(
      Configuration options, ConfigOption<String> option, Class<E> kind) {
    return options
        .getOptional(option)
        .filter(ExtensionOptions::isClass)
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
  public static void check(OptionRules rules) {
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
                    ExchangeOptions.AGGREGATOR.key(),
                    options.get(ExchangeOptions.AGGREGATOR),
                    ExchangeOptions.COMBINE.key(),
                    options.get(ExchangeOptions.COMBINE)));
      }
    } catch (IllegalArgumentException e) {
      rules.broken(e.getMessage());
    }
  }
}
