package dev.millrace.source;

import org.apache.flink.api.common.watermark.Watermark;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.metrics.groups.SourceReaderMetricGroup;
import org.apache.flink.util.UserCodeClassLoader;

/** The context of a source's reader that also tells what the reader shows of pending records. */
final class ListeningContext implements SourceReaderContext {

  private final SourceReaderContext context;
  private final SourceReaderMetricGroup metrics;

  ListeningContext(SourceReaderContext context, PendingRecords pending) {
    this.context = context;
    this.metrics = new ListeningMetricGroup(context.metricGroup(), pending);
  }

  @Override
  public SourceReaderMetricGroup metricGroup() {
    return metrics;
  }

  @Override
  public Configuration getConfiguration() {
    return context.getConfiguration();
  }

  @Override
  public String getLocalHostName() {
    return context.getLocalHostName();
  }

  @Override
  public int getIndexOfSubtask() {
    return context.getIndexOfSubtask();
  }

  @Override
  public void sendSplitRequest() {
    context.sendSplitRequest();
  }

  @Override
  public void sendSourceEventToCoordinator(SourceEvent event) {
    context.sendSourceEventToCoordinator(event);
  }

  @Override
  public UserCodeClassLoader getUserCodeClassLoader() {
    return context.getUserCodeClassLoader();
  }

  @Override
  public int currentParallelism() {
    return context.currentParallelism();
  }

  @Override
  public void emitWatermark(Watermark watermark) {
    context.emitWatermark(watermark);
  }
}
