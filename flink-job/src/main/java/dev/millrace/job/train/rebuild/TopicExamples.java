package dev.millrace.job.train.rebuild;

import dev.millrace.example.Received;
import dev.millrace.exchange.log.RecordRun;
import dev.millrace.kafka.record.ExampleDeserializer;
import dev.millrace.kafka.record.PartitionPool;
import dev.millrace.kafka.topic.RecordsByOffset;
import dev.millrace.model.Partition;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Records of topics, read as the job read them.
 *
 * <p>Not thread-safe.
 */
final class TopicExamples implements LoggedExamples {

  private final RecordsByOffset records;
  private final ExampleDeserializer deserializer;
  private final Map<String, String> topicIds = new HashMap<>();
  private final PartitionPool partitions = new PartitionPool(topicIds);

  /** {@code deserializer} is new. */
  TopicExamples(RecordsByOffset records, ExampleDeserializer deserializer) {
    this.records = records;
    this.deserializer = deserializer;
    deserializer.place(topicIds);
    deserializer.open();
  }

  @Override
  public Partition partition(String topic, int number) {
    topicIds.computeIfAbsent(topic, records::topicId);
    return partitions.get(topic, number);
  }

  @Override
  public void read(RecordRun run, Consumer<Received> reader) {
    topicIds.computeIfAbsent(run.topic(), records::topicId);
    for (long offset = run.first(); offset < run.end(); offset++) {
      reader.accept(deserializer.read(records.read(run.topic(), run.partition(), offset)));
    }
  }

  @Override
  public void close() {
    records.close();
  }
}
