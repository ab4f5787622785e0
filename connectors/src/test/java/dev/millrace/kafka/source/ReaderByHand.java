package dev.millrace.kafka.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.example.Received;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SourceOutput;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.core.io.InputStatus;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.SimpleCounter;
import org.apache.flink.metrics.groups.SourceReaderMetricGroup;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.runtime.metrics.groups.InternalSourceReaderMetricGroup;
import org.apache.flink.util.SimpleUserCodeClassLoader;
import org.apache.flink.util.UserCodeClassLoader;

/** A source's reader without a job around it: it reads when a test says so, and not before. */
final class ReaderByHand implements AutoCloseable {

  private static final Duration LIMIT = Duration.ofMinutes(1);

  private final Counters counters = new Counters();
  private final Output output = new Output();
  private final SourceReader<Received, KafkaPartitionSplit> reader;

  @SuppressWarnings("unchecked") // Splits of Kafka's source are of one type.
  ReaderByHand(Source<Received, ?, ?> source, List<KafkaPartitionSplit> splits) throws Exception {
    reader = ((Source<Received, KafkaPartitionSplit, ?>) source).createReader(new Context());
    reader.start();
    reader.addSplits(splits);
    reader.notifyNoMoreSplits();
  }

  /** Reads so many records more; where each was, as {@code partition@offset}. */
  List<String> read(int records) throws Exception {
    output.origins.clear();
    while (output.origins.size() < records) {
      assertThat(poll()).as("more than %s", output.origins).isNotEqualTo(InputStatus.END_OF_INPUT);
    }
    return List.copyOf(output.origins);
  }

  /** Reads to the end of bounded input. */
  List<String> readToTheEnd() throws Exception {
    output.origins.clear();
    InputStatus status = poll();
    while (status != InputStatus.END_OF_INPUT) {
      status = poll();
    }
    return List.copyOf(output.origins);
  }

  /** The ids of the topics that records came from. */
  Set<String> topicIds() {
    return output.topicIds;
  }

  /** What a checkpoint has of it now. */
  List<KafkaPartitionSplit> checkpoint() {
    return reader.snapshotState(1);
  }

  /** Lets it emit what it has, one record at most, without waiting for more. */
  InputStatus pollOnce() throws Exception {
    return reader.pollNext(output);
  }

  long schemaWaitMillis() {
    return (long) counters.gauges.get("schemaWaitMillis").getValue();
  }

  long missed() {
    return counters.get("missedRecords");
  }

  @Override
  public void close() {
    try {
      reader.close();
    } catch (Exception e) {
      throw new IllegalStateException("A reader can't be closed", e);
    }
  }

  private InputStatus poll() throws Exception {
    InputStatus status = reader.pollNext(output);
    if (status == InputStatus.NOTHING_AVAILABLE) {
      reader.isAvailable().get(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    }
    return status;
  }

  /** Keeps where records came from: the records themselves are valid until the next one. */
  private static final class Output implements ReaderOutput<Received> {

    private final List<String> origins = new ArrayList<>();
    private final Set<String> topicIds = new TreeSet<>();

    @Override
    public void collect(Received received) {
      topicIds.add(received.partition().topicId());
      origins.add(received.partition().number() + "@" + received.offset());
    }

    @Override
    public void collect(Received received, long timestamp) {
      collect(received);
    }

    @Override
    public SourceOutput<Received> createOutputForSplit(String split) {
      return this;
    }

    @Override
    public void releaseOutputForSplit(String split) {}

    @Override
    public void emitWatermark(Watermark watermark) {}

    @Override
    public void markIdle() {}

    @Override
    public void markActive() {}
  }

  /** All counters, by name, whatever group they are in. */
  private static final class Counters extends UnregisteredMetricsGroup {

    private final Map<String, Counter> counters = new HashMap<>();
    private final Map<String, Gauge<?>> gauges = new HashMap<>();

    long get(String name) {
      return counters.get(name).getCount();
    }

    @Override
    public Counter counter(String name) {
      return counter(name, new SimpleCounter());
    }

    @Override
    public <C extends Counter> C counter(String name, C counter) {
      counters.put(name, counter);
      return counter;
    }

    @Override
    public <T, G extends Gauge<T>> G gauge(String name, G gauge) {
      gauges.put(name, gauge);
      return gauge;
    }

    @Override
    public MetricGroup addGroup(String name) {
      return this;
    }

    @Override
    public MetricGroup addGroup(String key, String value) {
      return this;
    }
  }

  private final class Context implements SourceReaderContext {

    private final SourceReaderMetricGroup metrics = InternalSourceReaderMetricGroup.mock(counters);

    @Override
    public SourceReaderMetricGroup metricGroup() {
      return metrics;
    }

    @Override
    public Configuration getConfiguration() {
      return new Configuration();
    }

    @Override
    public String getLocalHostName() {
      return "localhost";
    }

    @Override
    public int getIndexOfSubtask() {
      return 0;
    }

    @Override
    public void sendSplitRequest() {}

    @Override
    public void sendSourceEventToCoordinator(SourceEvent event) {}

    @Override
    public UserCodeClassLoader getUserCodeClassLoader() {
      return SimpleUserCodeClassLoader.create(getClass().getClassLoader());
    }
  }
}
