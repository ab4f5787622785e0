package dev.millrace.job.testing;

import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Metric;
import org.apache.flink.metrics.MetricConfig;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.reporter.MetricReporter;
import org.apache.flink.metrics.reporter.MetricReporterFactory;

/** Keeps counters of bytes exchanged and of refusals, to be read when a job has ended. */
public final class Counters implements MetricReporter {

  private static final Map<Counter, String> COUNTERS = new ConcurrentHashMap<>();

  /** Key of Flink's configuration that switches it on, with {@link Factory}'s name as value. */
  public static final String REPORTER = "metrics.reporter.counters.factory.class";

  /** Sum of all counters of that name, whosever they are; then forgets them. */
  public static long take(String name) {
    return take(full -> full.endsWith("." + name));
  }

  /** As the other, of an operator's counters. */
  public static long take(String operator, String name) {
    return take((operator + "." + name)::equals);
  }

  private static long take(Predicate<String> names) {
    long sum =
        COUNTERS.entrySet().stream()
            .filter(counter -> names.test(counter.getValue()))
            .mapToLong(counter -> counter.getKey().getCount())
            .sum();
    COUNTERS.values().removeIf(names);
    return sum;
  }

  @Override
  public void open(MetricConfig config) {}

  @Override
  public void close() {}

  @Override
  public void notifyOfAddedMetric(Metric metric, String name, MetricGroup group) {
    if (metric instanceof Counter counter && isKept(name)) {
      COUNTERS.put(counter, group.getAllVariables().get("<operator_name>") + "." + name);
    }
  }

  private static boolean isKept(String name) {
    return name.endsWith("Bytes") || name.equals("refusals");
  }

  @Override
  public void notifyOfRemovedMetric(Metric metric, String name, MetricGroup group) {}

  /** Found by Flink as a service. */
  public static final class Factory implements MetricReporterFactory {
    @Override
    public MetricReporter createMetricReporter(Properties properties) {
      return new Counters();
    }
  }
}
