package dev.millrace.job.updates;

import dev.millrace.kafka.KafkaCluster;
import dev.millrace.kafka.topic.TopicFollower;
import dev.millrace.kafka.topic.TopicPlace;
import dev.millrace.model.Ledger;
import dev.millrace.model.ModelVersion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** What the versions that updates lead to have learned, and how long updates are. */
public final class UpdateLedgers implements AutoCloseable {

  private final Map<ModelVersion, Ledger> ledgers = new ConcurrentHashMap<>();
  private final TopicFollower follower;
  private final Thread thread = new Thread(this::follow, "update-ledgers");
  private volatile boolean closed;
  private final LongAdder bytes = new LongAdder();
  private final LongAdder updates = new LongAdder();

  /** Follows a topic of updates that is there. */
  public UpdateLedgers(KafkaCluster cluster, String topic) {
    follower = TopicFollower.open(cluster, topic, TopicPlace.NONE);
    thread.start();
  }

  private void follow() {
    while (!closed) {
      follower.poll(Duration.ofMillis(100), (key, value) -> take(value));
    }
    follower.close();
  }

  private void take(byte[] value) {
    try {
      ModelUpdate update = ModelUpdate.read(UpdateEnvelope.read(value).update());
      ledgers.put(update.version(), update.learned());
      bytes.add(value.length);
      updates.increment();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns what a version has learned; null where no update has led to it so far. */
  public Ledger of(ModelVersion version) {
    return ledgers.get(version);
  }

  /** Returns how many bytes an update has, in the mean. */
  public double meanBytes() {
    return bytes.doubleValue() / updates.sum();
  }

  @Override
  public void close() {
    closed = true;
  }
}
