package dev.millrace.kafka;

import dev.millrace.source.ForwardingSource;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;

/**
 * The connector's Kafka source, with four things mended.
 *
 * <ul>
 *   <li>A topic that was taken out of the options isn't read any more: see {@link SelectingReader}.
 *   <li>Where records were deleted before they were read, it fails or counts them, always: see
 *       {@link LossReader} and {@link SkippingSplitReader}.
 *   <li>Records wait for what is needed to read them, such as a schema, without blocking the task:
 *       see {@link PreparingSplitReader}.
 *   <li>A bounded one ends after a restore, too. The connector's enumerator (5.0.0) tells readers
 *       that no more splits will come once it has made splits of partitions it didn't know.
 *       Restored from a savepoint, or by another JobManager, it knows them all, makes none, and the
 *       job never ends.
 * </ul>
 */
final class GuardedSource<T, E> extends ForwardingSource<T, KafkaPartitionSplit, E> {

  private final SourceSettings settings;
  private final SkippingReaders<T> skipping;

  /**
   * Guards a source.
   *
   * @param skipping makes its readers where the settings have it go on without lost records, or
   *     where records may have to wait
   */
  GuardedSource(
      Source<T, KafkaPartitionSplit, E> source,
      TypeInformation<T> type,
      SourceSettings settings,
      SkippingReaders<T> skipping) {
    super(source, type);
    this.settings = settings;
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
    SourceReader<T, KafkaPartitionSplit> reader =
        fails && !skipping.prepare()
            ? super.createReader(context)
            : skipping.create(context, fails ? null : missed, wait);
    return new SelectingReader<>(
        new LossReader<>(reader, new FirstOffsets(settings.cluster()), fails), settings.topics());
  }

  @Override
  public SplitEnumerator<KafkaPartitionSplit, E> restoreEnumerator(
      SplitEnumeratorContext<KafkaPartitionSplit> context, E checkpoint) throws Exception {
    if (getBoundedness() == Boundedness.CONTINUOUS_UNBOUNDED) {
      return super.restoreEnumerator(context, checkpoint);
    }
    DiscoveryContext<KafkaPartitionSplit> observed = new DiscoveryContext<>(context);
    return new EndingEnumerator<>(super.restoreEnumerator(observed, checkpoint), observed);
  }
}
