package dev.millrace.kafka.source;

import dev.millrace.kafka.topic.SourceSettings;
import dev.millrace.kafka.topic.StartingOffsets;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Properties;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.KafkaSourceBuilder;
import org.apache.flink.connector.kafka.source.KafkaSourceOptions;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.OffsetResetStrategy;
import org.apache.kafka.common.TopicPartition;

/** Flink's Kafka source, set up to read examples, or whatever else records hold. */
public final class ExampleSource {

  private static final Duration LOOK_INTERVAL = Duration.ofMinutes(1);

  private ExampleSource() {}

  public static <T> Source<T, ?, ?> of(
      SourceSettings settings, KafkaRecordDeserializationSchema<T> deserializer) {
    return guarded(settings, deserializer);
  }

  /**
   * Makes a source that also saves the labels of each partition's last records. Behind it an
   * operator with {@link dev.millrace.example.LabelLags} must be chained, which has them at its
   * gate.
   */
  public static <T> Source<T, ?, ?> withLabelLags(
      SourceSettings settings, KafkaRecordDeserializationSchema<T> deserializer) {
    return new LaggedSource<>(guarded(settings, deserializer), deserializer.getProducedType());
  }

  private static <T> Source<T, KafkaPartitionSplit, ?> guarded(
      SourceSettings settings, KafkaRecordDeserializationSchema<T> deserializer) {
    Properties properties =
        settings
            .cluster()
            .clientProperties(
                // Records of a transaction that was aborted were never sent.
                Map.of(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed"));
    properties.put(
        KafkaSourceOptions.PARTITION_DISCOVERY_INTERVAL_MS.key(),
        Long.toString(settings.bounded() ? -1 : lookInterval(settings).toMillis()));
    IdentifiedTopics topics = new IdentifiedTopics(settings);

    KafkaSourceBuilder<T> builder =
        KafkaSource.<T>builder()
            .setProperties(properties)
            .setClientIdPrefix(settings.clientIdPrefix())
            .setStartingOffsets(new Lookup(settings.start()))
            .setDeserializer(deserializer);
    if (settings.groupOrNull() != null) {
      builder.setGroupId(settings.groupOrNull());
    }
    builder.setKafkaSubscriber(topics);
    if (settings.bounded()) {
      builder.setBounded(new Lookup(StartingOffsets.latest()));
    }
    return new GuardedSource<>(
        builder.build(),
        deserializer.getProducedType(),
        settings,
        topics,
        new SkippingReaders<>(settings, properties, deserializer));
  }

  /**
   * Returns how often topics are looked at: where no new partitions are wanted, they are all the
   * same.
   */
  private static Duration lookInterval(SourceSettings settings) {
    return settings.discovery().isZero() ? LOOK_INTERVAL : settings.discovery();
  }

  /** Offsets that the enumerator looks up; Kafka's client never chooses others by itself. */
  // Kafka has deprecated the type that Flink's interface still asks for.
  @SuppressWarnings("deprecation")
  private record Lookup(StartingOffsets offsets) implements OffsetsInitializer {

    @Override
    public Map<TopicPartition, Long> getPartitionOffsets(
        Collection<TopicPartition> partitions, PartitionOffsetsRetriever retriever) {
      return offsets.find(partitions, retriever);
    }

    @Override
    public OffsetResetStrategy getAutoOffsetResetStrategy() {
      return OffsetResetStrategy.NONE;
    }
  }
}
