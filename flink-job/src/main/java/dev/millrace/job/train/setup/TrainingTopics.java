package dev.millrace.job.train.setup;

import dev.millrace.job.common.InputSetup;
import dev.millrace.job.options.DeadLetterOptions;
import dev.millrace.job.options.SnapshotOptions;
import dev.millrace.job.train.options.EvaluationOptions;
import dev.millrace.job.train.options.MetricsOptions;
import dev.millrace.kafka.KafkaAccessException;
import dev.millrace.kafka.models.ModelTopic;
import dev.millrace.kafka.topic.CompactedTopic;
import dev.millrace.kafka.topic.TopicCheck;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.flink.configuration.Configuration;

/** The topics that training reads and writes. */
public final class TrainingTopics {

  private final Configuration options;
  private final InputSetup input;

  public TrainingTopics(Configuration options, InputSetup input) {
    this.options = options;
    this.input = input;
  }

  /**
   * Asks the cluster whether all of them can be used; changes nothing.
   *
   * @throws dev.millrace.kafka.KafkaAccessException if not, saying what to do
   */
  public void check() {
    TopicCheck.source(input.source(), input.deserializer(), InputSetup.CHECK_LIMIT);
    checkOthers();
  }

  /**
   * Asks the cluster how many replicas can have something of the topics to read: a partition is
   * read by one at a time. Without an answer, which {@link #check} tells of, it is any number.
   */
  public int partitions() {
    try {
      return TopicCheck.partitionCount(input.source(), InputSetup.CHECK_LIMIT);
    } catch (KafkaAccessException e) {
      return Integer.MAX_VALUE;
    }
  }

  /**
   * Asks the cluster whether the topics besides the input can be used: where a program gives the
   * examples, it has no topic.
   */
  public void checkOthers() {
    if (EvaluationOptions.holdOutTopic(options).isPresent()) {
      TopicCheck.source(
          HoldOutSetup.topic(options, input), input.deserializer(), InputSetup.CHECK_LIMIT);
    }
    models().ifPresent(topic -> ModelTopic.check(input.cluster(), topic, InputSetup.CHECK_LIMIT));
    OptionalParts.topics(options).forEach(topic -> topic.check(InputSetup.CHECK_LIMIT));
    List<String> outputs = new ArrayList<>();
    options.getOptional(DeadLetterOptions.TOPIC).ifPresent(outputs::add);
    options.getOptional(MetricsOptions.TOPIC).ifPresent(outputs::add);
    if (!outputs.isEmpty()) {
      TopicCheck.outputs(input.cluster(), outputs, InputSetup.CHECK_LIMIT);
      TopicCheck.keyless(input.cluster(), outputs, InputSetup.CHECK_LIMIT);
    }
  }

  /**
   * Makes the topics of models and of parts, where there are to be some and they aren't there.
   *
   * @throws dev.millrace.kafka.KafkaAccessException if one can't be made
   */
  public void make() {
    models().ifPresent(topic -> ModelTopic.ensure(input.cluster(), topic, InputSetup.CHECK_LIMIT));
    OptionalParts.makeTopics(options, InputSetup.CHECK_LIMIT);
  }

  /**
   * Tells of topics and files of parts that an earlier job has written, for a job that isn't given
   * a savepoint. What can't be looked at is left out.
   */
  public List<String> leftovers() {
    Stream<String> topics =
        OptionalParts.lastingTopics(options).stream()
            .filter(TrainingTopics::wasWritten)
            .map(
                topic ->
                    ("The topic '%s' has %s of an earlier job. Where this one begins without state,"
                            + " what it doesn't replace stays there, and is used: name a topic that"
                            + " isn't there yet")
                        .formatted(topic.topic(), topic.content()));
    return Stream.concat(topics, OptionalParts.leftovers(options).stream()).toList();
  }

  private static boolean wasWritten(CompactedTopic topic) {
    try {
      return topic.wasWritten(InputSetup.CHECK_LIMIT);
    } catch (KafkaAccessException e) {
      return false;
    }
  }

  private Optional<String> models() {
    return options.getOptional(SnapshotOptions.TOPIC);
  }
}
