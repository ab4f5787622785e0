package dev.millrace.deploy;

import dev.millrace.example.ExampleFormat;
import dev.millrace.file.DataSpec;
import dev.millrace.file.ExampleSequence;
import dev.millrace.file.ExampleSet;
import dev.millrace.job.options.InputOptions;
import dev.millrace.job.setup.OptionReader;
import dev.millrace.kafka.KafkaCluster;
import dev.millrace.kafka.topic.ExampleProducer;
import dev.millrace.kafka.topic.Rate;
import dev.millrace.kafka.topic.TopicCreation;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;

/**
 * A topic with examples of a data set.
 *
 * @param count examples in it, dealt out to the partitions in turn
 */
record Topic(String bootstrapServers, String name, int partitions, long count) {

  private static final Duration LIMIT = Duration.ofMinutes(1);

  /** Makes a topic of a new name that begins as given, without examples. */
  static Topic empty(String bootstrapServers, String name, int partitions) {
    String unique = name + "-" + UUID.randomUUID();
    TopicCreation.ensure(KafkaCluster.at(bootstrapServers), unique, partitions, LIMIT);
    return new Topic(bootstrapServers, unique, partitions, 0);
  }

  /**
   * Makes a topic of a new name that begins as given, and sends all training examples, as uint8
   * images.
   */
  static Topic of(String bootstrapServers, String name, int partitions, DataSpec data)
      throws IOException {
    Topic made = empty(bootstrapServers, name, partitions);
    ExampleSet set = data.open();
    ExampleFormat format =
        InputOptions.exampleFormat(
            OptionReader.configuration(
                Map.of(
                    "input.format", "uint8",
                    "input.features", String.valueOf(set.shape().features()),
                    "input.outputs", String.valueOf(set.shape().outputs()))),
            set.shape());
    try (ExampleSequence examples = set.training();
        ExampleProducer producer =
            ExampleProducer.open(KafkaCluster.at(bootstrapServers), made.name(), format)) {
      long sent = producer.send(examples, Rate.unlimited(), Long.MAX_VALUE, soFar -> {});
      return new Topic(bootstrapServers, made.name(), partitions, sent);
    }
  }
}
