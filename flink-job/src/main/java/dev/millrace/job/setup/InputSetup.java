package dev.millrace.job.setup;

import dev.millrace.example.RejectedRecord;
import dev.millrace.job.options.DeadLetterOptions;
import dev.millrace.job.options.EvaluationOptions;
import dev.millrace.job.options.InputOptions;
import dev.millrace.job.options.KafkaOptions;
import dev.millrace.job.options.MetricsOptions;
import dev.millrace.job.options.ScoringOptions;
import dev.millrace.job.options.SnapshotOptions;
import dev.millrace.kafka.DeadLetterSink;
import dev.millrace.kafka.ExampleDeserializer;
import dev.millrace.kafka.KafkaCluster;
import dev.millrace.kafka.ModelTopic;
import dev.millrace.kafka.SourceSettings;
import dev.millrace.kafka.StartingOffsets;
import dev.millrace.kafka.TopicCheck;
import dev.millrace.kafka.Topics;
import dev.millrace.model.ExampleShape;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.configuration.Configuration;

/** Makes the job's source and dead letters of checked options. */
final class InputSetup {

  /** For one request to the cluster, before the job runs or while it starts. */
  static final Duration CHECK_LIMIT = Duration.ofSeconds(10);

  private final Configuration options;
  private final KafkaCluster cluster;
  private final ExampleShape shape;

  InputSetup(Configuration options, ExampleShape shape) {
    this.options = options;
    this.shape = shape;
    this.cluster = KafkaOptions.cluster(options);
  }

  KafkaCluster cluster() {
    return cluster;
  }

  ExampleShape shape() {
    return shape;
  }

  /** The hold-out topic: as the input, but read from its first record to its last. */
  SourceSettings holdOut() {
    return SourceSettings.of(
            cluster, Topics.named(List.of(options.get(EvaluationOptions.HOLDOUT_TOPIC))))
        .inGroup(KafkaOptions.group(options, "-holdout"))
        .bounded(true);
  }

  /** What is learned from. */
  SourceSettings source() {
    return source(topics())
        .inGroup(KafkaOptions.group(options, ""))
        .startingAt(start(options.get(InputOptions.START)))
        .bounded(options.get(InputOptions.BOUNDED));
  }

  /**
   * The input from where it starts to its present end, for somebody who only looks at it. The group
   * of whoever looks has committed nothing.
   */
  SourceSettings toItsEnd() {
    String start = options.get(InputOptions.START);
    return source(topics())
        .inGroup(KafkaOptions.group(options, "-evaluation"))
        .startingAt(
            start.equals(InputOptions.GROUP_OFFSETS) ? StartingOffsets.earliest() : start(start))
        .bounded(true);
  }

  /** What is predicted, in a group of its own: it may be a topic that is learned from, too. */
  SourceSettings scored() {
    return source(Topics.named(options.get(ScoringOptions.TOPICS)))
        .inGroup(KafkaOptions.group(options, "-scoring"))
        .startingAt(start(options.get(ScoringOptions.START)))
        .bounded(options.get(ScoringOptions.BOUNDED));
  }

  /** Topics in the input's format, from their first records on. */
  private SourceSettings source(Topics topics) {
    return SourceSettings.of(cluster, topics)
        .discoveringEvery(options.get(InputOptions.PARTITION_DISCOVERY))
        .failingOnLostRecords(
            options.get(InputOptions.ON_MISSING_OFFSETS) == InputOptions.MissingOffsets.FAIL);
  }

  /**
   * Asks the cluster whether the input can be read, as {@link #toItsEnd} has it.
   *
   * @throws dev.millrace.kafka.KafkaAccessException if not, saying what to do
   */
  void checkToItsEnd() {
    TopicCheck.source(toItsEnd(), deserializer(), CHECK_LIMIT);
  }

  ExampleDeserializer deserializer() {
    return new ExampleDeserializer(
        shape,
        InputOptions.exampleFormat(options, shape),
        options.get(InputOptions.MAX_RECORD_SIZE));
  }

  /**
   * Null where rejected records are only counted.
   *
   * @param writer tells the job's dead-letter sinks apart
   */
  Sink<RejectedRecord> deadLetters(String writer) {
    String topic = options.getOptional(DeadLetterOptions.TOPIC).orElse(null);
    if (topic == null) {
      return null;
    }
    return switch (options.get(DeadLetterOptions.GUARANTEE)) {
      case AT_LEAST_ONCE -> DeadLetterSink.atLeastOnce(cluster, topic);
      case EXACTLY_ONCE ->
          DeadLetterSink.exactlyOnce(cluster, topic, KafkaOptions.group(options, "-" + writer));
    };
  }

  /**
   * Asks the cluster whether all topics can be used; changes nothing.
   *
   * @throws dev.millrace.kafka.KafkaAccessException if not, saying what to do
   */
  void checkTopics() {
    TopicCheck.source(source(), deserializer(), CHECK_LIMIT);
    if (options.contains(EvaluationOptions.HOLDOUT_TOPIC)) {
      TopicCheck.source(holdOut(), deserializer(), CHECK_LIMIT);
    }
    List<String> outputs = new ArrayList<>();
    options.getOptional(DeadLetterOptions.TOPIC).ifPresent(outputs::add);
    options.getOptional(MetricsOptions.TOPIC).ifPresent(outputs::add);
    options
        .getOptional(SnapshotOptions.TOPIC)
        .ifPresent(topic -> ModelTopic.check(cluster, topic, CHECK_LIMIT));
    if (!outputs.isEmpty()) {
      TopicCheck.outputs(cluster, outputs, CHECK_LIMIT);
      TopicCheck.keyless(cluster, outputs, CHECK_LIMIT);
    }
  }

  /**
   * Makes the topic of models, where there is to be one and it isn't there.
   *
   * @throws dev.millrace.kafka.KafkaAccessException if it can't be made
   */
  void makeTopics() {
    options
        .getOptional(SnapshotOptions.TOPIC)
        .ifPresent(topic -> ModelTopic.ensure(cluster, topic, CHECK_LIMIT));
  }

  private Topics topics() {
    return options
        .getOptional(InputOptions.TOPIC_PATTERN)
        .map(pattern -> Topics.matching(Pattern.compile(pattern)))
        .orElseGet(() -> Topics.named(options.get(InputOptions.TOPICS)));
  }

  /** What an option such as {@code input.start} says. */
  private static StartingOffsets start(String start) {
    return switch (start) {
      case "earliest" -> StartingOffsets.earliest();
      case "latest" -> StartingOffsets.latest();
      case InputOptions.GROUP_OFFSETS -> StartingOffsets.committed();
      default -> StartingOffsets.at(Instant.ofEpochMilli(Long.parseLong(start)));
    };
  }
}
