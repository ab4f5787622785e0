package dev.millrace.serve;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.job.testing.Job;
import dev.millrace.job.testing.SharedFlink;
import dev.millrace.job.testing.TestEngine;
import dev.millrace.kafka.testing.Broker;
import dev.millrace.serve.ServeBenchmark.Client;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.flink.core.execution.JobClient;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * How long it takes a record of 26 ids, from its append in Kafka, to be in a prediction of {@code
 * millrace serve} over HTTP; how long a request of 26 ids takes meanwhile; and how many bytes are
 * published, beside full models. The server is a process of its own; the job, the broker's clients
 * and those of the server share this one.
 *
 * <p>Each record has a user of its own. What is asked for is the user alone, of a model that stays
 * as it is, so that nothing but the user's row changes the prediction. {@code
 * -Dmillrace.served.records} says how many records come a second (half of what the job can take
 * unless given), {@code -Dmillrace.served.seconds} for how long, {@code -Dmillrace.served.full} of
 * how many records that rate is measured, {@code -Dmillrace.served.requests} how many requests of
 * 26 ids there are a second.
 */
@ExtendWith(SharedFlink.class)
class ServedRowsBenchmark {

  private static final int RECORDS = Integer.getInteger("millrace.served.records", 0);
  private static final int SECONDS = Integer.getInteger("millrace.served.seconds", 60);
  private static final int FULL = Integer.getInteger("millrace.served.full", 50_000);
  private static final int REQUESTS = Integer.getInteger("millrace.served.requests", 100);

  private static final int DIMENSION = 16;
  private static final int OTHERS = 25;
  private static final int IDS = 1_000_000;
  private static final int CLIENTS = 50;
  private static final int ASKED_AT_ONCE = 256;

  /** What else is in a batch changes probabilities by less, usually. */
  private static final double SAME = 1e-6;

  private static final Duration GIVEN_UP = Duration.ofSeconds(10);

  private static final Duration PAUSE = Duration.ofMillis(10);
  private static final int SNAPSHOT_SECONDS = 10;

  @TempDir private Path directory;

  /** When each record was sent, and when its user's prediction was another one; 0 before that. */
  private long[] sent;

  private long[] seen;

  /** How many records were sent. */
  private volatile int produced;

  @Test
  void recordsAreInPredictions() throws Exception {
    int full = fullRate();
    int rate = RECORDS > 0 ? RECORDS : Math.max(1, full / 2);
    sent = new long[rate * SECONDS];
    seen = new long[sent.length];
    String topic = Broker.topic(1);
    String rows = topic + "-rows";
    Job job = job(topic, "fresh", rows);
    JobClient client = job.start();
    Broker.produce(topic, 0, List.of(record(new SplittableRandom(0), "first", true)));
    try (ServeProcess server = serve(directory.resolve("full").resolve("models"), rows)) {
      server.ready();
      double[] before = before(server);
      long[] bytes = {bytes(rows), bytes(topic + "-models")};
      long records = records(rows);
      Thread producer = new Thread(() -> produce(topic, rate));
      Requests requests = new Requests(server.address().getPort());
      producer.start();
      requests.start();
      watch(server, before);
      producer.join();
      requests.end();
      report(rate, full, requests);
      reportBytes(
          bytes(rows) - bytes[0], records(rows) - records, bytes(topic + "-models") - bytes[1]);
    }
    job.cancel(client);
  }

  private Job job(String topic, String name, String rows) {
    return new Job(topic, directory.resolve(name))
        .engine(TestEngine.TORCH)
        .parallelism(1)
        .unset("input.features")
        .unset("exchange.block-size")
        .unset("exchange.learning-rate-scaling")
        .set("input.format", "json")
        .set("input.fields", fields())
        .set("input.outputs", "2")
        .set("input.bounded", "false")
        .set("model.name", "deepfm")
        .set("model.hidden", "64;32")
        .set("batch.size", "32")
        .set("batch.local-size", "32")
        .set("batch.max-wait", "50 ms")
        .set("execution.checkpointing.interval", "10 s")
        .set("snapshot.interval", SNAPSHOT_SECONDS + " s")
        .set("snapshot.topic", topic + "-models")
        .set("metrics.interval", "1 s")
        .set("rows.topic", rows)
        .set("rows.publish-interval", "200 ms");
  }

  private static String fields() {
    String others =
        IntStream.range(0, OTHERS)
            .mapToObj(
                i ->
                    "{\"path\":\"f%s\",\"kind\":\"id\",\"table\":\"others\",\"dimension\":%s}"
                        .formatted(i, DIMENSION))
            .collect(Collectors.joining(","));
    return """
    [{"path":"user","kind":"id","table":"users","dimension":%s},
     %s,
     {"path":"clicked","role":"label"}]\
    """
        .formatted(DIMENSION, others);
  }

