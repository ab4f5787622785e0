package dev.millrace.cli.run;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.job.common.InputSetup;
import dev.millrace.kafka.KafkaAccessException;
import dev.millrace.kafka.KafkaCluster;
import dev.millrace.kafka.topic.TopicTail;
import dev.millrace.watch.History;
import dev.millrace.watch.MetricRecord;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads a topic of metric records, and what comes. Ends when it is closed. */
public final class TopicWatch implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(TopicWatch.class);
  private static final long PAUSE_SECONDS = 1;

  private final TopicTail tail;
  private final String topic;
  private final History history;
  private final Thread thread;
  private volatile boolean closed;

  private TopicWatch(TopicTail tail, String topic, History history) {
    this.tail = tail;
    this.topic = topic;
    this.history = history;
    this.thread = new Thread(this::run, "millrace-watch-topic");
    this.thread.setDaemon(true);
  }

  /**
   * Reads what is there, and follows from then on.
   *
   * @throws KafkaAccessException if it can't be read
   */
  public static TopicWatch start(KafkaCluster cluster, String topic, History history) {
    TopicWatch watch = new TopicWatch(open(cluster, topic), topic, history);
    watch.readWhatIsThere();
    watch.thread.start();
    return watch;
  }

  /** Reads what is there, once. */
  public static void read(KafkaCluster cluster, String topic, History history) {
    try (TopicTail tail = open(cluster, topic)) {
      new TopicWatch(tail, topic, history).readWhatIsThere();
    }
  }

  private static TopicTail open(KafkaCluster cluster, String topic) {
    return TopicTail.open(cluster, topic, InputSetup.CHECK_LIMIT);
  }

  /** All of it together: partitions come one after the other, and a history goes by time. */
  private void readWhatIsThere() {
    List<ObjectNode> records = new ArrayList<>();
    while (!tail.isAtEnd()) {
      records.addAll(records(tail.next()));
    }
    add(records);
  }

  private static List<ObjectNode> records(List<byte[]> values) {
    return values.stream().map(MetricRecord::parse).flatMap(Optional::stream).toList();
  }

  private void add(List<ObjectNode> records) {
    history.add(
        topic,
        records.stream()
            .sorted(Comparator.comparingLong(record -> record.path("time").asLong()))
            .toList());
  }

  private void run() {
    while (!closed) {
      try {
        add(records(tail.next()));
      } catch (KafkaAccessException e) {
        LOG.warn("Metric records can't be read just now: {}", e.getMessage());
        pause();
      }
    }
  }

  private void pause() {
    try {
      TimeUnit.SECONDS.sleep(PAUSE_SECONDS);
    } catch (InterruptedException e) {
      closed = true;
    }
  }

  @Override
  public void close() {
    closed = true;
    tail.stop();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    tail.close();
  }
}
