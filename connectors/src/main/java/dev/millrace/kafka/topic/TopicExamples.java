package dev.millrace.kafka.topic;

import dev.millrace.example.Example;
import dev.millrace.example.Received;
import dev.millrace.example.RejectedRecord;
import dev.millrace.example.UnavailableException;
import dev.millrace.file.ExampleSequence;
import dev.millrace.kafka.KafkaAccessException;
import dev.millrace.kafka.record.ExampleDeserializer;
import dev.millrace.model.shape.ExampleShape;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.Iterator;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a topic holds now, read once to its end, outside of the stream: a hold-out set. Records that
 * are no examples are left out; the log says how many they were, and why the first was.
 *
 * <p>Not thread-safe.
 */
public final class TopicExamples implements ExampleSequence {

  private static final Logger LOG = LoggerFactory.getLogger(TopicExamples.class);

  private final Topics topics;
  private final ExampleDeserializer deserializer;
  private final ExampleShape shape;
  private final TopicReader reader;
  private final Duration limit;
  private Iterator<ConsumerRecord<byte[], byte[]>> records = Collections.emptyIterator();
  private RejectedRecord firstRejected;
  private long rejected;

  private TopicExamples(
      Topics topics,
      ExampleDeserializer deserializer,
      ExampleShape shape,
      TopicReader reader,
      Duration limit) {
    this.topics = topics;
    this.limit = limit;
    this.deserializer = deserializer;
    this.shape = shape;
    this.reader = reader;
  }

  /**
   * Opens what the topics hold.
   *
   * @param limit for each request to the cluster, and for the next record to come
   * @throws KafkaAccessException if that can't be read
   */
  public static TopicExamples open(
      SourceSettings settings,
      ExampleDeserializer deserializer,
      ExampleShape shape,
      Duration limit) {
    deserializer.open();
    TopicReader reader = TopicReader.open(settings, TopicCheck.partitions(settings, limit), limit);
    return new TopicExamples(settings.topics(), deserializer, shape, reader, limit);
  }

  @Override
  public ExampleShape shape() {
    return shape;
  }

  @Override
  public boolean next(Example into) throws IOException {
    while (true) {
      poll();
      if (!records.hasNext()) {
        return false;
      }
      Received received = read(records.next());
      if (received instanceof Example example) {
        into.set(example);
        return true;
      }
      if (received instanceof RejectedRecord bad) {
        leaveOut(bad);
      }
    }
  }

  private Received read(ConsumerRecord<byte[], byte[]> record) throws IOException {
    try {
      return deserializer.read(record);
    } catch (UnavailableException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private void poll() throws IOException {
    long deadline = System.nanoTime() + limit.toNanos();
    while (!records.hasNext() && reader.hasMore()) {
      if (System.nanoTime() > deadline) {
        throw new IOException(
            "No record of %s came for %s, and there should be more".formatted(topics, limit));
      }
      records = reader.poll().iterator();
    }
  }

  private void leaveOut(RejectedRecord record) {
    rejected++;
    firstRejected = firstRejected == null ? record : firstRejected;
  }

  @Override
  public void close() {
    reader.close();
    if (rejected > 0) {
      LOG.warn(
          "{} records of {} are left out, being no examples; the first is {}, offset {}: {}",
          rejected,
          topics,
          firstRejected.partition(),
          firstRejected.offset(),
          firstRejected.reason());
    }
  }
}
