package dev.millrace.job.testing;

import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Metric;
import org.apache.flink.metrics.MetricConfig;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.reporter.MetricReporter;
import org.apache.flink.metrics.reporter.MetricReporterFactory;

/** Keeps the counters of bytes exchanged, to be read when a job has ended. */
public final class CountedBytes implements MetricReporter {

  private static final Map<Counter, String> COUNTERS = new ConcurrentHashMap<>();

  /** Key of Flink's configuration that switches it on, with {@link Factory}'s name as value. */
  public static final String REPORTER = "metrics.reporter.bytes.factory.class";

  /** Sum of all counters of that name; then forgets them. */
  public static long take(String name) {
    long sum =
        COUNTERS.entrySet().stream()
            .filter(counter -> counter.getValue().equals(name))
            .mapToLong(counter -> counter.getKey().getCount())
            .sum();
    COUNTERS.values().removeIf(name::equals);
    return sum;
  }

  @Override
  public void open(MetricConfig config) {}

  @Override
  public void close() {}

  @Override
  public void notifyOfAddedMetric(Metric metric, String name, MetricGroup group) {
    if (metric instanceof Counter counter && name.endsWith("Bytes")) {
      COUNTERS.put(counter, name);
    }
  }

  @Override
  public void notifyOfRemovedMetric(Metric metric, String name, MetricGroup group) {}

  /** Found by Flink as a service. */
  public static final class Factory implements MetricReporterFactory {
    @Override
    public MetricReporter createMetricReporter(Properties properties) {
      return new CountedBytes();
    }
  }
}
