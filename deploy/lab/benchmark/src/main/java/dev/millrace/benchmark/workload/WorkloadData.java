package dev.millrace.benchmark.workload;

import dev.millrace.example.Example;
import dev.millrace.example.ExampleFormat;
import dev.millrace.example.FormatSettings;
import dev.millrace.file.DataSpec;
import dev.millrace.file.ExampleSequence;
import dev.millrace.kafka.KafkaCluster;
import dev.millrace.kafka.topic.ExampleProducer;
import dev.millrace.kafka.topic.Rate;
import dev.millrace.kafka.topic.TopicCreation;
import dev.millrace.model.shape.ExampleShape;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The examples of a workload, in memory. */
public final class WorkloadData {

  private static final int PIXELS = 28 * 28;
  private static final Duration REQUEST_LIMIT = Duration.ofSeconds(30);

  private final List<Example> examples = new ArrayList<>();

  private WorkloadData(ExampleSequence drawn) throws IOException {
    try (drawn) {
      Example example = new Example(drawn.shape());
      while (drawn.next(example)) {
        examples.add(example.copy());
      }
    }
  }

  /**
   * Returns what a workload's peers learn from: digits where it is about images, rows otherwise.
   */
  public static WorkloadData of(Workload workload) throws IOException {
    int count = workload.inMemory();
    return workload.shape().features() == PIXELS
        ? new WorkloadData(DataSpec.parse("digits:" + count).open().training())
        : rows(workload.shape(), count);
  }

  /** All of a sequence, which is closed. */
  public static WorkloadData of(ExampleSequence examples) throws IOException {
    return new WorkloadData(examples);
  }

  /** Random rows. */
  public static WorkloadData rows(ExampleShape shape, int count) throws IOException {
    return new WorkloadData(new DrawnTable(shape, count));
  }

  public List<Example> examples() {
    return examples;
  }

  /**
   * Writes them to a topic that is made for it, over and over up to a count, dealt out to the
   * partitions in turn.
   */
  public void produce(
      String bootstrapServers, String topic, int partitions, String format, long count)
      throws IOException {
    produce(bootstrapServers, topic, partitions, format, new Repeated(examples, count));
  }

  /**
   * Writes a sequence to a topic that is made for it, dealt out to the partitions in turn, and
   * closes it.
   *
   * @return how many examples it had
   */
  public static long produce(
      String bootstrapServers,
      String topic,
      int partitions,
      String format,
      ExampleSequence sequence)
      throws IOException {
    KafkaCluster cluster = KafkaCluster.at(bootstrapServers);
    TopicCreation.ensure(cluster, topic, partitions, REQUEST_LIMIT);
    ExampleFormat written =
        ExampleFormat.named(format, sequence.shape(), FormatSettings.defaults());
    try (sequence;
        ExampleProducer producer = ExampleProducer.open(cluster, topic, written)) {
      return producer.send(sequence, Rate.unlimited(), Long.MAX_VALUE, sent -> {});
    }
  }
}
