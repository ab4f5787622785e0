package dev.millrace.kafka.topic;

import dev.millrace.example.Example;
import dev.millrace.example.Excerpt;
import dev.millrace.example.NamedFields;
import dev.millrace.example.Received;
import dev.millrace.example.RejectedRecord;
import dev.millrace.example.UnavailableException;
import dev.millrace.example.WireHeader;
import dev.millrace.kafka.KafkaAccessException;
import dev.millrace.kafka.record.ExampleDeserializer;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A few of the records that a job would read from each partition. */
final class TopicSample {

  private static final Logger LOG = LoggerFactory.getLogger(TopicSample.class);

  private static final int RECORDS_PER_PARTITION = 5;

  /**
   * What a few records were.
   *
   * @param bad the first that was rejected, or null
   */
  private record Tried(boolean hasExample, int rejected, RejectedRecord bad) {}

  private final SourceSettings settings;
  private final Collection<TopicPartition> partitions;
  private final Duration limit;

  TopicSample(SourceSettings settings, Collection<TopicPartition> partitions, Duration limit) {
    this.settings = settings;
    this.partitions = partitions;
    this.limit = limit;
  }

  /**
   * Reads until one record is accepted, or a few of each partition have been tried: the first ones,
   * and where these are no examples the newest, since a few bad records stop no job.
   *
   * @throws KafkaAccessException if there are records and all are rejected, or none may be read, or
   *     what is needed to read them can't be had
   */
  void requireUsable(ExampleDeserializer deserializer) {
    deserializer.requirePrerequisites(limit);
    deserializer.open();
    Tried first = read(deserializer, Long.MAX_VALUE);
    if (first.hasExample() || first.rejected() == 0) {
      return;
    }
    String reason =
        "None of the first %s records of %s is an example that this job can use. %s, offset %s: %s"
            .formatted(
                first.rejected(),
                settings.topics(),
                first.bad().partition(),
                first.bad().offset(),
                first.bad().reason());
    if (!read(deserializer, RECORDS_PER_PARTITION).hasExample()) {
      throw new KafkaAccessException(reason + advice(first.bad()));
    }
    LOG.warn("{}. Among the newest records there are examples", reason);
  }

  private static String advice(RejectedRecord bad) {
    if (WireHeader.isThere(bad.value())) {
      return ". millrace describe --topic %s --input.registry.url URL finds the format"
          .formatted(bad.partition().topic());
    }
    List<String> fields = NamedFields.of(bad);
    return fields.isEmpty()
        ? ". Check the format, the number of features, and the labels" + onKey(bad.key())
        : ". It has the fields %s: run millrace describe --topic %s, which writes the options of named fields"
            .formatted(NamedFields.text(fields), bad.partition().topic());
  }

  /** Some producers write the label as the key, or the features. */
  private static String onKey(byte[] keyOrNull) {
    return keyOrNull == null || keyOrNull.length == 0
        ? ""
        : ". The key of that record, %s, isn't read: a label or a feature in it has to be in the value, too"
            .formatted(Excerpt.of(keyOrNull, 0, keyOrNull.length));
  }

  private Tried read(ExampleDeserializer deserializer, long newest) {
    try (TopicReader reader = TopicReader.open(settings, partitions, limit, newest)) {
      return read(reader, deserializer);
    } catch (UnavailableException e) {
      throw new KafkaAccessException(e.getMessage(), e);
    }
  }

  private Tried read(TopicReader reader, ExampleDeserializer deserializer) {
    Map<TopicPartition, Integer> taken = new HashMap<>();
    RejectedRecord first = null;
    int rejected = 0;
    long deadline = System.nanoTime() + limit.toNanos();
    while (reader.hasMore() && System.nanoTime() < deadline) {
      for (ConsumerRecord<byte[], byte[]> record : reader.poll()) {
        TopicPartition partition = new TopicPartition(record.topic(), record.partition());
        if (taken.merge(partition, 1, Integer::sum) > RECORDS_PER_PARTITION) {
          reader.leave(partition);
          continue;
        }
        Received received = deserializer.read(record);
        if (received instanceof Example) {
          return new Tried(true, rejected, first);
        }
        if (received instanceof RejectedRecord bad) {
          first = first == null ? bad : first;
          rejected++;
        }
      }
    }
    return new Tried(false, rejected, first);
  }
}
