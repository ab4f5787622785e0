package dev.millrace.source;

import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.groups.OperatorIOMetricGroup;
import org.apache.flink.metrics.groups.SourceReaderMetricGroup;
import org.apache.flink.runtime.metrics.groups.ProxyMetricGroup;

/** A reader's metrics, of which {@link PendingRecords} hears of one. */
final class ListeningMetricGroup extends ProxyMetricGroup<SourceReaderMetricGroup>
    implements SourceReaderMetricGroup {

  private final SourceReaderMetricGroup group;
  private final PendingRecords pending;

  ListeningMetricGroup(SourceReaderMetricGroup group, PendingRecords pending) {
    super(group);
    this.group = group;
    this.pending = pending;
  }

  @Override
  public void setPendingRecordsGauge(Gauge<Long> gauge) {
    pending.shownBy(gauge);
    group.setPendingRecordsGauge(gauge);
  }

  @Override
  public void setPendingBytesGauge(Gauge<Long> gauge) {
    group.setPendingBytesGauge(gauge);
  }

  @Override
  public Counter getNumRecordsInErrorsCounter() {
    return group.getNumRecordsInErrorsCounter();
  }

  @Override
  public OperatorIOMetricGroup getIOMetricGroup() {
    return group.getIOMetricGroup();
  }
}
