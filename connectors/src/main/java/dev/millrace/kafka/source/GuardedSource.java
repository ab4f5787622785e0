package dev.millrace.kafka.source;

import dev.millrace.kafka.topic.BrokerTopics;
import dev.millrace.kafka.topic.SourceSettings;
import dev.millrace.kafka.topic.SplitBounds;
import dev.millrace.source.ForwardingSource;
import java.time.Duration;
import java.util.Map;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;

/**
 * The connector's Kafka source, with five things mended.
 *
 * <ul>
 *   <li>A topic is known by its id, so that one that was deleted and made again under its name
 *       isn't taken for the old one: see {@link IdentifiedTopics} and {@link SameTopics}.
 *   <li>A topic that was taken out of the options isn't read any more: see {@link GuardedReader}.
 *   <li>Where records were deleted before they were read, it fails or counts them, always: see
 *       {@link SplitBounds} and {@link SkippingSplitReader}.
 *   <li>Records wait for what is needed to read them, such as a schema, without blocking the task:
 *       see {@link PreparingSplitReader}.
 *   <li>A bounded one ends after a restore, too. The connector's enumerator (5.0.0) tells readers
 *       that no more splits will come once it has made splits of partitions it didn't know.
 *       Restored from a savepoint, or by another JobManager, it knows them all, makes none, and the
 *       job never ends. Nor has a partition an end that a job without one had saved: see {@link
 *       SplitBounds}.
 * </ul>
 */
final class GuardedSource<T, E> extends ForwardingSource<T, KafkaPartitionSplit, E> {

  /** The longest that one look at topics takes: a checkpoint may have to wait for it. */
  private static final Duration LOOKUP_LIMIT = Duration.ofSeconds(5);

  private final SourceSettings settings;
  private final SkippingReaders<T> skipping;
  private final IdentifiedTopics topics;

  /**
   * Guards a source.
   *
   * @param topics what the source asks for its partitions
   * @param skipping makes its readers where the settings have it go on without lost records, or
   *     where records may have to wait
   */
  GuardedSource(
      Source<T, KafkaPartitionSplit, E> source,
      TypeInformation<T> type,
      SourceSettings settings,
      IdentifiedTopics topics,
      SkippingReaders<T> skipping) {
    super(source, type);
    this.settings = settings;
    this.topics = topics;
    this.skipping = skipping;
  }

  @Override
  public SourceReader<T, KafkaPartitionSplit> createReader(SourceReaderContext context)
      throws Exception {
    // Registered in either case: zero says that none are missed, and that nothing is waited for.
    MetricGroup metrics = context.metricGroup().addGroup("millrace");
    Counter missed = metrics.counter("missedRecords");
    SchemaWait wait = new SchemaWait();
    metrics.gauge("schemaWaitMillis", (Gauge<Long>) wait::millis);
    boolean fails = settings.failOnLostRecords();
    Map<String, String> ids = skipping.place();
    SourceReader<T, KafkaPartitionSplit> reader =
        fails && !skipping.prepare()
            ? super.createReader(context)
            : skipping.create(context, fails ? null : missed, wait);
    BrokerTopics lookup = new BrokerTopics(settings.cluster(), LOOKUP_LIMIT);
    return new GuardedReader<>(reader, settings, new SameTopics(lookup, settings.recreated(), ids));
  }

  @Override
  public SimpleVersionedSerializer<KafkaPartitionSplit> getSplitSerializer() {
    return new TopicSplitSerializer(super.getSplitSerializer());
  }

  @Override
  public SplitEnumerator<KafkaPartitionSplit, E> createEnumerator(
      SplitEnumeratorContext<KafkaPartitionSplit> context) throws Exception {
    topics.begin();
    return super.createEnumerator(new IdentifyingContext(context, topics));
  }

  @Override
  public SplitEnumerator<KafkaPartitionSplit, E> restoreEnumerator(
      SplitEnumeratorContext<KafkaPartitionSplit> context, E checkpoint) throws Exception {
    topics.begin();
    IdentifyingContext identifying = new IdentifyingContext(context, topics);
    if (getBoundedness() == Boundedness.CONTINUOUS_UNBOUNDED) {
      return super.restoreEnumerator(identifying, checkpoint);
    }
    DiscoveryContext<KafkaPartitionSplit> observed = new DiscoveryContext<>(identifying);
    return new EndingEnumerator<>(super.restoreEnumerator(observed, checkpoint), observed);
  }
}
