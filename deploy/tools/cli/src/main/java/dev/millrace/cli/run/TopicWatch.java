package dev.millrace.cli.run;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.job.common.InputSetup;
import dev.millrace.kafka.KafkaAccessException;
import dev.millrace.kafka.KafkaCluster;
import dev.millrace.kafka.topic.TopicTail;
import dev.millrace.watch.History;
import dev.millrace.watch.MetricRecord;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads a topic of metric records, and what comes. Ends when it is closed. */
public final class TopicWatch implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(TopicWatch.class);
  private static final long PAUSE_SECONDS = 1;

  private static final TopicTail.Reading<ObjectNode> RECORDS =
      new TopicTail.Reading<>(MetricRecord::parse, TopicWatch::time);

  private final TopicTail<ObjectNode> tail;
  private final String topic;
  private final History history;
  private final Thread thread;
  private volatile boolean closed;

  private TopicWatch(TopicTail<ObjectNode> tail, String topic, History history) {
    this.tail = tail;
    this.topic = topic;
    this.history = history;
    this.thread = new Thread(this::run, "millrace-watch-topic");
    this.thread.setDaemon(true);
  }

  /**
   * Begins to read what is there, and follows from then on. Returns at once.
   *
   * @throws KafkaAccessException if there is no such topic, or it may not be read
   */
  public static TopicWatch start(KafkaCluster cluster, String topic, History history) {
    TopicWatch watch = new TopicWatch(open(cluster, topic), topic, history);
    watch.thread.start();
    return watch;
  }

  /** Reads what is there, once. */
  public static void read(KafkaCluster cluster, String topic, History history) {
    try (TopicTail<ObjectNode> tail = open(cluster, topic)) {
      TopicWatch watch = new TopicWatch(tail, topic, history);
      while (!tail.isAtEnd()) {
        watch.readOn();
      }
    }
  }

  private static TopicTail<ObjectNode> open(KafkaCluster cluster, String topic) {
    return TopicTail.open(cluster, topic, InputSetup.CHECK_LIMIT, RECORDS);
  }

  /** Adds the next records, sorted by time: those that come while it follows are in no order. */
  private void readOn() {
    List<ObjectNode> records = tail.next();
    history.add(
        topic, records.stream().sorted(Comparator.comparingLong(TopicWatch::time)).toList());
  }

  private static long time(ObjectNode record) {
    return record.path("time").asLong();
  }

  private void run() {
    while (!closed) {
      try {
        readOn();
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
