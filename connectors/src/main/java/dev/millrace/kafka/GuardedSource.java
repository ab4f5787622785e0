package dev.millrace.kafka;

import dev.millrace.source.ForwardingSource;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;

/**
 * The connector's Kafka source, with three things mended.
 *
 * <ul>
 *   <li>A topic that was taken out of the options isn't read any more: see {@link SelectingReader}.
 *   <li>Where records were deleted before they were read, it says so: see {@link LossReader}.
 *   <li>A bounded one ends after a restore, too. The connector's enumerator (5.0.0) tells readers
 *       that no more splits will come once it has made splits of partitions it didn't know.
 *       Restored from a savepoint, or by another JobManager, it knows them all, makes none, and the
 *       job never ends.
 * </ul>
 */
final class GuardedSource<T, S extends SourceSplit, E> extends ForwardingSource<T, S, E> {

  private final Topics topics;
  private final LossReader.Policy policy;

  GuardedSource(
      Source<T, S, E> source, TypeInformation<T> type, Topics topics, LossReader.Policy policy) {
    super(source, type);
    this.topics = topics;
    this.policy = policy;
  }

  @Override
  public SourceReader<T, S> createReader(SourceReaderContext context) throws Exception {
    return new SelectingReader<>(
        new LossReader<>(super.createReader(context), policy, context.metricGroup()), topics);
  }

  @Override
  public SplitEnumerator<S, E> restoreEnumerator(SplitEnumeratorContext<S> context, E checkpoint)
      throws Exception {
    if (getBoundedness() == Boundedness.CONTINUOUS_UNBOUNDED) {
      return super.restoreEnumerator(context, checkpoint);
    }
    DiscoveryContext<S> observed = new DiscoveryContext<>(context);
    return new EndingEnumerator<>(super.restoreEnumerator(observed, checkpoint), observed);
  }
}