  /** Few others come often: the fifth power of a uniform number. */
  private static byte[] record(SplittableRandom random, String user, boolean labelled) {
    String others =
        IntStream.range(0, OTHERS)
            .mapToObj(
                i -> "\"f%s\":\"o%s\"".formatted(i, (int) (IDS * Math.pow(random.nextDouble(), 5))))
            .collect(Collectors.joining(","));
    String label = labelled ? ",\"clicked\":" + random.nextInt(2) : "";
    return "{\"user\":\"%s\",%s%s}".formatted(user, others, label).getBytes(UTF_8);
  }

  /** Learns a topic that is full; its last model is served later. */
  private int fullRate() throws Exception {
    String topic = Broker.topic(1);
    SplittableRandom random = new SplittableRandom(1);
    List<byte[]> records = new ArrayList<>();
    for (int i = 0; i < FULL; i++) {
      records.add(record(random, "full" + i, true));
    }
    Broker.produce(topic, 0, records);
    Job job = job(topic, "full", topic + "-rows").set("input.bounded", "true").run();
    List<JsonNode> reports = job.metrics("progress");
    JsonNode first = reports.get(0);
    JsonNode last = reports.get(reports.size() - 1);
    return (int)
        ((last.path("examples").asLong() - first.path("examples").asLong())
            * 1000
            / Math.max(1, last.path("time").asLong() - first.path("time").asLong()));
  }

  private ServeProcess serve(Path models, String rows) throws Exception {
    return ServeProcess.start(
        directory.resolve("work"),
        // As bin/millrace has it.
        List.of("-XX:MaxGCPauseMillis=5", "-Xmx1g"),
        List.of(
            "--kafka.bootstrap.servers",
            Broker.cluster().bootstrapServers(),
            "--model.engine",
            "torch",
            "--scoring.models",
            models.toString(),
            "--rows.topic",
            rows));
  }

  private static String user(int number) {
    return "{\"user\":\"u%s\"}".formatted(number);
  }

  private static double[] predict(ServeProcess server, List<Integer> users) throws Exception {
    JsonNode predictions =
        server
            .predict(
                users.stream()
                    .map(ServedRowsBenchmark::user)
                    .collect(Collectors.joining(",", "[", "]")))
            .json()
            .path("predictions");
    double[] probabilities = new double[users.size()];
    for (int i = 0; i < probabilities.length; i++) {
      probabilities[i] = predictions.path(i).path("probabilities").path(1).asDouble();
    }
    return probabilities;
  }

  private double[] before(ServeProcess server) throws Exception {
    double[] all = new double[sent.length];
    for (int from = 0; from < all.length; from += ASKED_AT_ONCE) {
      int to = Math.min(all.length, from + ASKED_AT_ONCE);
      List<Integer> users = IntStream.range(from, to).boxed().toList();
      System.arraycopy(predict(server, users), 0, all, from, to - from);
    }
    return all;
  }

  @SuppressWarnings("FutureReturnValueIgnored") // A lost record would never be found.
  private void produce(String topic, int rate) {
    SplittableRandom random = new SplittableRandom(2);
    try (KafkaProducer<byte[], byte[]> producer = Broker.producer(Map.of("linger.ms", "0"))) {
      long start = System.nanoTime();
      for (int i = 0; i < sent.length; i++) {
        byte[] record = record(random, "u" + i, true);
        LockSupport.parkNanos(start + i * 1_000_000_000L / rate - System.nanoTime());
        sent[i] = System.nanoTime();
        producer.send(new ProducerRecord<>(topic, 0, null, record));
        produced = i + 1;
      }
    }
  }

  /**
   * Asks for users that were sent and not seen yet, again and again. A pause leaves the server to
   * the other requests, and is in what is measured. Of a few thousand rows one changes a prediction
   * by too little to be told: it is given up.
   */
  private void watch(ServeProcess server, double[] before) throws Exception {
    List<Integer> pending = new ArrayList<>();
    for (int next = 0; next < sent.length || !pending.isEmpty(); ) {
      LockSupport.parkNanos(PAUSE.toNanos());
      for (int end = produced; next < end; next++) {
        pending.add(next);
      }
      List<Integer> asked = pending.subList(0, Math.min(pending.size(), ASKED_AT_ONCE));
      if (!asked.isEmpty()) {
        double[] now = predict(server, asked);
        long time = System.nanoTime();
        for (int i = 0; i < now.length; i++) {
          int user = asked.get(i);
          if (Math.abs(now[i] - before[user]) > SAME) {
            seen[user] = time;
          }
        }
        asked.removeIf(user -> seen[user] != 0 || time - sent[user] > GIVEN_UP.toNanos());
      }
    }
  }

