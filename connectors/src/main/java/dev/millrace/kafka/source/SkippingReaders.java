package dev.millrace.kafka.source;

import dev.millrace.example.Prerequisites;
import dev.millrace.kafka.record.Placing;
import dev.millrace.kafka.record.Preparing;
import dev.millrace.kafka.topic.PartitionBounds;
import dev.millrace.kafka.topic.SourceSettings;
import java.io.Serializable;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.apache.flink.api.common.serialization.DeserializationSchema.InitializationContext;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.base.source.reader.RecordsWithSplitIds;
import org.apache.flink.connector.base.source.reader.synchronization.FutureCompletingBlockingQueue;
import org.apache.flink.connector.kafka.source.KafkaSourceOptions;
import org.apache.flink.connector.kafka.source.metrics.KafkaSourceReaderMetrics;
import org.apache.flink.connector.kafka.source.reader.KafkaRecordEmitter;
import org.apache.flink.connector.kafka.source.reader.KafkaSourceReader;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.connector.kafka.source.reader.fetcher.KafkaSourceFetcherManager;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.groups.SourceReaderMetricGroup;
import org.apache.flink.util.UserCodeClassLoader;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Makes the connector's readers, with a {@link SkippingSplitReader} or {@link PreparingSplitReader}
 * in each. The connector (5.0.0) lets nobody choose that, so they are put together here as {@code
 * KafkaSource.createReader} does.
 */
final class SkippingReaders<T> implements Serializable {

  private final PartitionBounds bounds;
  private final Properties properties;
  private final KafkaRecordDeserializationSchema<T> deserializer;

  /**
   * Makes readers of one source.
   *
   * @param properties of the source, before its builder has set what it always sets
   */
  SkippingReaders(
      SourceSettings settings,
      Properties properties,
      KafkaRecordDeserializationSchema<T> deserializer) {
    this.bounds = new PartitionBounds(settings.cluster());
    this.deserializer = deserializer;
    String bytes = ByteArrayDeserializer.class.getName();
    this.properties = new Properties();
    this.properties.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, bytes);
    this.properties.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, bytes);
    this.properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
    this.properties.putAll(properties);
    if (settings.groupOrNull() == null) {
      this.properties.put(KafkaSourceOptions.COMMIT_OFFSETS_ON_CHECKPOINT.key(), "false");
    } else {
      this.properties.put(ConsumerConfig.GROUP_ID_CONFIG, settings.groupOrNull());
    }
    this.properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
    this.properties.put(KafkaSourceOptions.CLIENT_ID_PREFIX.key(), settings.clientIdPrefix());
  }

  /** The ids of topics that records are placed by, to be filled in. */
  Map<String, String> place() {
    Map<String, String> ids = new HashMap<>();
    if (deserializer instanceof Placing placing) {
      placing.place(ids);
    }
    return ids;
  }

  /** Whether records may have to wait for what is needed to read them. */
  boolean prepare() {
    return prerequisites() != Prerequisites.NONE;
  }

  private Prerequisites prerequisites() {
    return deserializer instanceof Preparing preparing
        ? preparing.prerequisites()
        : Prerequisites.NONE;
  }

  /**
   * Makes a reader.
   *
   * @param missedOrNull counts the offsets that are skipped; null if it fails instead
   * @param wait counts how long records wait
   */
  SourceReader<T, KafkaPartitionSplit> create(
      SourceReaderContext context, Counter missedOrNull, SchemaWait wait) throws Exception {
    deserializer.open(new Opening(context));
    FutureCompletingBlockingQueue<RecordsWithSplitIds<ConsumerRecord<byte[], byte[]>>> fetched =
        new FutureCompletingBlockingQueue<>();
    KafkaSourceReaderMetrics metrics = new Metrics(context.metricGroup());
    KafkaSourceFetcherManager fetchers =
        new KafkaSourceFetcherManager(
            fetched, () -> splitReader(context, metrics, missedOrNull, wait), finished -> {});
    return new KafkaSourceReader<>(
        fetched,
        fetchers,
        new KafkaRecordEmitter<>(deserializer),
        configuration(),
        context,
        metrics);
  }

  private SkippingSplitReader splitReader(
      SourceReaderContext context,
      KafkaSourceReaderMetrics metrics,
      Counter missedOrNull,
      SchemaWait wait) {
    return prepare()
        ? new PreparingSplitReader(
            properties, context, metrics, bounds, missedOrNull, prerequisites(), wait)
        : new SkippingSplitReader(properties, context, metrics, bounds, missedOrNull);
  }

  private Configuration configuration() {
    Configuration configuration = new Configuration();
    properties
        .stringPropertyNames()
        .forEach(key -> configuration.setString(key, properties.getProperty(key)));
    return configuration;
  }

  /** Registers each partition once, though it comes again where some of its records are skipped. */
  private static final class Metrics extends KafkaSourceReaderMetrics {

    private final Set<TopicPartition> registered = new HashSet<>();

    Metrics(SourceReaderMetricGroup group) {
      super(group);
    }

    @Override
    public void registerTopicPartition(TopicPartition partition) {
      if (registered.add(partition)) {
        super.registerTopicPartition(partition);
      }
    }
  }

  private record Opening(SourceReaderContext context) implements InitializationContext {

    @Override
    public MetricGroup getMetricGroup() {
      return context.metricGroup().addGroup("deserializer");
    }

    @Override
    public UserCodeClassLoader getUserCodeClassLoader() {
      return context.getUserCodeClassLoader();
    }
  }
}
