package dev.millrace.job.updates;

import dev.millrace.kafka.KafkaAccessException;
import dev.millrace.kafka.topic.TopicFollower;
import dev.millrace.kafka.topic.TopicPlace;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a topic of updates from its beginning, on a thread of its own, so that nobody waits for
 * brokers. While they can't be reached, or the topic isn't there, it tries again and again, and
 * more and more rarely.
 */
final class UpdateReader {

  private static final Logger LOG = LoggerFactory.getLogger(UpdateReader.class);
  private static final Duration POLL = Duration.ofMillis(200);
  private static final Duration LEAST_PAUSE = Duration.ofMillis(500);
  private static final Duration MOST_PAUSE = Duration.ofSeconds(10);

  /** Records that wait to be taken. */
  private static final int ROOM = 64;

  private final UpdatesOfTopic place;
  private final BlockingQueue<byte[]> records = new ArrayBlockingQueue<>(ROOM);
  private volatile boolean closed;

  // Of the thread.
  private TopicFollower follower;
  private Duration pause = LEAST_PAUSE;
  private boolean told;

  UpdateReader(UpdatesOfTopic place) {
    this.place = place;
    Thread thread = new Thread(this::run, "millrace-update-reader");
    thread.setDaemon(true);
    thread.start();
  }

  /** Takes what is read, in the order of the topic; after a failure from its beginning again. */
  BlockingQueue<byte[]> records() {
    return records;
  }

  private void run() {
    while (!closed) {
      try {
        read();
        pause = LEAST_PAUSE;
        told = false;
      } catch (KafkaAccessException e) {
        rest(e);
      }
    }
    closeFollower();
  }

  private void read() {
    if (follower == null) {
      follower = TopicFollower.open(place.cluster(), place.topic(), TopicPlace.NONE);
    }
    follower.poll(POLL, (key, value) -> hand(value));
  }

  private void hand(byte[] value) {
    try {
      while (value != null && !closed && !records.offer(value, 1, TimeUnit.SECONDS)) {
        LOG.debug("Updates of {} wait to be taken", place);
      }
    } catch (InterruptedException e) {
      // Nobody interrupts this thread but who ends the process.
      closed = true;
    }
  }

  private void rest(KafkaAccessException e) {
    if (!told) {
      LOG.warn(
          "Updates can't be read from {}; whole models are served meanwhile: {}",
          place,
          e.getMessage());
      told = true;
    }
    closeFollower();
    LockSupport.parkNanos(pause.toNanos());
    pause = pause.multipliedBy(2).compareTo(MOST_PAUSE) < 0 ? pause.multipliedBy(2) : MOST_PAUSE;
  }

  private void closeFollower() {
    if (follower != null) {
      follower.close();
      follower = null;
    }
  }

  /** Ends the thread, soon. */
  void close() {
    closed = true;
  }
}
