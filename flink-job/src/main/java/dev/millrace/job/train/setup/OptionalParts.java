package dev.millrace.job.train.setup;

import dev.millrace.exchange.hook.ReplicaHookFactory;
import dev.millrace.exchange.steering.CoordinatorHookFactory;
import dev.millrace.exchange.steering.NoSteering;
import dev.millrace.job.options.Condition;
import dev.millrace.job.options.Dependence;
import dev.millrace.job.options.KafkaOptions;
import dev.millrace.job.options.OptionGroup;
import dev.millrace.job.options.OptionRules;
import dev.millrace.job.train.SideLoop;
import dev.millrace.job.train.options.JobPreset;
import dev.millrace.job.train.part.OptionalPart;
import dev.millrace.job.train.part.PartContext;
import dev.millrace.job.train.part.PartTopic;
import dev.millrace.job.train.publish.ModelStream;
import dev.millrace.kafka.topic.CompactedTopic;
import dev.millrace.model.InitialModel;
import dev.millrace.model.ModelDefinition;
import dev.millrace.model.ModelEngine;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;

/**
 * All optional parts of training, found by {@link ServiceLoader}: each has a line in its file, in
 * whose order they are asked.
 */
public final class OptionalParts {

  private static final List<OptionalPart> ALL =
      ServiceLoader.load(OptionalPart.class, OptionalPart.class.getClassLoader()).stream()
          .map(ServiceLoader.Provider::get)
          .toList();

  private OptionalParts() {}

  /** Returns the options of each. */
  public static List<OptionGroup> options() {
    return ALL.stream().map(OptionalPart::options).toList();
  }

  /** Returns these options, and what their preset adds to them. */
  public static Configuration complete(Configuration options) {
    return JobPreset.complete(options, ALL.stream().map(part -> part.streaming(options)).toList());
  }

  static List<Dependence> dependences() {
    return ALL.stream().flatMap(part -> part.dependences().stream()).toList();
  }

  static void check(OptionRules rules) {
    boolean steered = ALL.stream().anyMatch(part -> part.steers(rules.options()));
    ALL.forEach(part -> part.check(rules, steered));
  }

  static InitialModel define(
      ModelDefinition definition, ModelEngine engine, Configuration options) {
    return ALL.stream()
        .flatMap(part -> part.define(definition, engine, options).stream())
        .findFirst()
        .orElseGet(() -> engine.define(definition));
  }

  static List<ReplicaHookFactory> replicaHooks(PartContext context) {
    return ALL.stream().flatMap(part -> part.replicaHook(context).stream()).toList();
  }

  static List<SideLoop> loops(PartContext context) {
    return ALL.stream().flatMap(part -> part.loop(context).stream()).toList();
  }

  /** Whether a part keeps more than the heap may have room for. */
  public static boolean needDisk(Configuration options) {
    return ALL.stream().anyMatch(part -> part.needsDisk(options));
  }

  /** Whether replicas tell what they do, for the training log. */
  static boolean log(Configuration options) {
    return ALL.stream().anyMatch(part -> part.logs(options));
  }

  private static Stream<PartTopic> topics() {
    return ALL.stream().flatMap(part -> part.topic().stream());
  }

  /** Returns the options of parts that are refused where Millrace doesn't make the whole job. */
  public static ConfigOption<?>[] ofWholeJobs() {
    return ALL.stream()
        .flatMap(part -> part.ofWholeJobs().stream())
        .toArray(ConfigOption<?>[]::new);
  }

  /** Returns the options that may name topics which parts write to. */
  public static Stream<ConfigOption<String>> topicOptions() {
    return topics().map(PartTopic::option);
  }

  /** Returns the options that name topics which parts write to. */
  public static Stream<ConfigOption<String>> topicOptions(Configuration options) {
    return topics().filter(topic -> topic.isNamed(options)).map(PartTopic::option);
  }

  /** Holds where a part writes to a topic that lasts. */
  public static Condition write() {
    return new Condition(
        "with " + keysOfLastingTopics(),
        options -> topics().filter(PartTopic::lasting).anyMatch(topic -> topic.isNamed(options)));
  }

  /** Returns the options that name topics which last, in words. */
  public static String keysOfLastingTopics() {
    return topics()
        .filter(PartTopic::lasting)
        .map(topic -> topic.option().key())
        .collect(Collectors.joining(" or "));
  }

  static List<CompactedTopic> topics(Configuration options) {
    return topics(options, any -> true);
  }

  /** Returns those that an earlier job may have written something to that is still relied on. */
  static List<CompactedTopic> lastingTopics(Configuration options) {
    return topics(options, PartTopic::lasting);
  }

  private static List<CompactedTopic> topics(Configuration options, Predicate<PartTopic> which) {
    return topics()
        .filter(which)
        .filter(topic -> topic.isNamed(options))
        .map(topic -> compacted(topic, options))
        .toList();
  }

  private static CompactedTopic compacted(PartTopic topic, Configuration options) {
    return new CompactedTopic(
        KafkaOptions.cluster(options), options.get(topic.option()), topic.content(), topic.one());
  }

  /**
   * Makes the topics that aren't there yet.
   *
   * @param limit for each request to the cluster
   * @throws dev.millrace.kafka.KafkaAccessException if one can't be made, or is there and unfit
   */
  static void makeTopics(Configuration options, Duration limit) {
    topics()
        .filter(topic -> topic.isNamed(options))
        .forEach(topic -> compacted(topic, options).ensure(topic.partitions(), limit));
  }

  static Optional<ModelStream.Factory> stream(Configuration options) {
    return ALL.stream().flatMap(part -> part.stream(options).stream()).findFirst();
  }

  /** Tells what a person should know of the topics that parts rely on. */
  public static List<String> warnings(Configuration options) {
    return ALL.stream().flatMap(part -> part.warnings(options).stream()).toList();
  }

  static List<String> leftovers(Configuration options) {
    return ALL.stream().flatMap(part -> part.leftovers(options).stream()).toList();
  }

  static CoordinatorHookFactory coordinatorHook(PartContext context) {
    return ALL.stream()
        .map(part -> part.coordinatorHook(context))
        .flatMap(Optional::stream)
        .findFirst()
        .orElse(NoSteering.NONE);
  }
}