  /** Requests of one record of 26 ids each, at a steady rate. */
  private static final class Requests {

    private final List<Client> clients = new ArrayList<>();
    private final List<Long> nanos = new ArrayList<>();
    private final Thread thread = new Thread(this::run);
    private volatile boolean ends;

    Requests(int port) throws Exception {
      SplittableRandom random = new SplittableRandom(3);
      for (int i = 0; i < CLIENTS; i++) {
        byte[] body = record(random, "u" + i, false);
        clients.add(new Client(port, "predict", "Content-Type: application/json", body));
      }
    }

    void start() {
      thread.start();
    }

    /** From when a request is due, so that one which waits for another counts in full. */
    private void run() {
      long start = System.nanoTime();
      for (int i = 0; !ends; i++) {
        long due = start + i * 1_000_000_000L / REQUESTS;
        for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
          LockSupport.parkNanos(left);
        }
        try {
          clients.get(i % CLIENTS).call();
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
        nanos.add(System.nanoTime() - due);
      }
    }

    void end() throws InterruptedException {
      ends = true;
      thread.join();
    }

    long[] sorted() {
      return withoutStart(nanos.stream().mapToLong(Long::longValue).toArray());
    }
  }

  /** Without the first quarter, which is that of the JIT. */
  private static long[] withoutStart(long[] nanos) {
    return Arrays.stream(nanos, nanos.length / 4, nanos.length).sorted().toArray();
  }

  private void report(int rate, int full, Requests requests) {
    long[] took =
        IntStream.range(0, sent.length)
            .filter(i -> seen[i] != 0)
            .mapToLong(i -> seen[i] - sent[i])
            .toArray();
    print(
        "record to prediction at %s of %s records/s, %s not seen within %s s"
            .formatted(rate, full, sent.length - took.length, GIVEN_UP.toSeconds()),
        withoutStart(took));
    print("a request of 26 ids at %s requests/s".formatted(REQUESTS), requests.sorted());
  }

  private static void print(String what, long[] sorted) {
    System.out.printf(
        Locale.ROOT,
        "%s, %,d times: p50 %.2f ms, p99 %.2f ms, most %.1f ms%n",
        what,
        sorted.length,
        sorted[sorted.length / 2] / 1e6,
        sorted[sorted.length * 99 / 100] / 1e6,
        sorted[sorted.length - 1] / 1e6);
  }

  private void reportBytes(long ofRows, long records, long ofModels) {
    double seconds = (Arrays.stream(seen).max().orElseThrow() - sent[0]) / 1e9;
    double each = (double) ofRows / Math.max(1, records);
    System.out.printf(
        Locale.ROOT,
        "published an hour: %,.0f MB of rows (%,.0f changes/s of %.0f bytes), %,.0f MB of models"
            + " without rows; models with a million rows each %d s would be %,.0f MB%n",
        ofRows / seconds * 3600 / 1e6,
        records / seconds,
        each,
        ofModels / seconds * 3600 / 1e6,
        SNAPSHOT_SECONDS,
        each * 1e6 * 3600 / SNAPSHOT_SECONDS / 1e6);
  }

  /** Returns what a topic takes on the broker's disk. */
  private static long bytes(String topic) throws Exception {
    try (Admin admin = Broker.admin()) {
      return admin.describeLogDirs(List.of(1)).allDescriptions().get().values().stream()
          .flatMap(directories -> directories.values().stream())
          .flatMap(directory -> directory.replicaInfos().entrySet().stream())
          .filter(replica -> replica.getKey().topic().equals(topic))
          .mapToLong(replica -> replica.getValue().size())
          .sum();
    }
  }

  private static long records(String topic) throws Exception {
    try (Admin admin = Broker.admin()) {
      return admin
          .listOffsets(
              admin
                  .describeTopics(List.of(topic))
                  .allTopicNames()
                  .get()
                  .get(topic)
                  .partitions()
                  .stream()
                  .collect(
                      Collectors.toMap(
                          partition -> new TopicPartition(topic, partition.partition()),
                          any -> OffsetSpec.latest())))
          .all()
          .get()
          .values()
          .stream()
          .mapToLong(ListOffsetsResult.ListOffsetsResultInfo::offset)
          .sum();
    }
  }
}
