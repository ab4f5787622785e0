package dev.millrace.kafka.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.kafka.KafkaCluster;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Features and labels of a test, for two topics: out of order, some labels too late, some missing,
 * some alone, some records twice. What is to come of it is known without any join: it was decided
 * when they were made.
 *
 * <p>Event times are the records' timestamps. Each record is at most half of {@link #OUT_OF_ORDER}
 * from its place.
 */
public final class LateLabels {

  public static final Duration WITHIN = Duration.ofSeconds(60);
  public static final Duration OUT_OF_ORDER = Duration.ofSeconds(10);

  /** What a key is a test of. */
  public enum Kind {
    /** A label in time. */
    PAIR,
    /** A label that comes after the bound. */
    LATE,
    /** Features alone. */
    UNLABELLED,
    /** A label alone. */
    ALONE
  }

  /** A record, and its place in the order of arrival. */
  private record Event(long place, boolean features, int key, long time) {}

  private static final long STEP_MILLIS = 50;

  /** More than there are partitions. */
  private static final int ENDS = 1_000;

  private final long start = Instant.now().minus(3, ChronoUnit.DAYS).toEpochMilli();
  private final Kind[] kinds;
  private final List<Event> events = new ArrayList<>();
  private final Random random;
  private final int partitions;
  private long duplicates;
  private int sent;

  /**
   * Makes them.
   *
   * @param partitions of both topics
   */
  public LateLabels(long seed, int keys, int partitions) {
    this.random = new Random(seed);
    this.partitions = partitions;
    this.kinds = new Kind[keys];
    for (int key = 0; key < keys; key++) {
      make(key);
    }
    events.sort(Comparator.comparingLong(Event::place));
  }

  private void make(int key) {
    long features = start + key * STEP_MILLIS;
    int within = Math.toIntExact(WITHIN.toMillis());
    int die = random.nextInt(100);
    kinds[key] = die < 5 ? Kind.LATE : die < 8 ? Kind.UNLABELLED : die < 9 ? Kind.ALONE : Kind.PAIR;
    long label =
        kinds[key] == Kind.LATE
            ? features + within + 1 + random.nextInt(within)
            // Both ends are in.
            : features + (die < 12 ? (die % 2) * within : random.nextInt(within + 1));
    if (kinds[key] != Kind.ALONE) {
      add(true, key, features, features);
    }
    if (kinds[key] != Kind.UNLABELLED) {
      add(false, key, label, label);
    }
    if (kinds[key] == Kind.PAIR && random.nextInt(100) == 0) {
      add(true, key, features, features + random.nextInt(within / 2));
      duplicates++;
    }
    if (kinds[key] == Kind.PAIR && random.nextInt(100) == 0) {
      add(false, key, label, label + random.nextInt(within / 2));
      duplicates++;
    }
  }

  private void add(boolean features, int key, long time, long place) {
    int jitter = random.nextInt(Math.toIntExact(OUT_OF_ORDER.toMillis() / 2));
    events.add(new Event(place + jitter, features, key, time));
  }

  /** How many keys of a kind there are. */
  public long count(Kind kind) {
    long count = 0;
    for (Kind each : kinds) {
      count += each == kind ? 1 : 0;
    }
    return count;
  }

  /** How many records come a second time. */
  public long duplicates() {
    return duplicates;
  }

  public int keys() {
    return kinds.length;
  }

  public Kind kind(int key) {
    return kinds[key];
  }

  /** The time of a key's features. */
  public long time(int key) {
    return start + key * STEP_MILLIS;
  }

  /** The class of a key, where it has a label. */
  public static int label(int key) {
    return key % 7;
  }

  /** Sends the next records, as many as are left at most, and returns when the broker has them. */
  public void send(KafkaCluster cluster, String features, String labels, int count)
      throws InterruptedException {
    send(cluster, features, labels, events.subList(sent, Math.min(events.size(), sent + count)));
    sent = Math.min(events.size(), sent + count);
  }

  public int size() {
    return events.size();
  }

  /** Sends one more record to each partition, so late that nobody waits for any other any more. */
  public void sendEnd(KafkaCluster cluster, String features, String labels)
      throws InterruptedException {
    long end = time(kinds.length) + 10 * WITHIN.toMillis();
    List<Event> ends = new ArrayList<>();
    for (int partition = 0; partition < partitions; partition++) {
      ends.add(new Event(end, true, -1 - partition, end));
      ends.add(new Event(end, false, -1 - ENDS - partition, end));
    }
    send(cluster, features, labels, ends);
  }

  @SuppressWarnings("FutureReturnValueIgnored") // The callback hears of it.
  private void send(KafkaCluster cluster, String features, String labels, List<Event> some)
      throws InterruptedException {
    AtomicReference<Exception> failure = new AtomicReference<>();
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", cluster.bootstrapServers(), "linger.ms", "5"),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      for (Event event : some) {
        producer.send(
            record(event, event.features ? features : labels),
            (metadata, problem) -> failure.compareAndSet(null, problem));
      }
    }
    if (failure.get() != null) {
      throw new IllegalStateException(failure.get());
    }
  }

  private ProducerRecord<byte[], byte[]> record(Event event, String topic) {
    int partition = event.key < 0 ? (-1 - event.key) % ENDS : random.nextInt(partitions);
    String value =
        event.features
            ? "{\"key\":%s,\"amount\":%s.5}".formatted(event.key, event.key)
            : "{\"verdict\":{\"class\":%s}}".formatted(label(event.key));
    return new ProducerRecord<>(
        topic,
        partition,
        event.time,
        Integer.toString(event.key).getBytes(UTF_8),
        value.getBytes(UTF_8));
  }
}
