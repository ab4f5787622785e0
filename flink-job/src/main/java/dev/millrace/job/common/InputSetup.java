package dev.millrace.job.common;

import dev.millrace.example.LagSettings;
import dev.millrace.example.RejectedRecord;
import dev.millrace.job.options.DeadLetterOptions;
import dev.millrace.job.options.InputOptions;
import dev.millrace.job.options.KafkaOptions;
import dev.millrace.job.options.LagOptions;
import dev.millrace.job.options.OutputOptions;
import dev.millrace.kafka.KafkaCluster;
import dev.millrace.kafka.record.ExampleDeserializer;
import dev.millrace.kafka.sink.DeadLetterSink;
import dev.millrace.kafka.topic.SourceSettings;
import dev.millrace.kafka.topic.StartingOffsets;
import dev.millrace.kafka.topic.TopicCheck;
import dev.millrace.kafka.topic.Topics;
import dev.millrace.model.shape.ExampleShape;
import java.time.Duration;
import java.time.Instant;
import java.util.regex.Pattern;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.configuration.Configuration;

/** Where a job's examples come from, and where rejected records go, of checked options. */
public final class InputSetup {

  /** The longest that one request to the cluster takes, before the job runs or while it starts. */
  public static final Duration CHECK_LIMIT = Duration.ofSeconds(10);

  private final Configuration options;

  /** Null where no servers are given. */
  private final KafkaCluster cluster;

  private final ExampleShape shape;

  public InputSetup(Configuration options, ExampleShape shape) {
    this.options = options;
    this.shape = shape;
    this.cluster =
        options.contains(KafkaOptions.BOOTSTRAP_SERVERS) ? KafkaOptions.cluster(options) : null;
  }

  public KafkaCluster cluster() {
    return cluster;
  }

  public ExampleShape shape() {
    return shape;
  }

  /** Returns of which records labels are features. */
  public LagSettings lags() {
    return LagOptions.settings(options);
  }

  /** Returns the source of what is learned from. */
  public SourceSettings source() {
    return source(topics())
        .inGroup(KafkaOptions.group(options, ""))
        .startingAt(start(options.get(InputOptions.START)))
        .bounded(options.get(InputOptions.BOUNDED));
  }

  /**
   * The input from where it starts to its present end, for somebody who only looks at it. The group
   * of whoever looks has committed nothing.
   */
  public SourceSettings toItsEnd() {
    String start = options.get(InputOptions.START);
    return source(topics())
        .inGroup(KafkaOptions.group(options, "-evaluation"))
        .startingAt(
            start.equals(InputOptions.GROUP_OFFSETS) ? StartingOffsets.earliest() : start(start))
        .bounded(true);
  }

  /** The input from its first records to its present end, wherever the job begins. */
  public SourceSettings fromItsBeginning() {
    return source(topics()).bounded(true);
  }

  /** Topics in the input's format, from their first records on. */
  public SourceSettings source(Topics topics) {
    return SourceSettings.of(cluster, topics)
        .discoveringEvery(KafkaOptions.discovery(options))
        .failingOnLostRecords(
            options.get(InputOptions.ON_MISSING_OFFSETS) == InputOptions.MissingOffsets.FAIL)
        .onRecreatedTopic(options.get(InputOptions.ON_RECREATED_TOPIC));
  }

  /**
   * Asks the cluster whether the input can be read, as {@link #toItsEnd} has it.
   *
   * @throws dev.millrace.kafka.KafkaAccessException if not, saying what to do
   */
  public void checkToItsEnd() {
    TopicCheck.source(toItsEnd(), deserializer(), CHECK_LIMIT);
  }

  public ExampleDeserializer deserializer() {
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
  public Sink<RejectedRecord> deadLetters(String writer) {
    String topic = options.getOptional(DeadLetterOptions.TOPIC).orElse(null);
    if (topic == null) {
      return null;
    }
    return switch (options.get(OutputOptions.GUARANTEE)) {
      case NONE, AT_LEAST_ONCE -> DeadLetterSink.atLeastOnce(cluster, topic);
      case EXACTLY_ONCE ->
          DeadLetterSink.exactlyOnce(
              cluster, topic, KafkaOptions.transactions(options, "-" + writer));
    };
  }

  private Topics topics() {
    return options
        .getOptional(InputOptions.TOPIC_PATTERN)
        .map(pattern -> Topics.matching(Pattern.compile(pattern)))
        .orElseGet(() -> Topics.named(options.get(InputOptions.TOPICS)));
  }

  /** Returns the start that an option such as {@code input.start} names. */
  public static StartingOffsets start(String start) {
    return switch (start) {
      case "earliest" -> StartingOffsets.earliest();
      case "latest" -> StartingOffsets.latest();
      case InputOptions.GROUP_OFFSETS -> StartingOffsets.committed();
      default -> StartingOffsets.at(Instant.ofEpochMilli(Long.parseLong(start)));
    };
  }
}
