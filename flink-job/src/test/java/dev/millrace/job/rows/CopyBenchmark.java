package dev.millrace.job.rows;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import dev.millrace.exchange.rows.RowTable;
import dev.millrace.fields.FieldsDescription;
import dev.millrace.fields.IdHash;
import dev.millrace.job.follow.ServedRows;
import dev.millrace.job.testing.Job;
import dev.millrace.job.testing.TestEngine;
import dev.millrace.kafka.testing.Broker;
import dev.millrace.model.IdLists;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.flink.core.execution.JobClient;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A copy of many rows of 16 values: its bytes, how long opening it takes, and how long reading 26
 * ids does while 2,000 rows a second are written; and how long it takes a record, from its append
 * in Kafka, to be in the row of its id in a copy. {@code -Dmillrace.copy.rows}, {@code
 * -Dmillrace.copy.records} a second and {@code -Dmillrace.copy.seconds} say how many and how long.
 */
class CopyBenchmark {

  private static final int ROWS = Integer.getInteger("millrace.copy.rows", 10_000_000);
  private static final int SECONDS = Integer.getInteger("millrace.copy.seconds", 20);
  private static final int DIMENSION = 16;
  private static final int IDS = 26;
  private static final int WRITTEN_A_SECOND = 2_000;
  private static final int RECORDS_A_SECOND = Integer.getInteger("millrace.copy.records", 500);
  private static final int BATCH = 10_000;
  private static final byte[] KEY = RowRecords.key("ids");
  private static final RowTable TABLE = RowTable.of("ids", DIMENSION);

  @TempDir private Path directory;

  @Test
  void rowsAreRead() throws Exception {
    long start = System.nanoTime();
    fill();
    System.out.printf(
        "%,d rows written in %d s, %,d MB, %.0f bytes a row%n",
        ROWS, seconds(start), bytes() >> 20, (double) bytes() / ROWS);
    start = System.nanoTime();
    try (LocalRows copy = LocalRows.open(directory)) {
      CopyReader reader = new CopyReader(copy, shape());
      reader.complete(someIds(new SplittableRandom(1), 1), new float[IDS * DIMENSION]);
      System.out.printf(
          "opened, and read once, in %d ms%n", (System.nanoTime() - start) / 1_000_000);
      AtomicBoolean ends = new AtomicBoolean();
      Thread writer = new Thread(() -> write(copy, ends));
      writer.start();
      print("uniform ids", read(reader, new SplittableRandom(2), 1));
      print("skewed ids", read(reader, new SplittableRandom(3), 5));
      ends.set(true);
      writer.join();
    }
  }

  private void fill() throws IOException {
    SplittableRandom random = new SplittableRandom(0);
    try (LocalRows copy = LocalRows.open(directory)) {
      copy.take(KEY, RowRecords.describe(TABLE));
      for (int row = 0; row < ROWS; row++) {
        copy.take(RowRecords.key(KEY, id(row)), row(random));
        if (row % BATCH == BATCH - 1) {
          copy.commit("rows", Long.toString(row));
        }
      }
      copy.commit("rows", Long.toString(ROWS));
    }
  }

  /** As ids are: hashes. */
  private static long id(long number) {
    return number * 0x9E3779B97F4A7C15L;
  }

  private static byte[] row(SplittableRandom random) {
    float[] values = new float[DIMENSION];
    for (int i = 0; i < DIMENSION; i++) {
      values[i] = (float) random.nextDouble() - 0.5f;
    }
    return RowRecords.value(values);
  }

  private long bytes() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.mapToLong(file -> file.toFile().length()).sum();
    }
  }

  private static void write(LocalRows copy, AtomicBoolean ends) {
    SplittableRandom random = new SplittableRandom(9);
    int each = WRITTEN_A_SECOND / 10;
    try {
      for (long offset = ROWS; !ends.get(); offset += each) {
        for (int i = 0; i < each; i++) {
          copy.take(RowRecords.key(KEY, id(random.nextInt(ROWS))), row(random));
        }
        copy.commit("rows", Long.toString(offset));
        LockSupport.parkNanos(100_000_000);
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static ExampleShape shape() {
    String fields =
        IntStream.range(0, IDS)
            .mapToObj(
                i ->
                    "{\"path\": \"f%s\", \"kind\": \"id\", \"table\": \"ids\", \"dimension\": %s}"
                        .formatted(i, DIMENSION))
            .collect(Collectors.joining(",", "[", "]"));
    return FieldsDescription.parse(fields, null).shape(Target.REGRESSION, 1);
  }

  /** Reads one record after the other; the greater the power, the more often the same ids. */
  private static long[] read(CopyReader reader, SplittableRandom random, int power) {
    float[] features = new float[IDS * DIMENSION];
    List<Long> nanos = new ArrayList<>();
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long cpu = threads.getCurrentThreadCpuTime();
    long end = System.nanoTime() + SECONDS * 1_000_000_000L;
    while (System.nanoTime() < end) {
      IdLists ids = someIds(random, power);
      long start = System.nanoTime();
      reader.complete(ids, features);
      nanos.add(System.nanoTime() - start);
    }
    // What other work on the machine doesn't change much.
    System.out.printf(
        "%.3f ms of CPU each: ",
        (threads.getCurrentThreadCpuTime() - cpu) / 1e6 / Math.max(1, nanos.size()));
    return nanos.stream().mapToLong(Long::longValue).sorted().toArray();
  }

  private static IdLists someIds(SplittableRandom random, int power) {
    IdLists ids = new IdLists(IDS);
    for (int i = 0; i < IDS; i++) {
      ids.add(id((long) (ROWS * Math.pow(random.nextDouble(), power))));
      ids.end();
    }
    return ids;
  }

  private static long seconds(long start) {
    return (System.nanoTime() - start) / 1_000_000_000L;
  }

  private static double quantile(long[] sorted, double q) {
    return sorted[(int) (q * (sorted.length - 1))] / 1e6;
  }

  private static void print(String what, long[] sorted) {
    System.out.printf(
        "%s, %,d times: p50 %.3f ms, p99 %.3f ms, p99.9 %.3f ms, most %.1f ms%n",
        what,
        sorted.length,
        quantile(sorted, 0.5),
        quantile(sorted, 0.99),
        quantile(sorted, 0.999),
        quantile(sorted, 1));
  }

  /** Each record has a user of its own, whose row is another than the initial one once learned. */
  @Test
  void aRecordIsInItsRow() throws Exception {
    String topic = Broker.topic(1);
    String fields =
        """
        [{"path": "user", "kind": "id", "table": "users", "dimension": 16},
         {"path": "clicked", "role": "label"}]
        """;
    Job job =
        new Job(topic, directory.resolve("job"))
            .engine(TestEngine.DL4J)
            .parallelism(1)
            .unset("input.features")
            // Units of a hidden layer may be dead, and change no row.
            .set("model.name", "linear")
            .unset("model.hidden")
            .set("input.format", "json")
            .set("input.fields", fields)
            .set("input.outputs", "2")
            .set("input.bounded", "false")
            .set("batch.max-wait", "50 ms")
            .set("rows.topic", topic + "-rows")
            .set("rows.publish-interval", "200 ms");
    int count = RECORDS_A_SECOND * SECONDS;
    long[] sent = new long[count];
    JobClient client = job.start();
    ServedRows rows = awaitRows(new TopicRows(Broker.cluster(), topic + "-rows", ""), topic);
    Thread producer = new Thread(() -> produce(topic, sent));
    producer.start();
    ExampleShape shape = FieldsDescription.parse(fields, null).shape(Target.CLASSIFICATION, 2);
    long[] took = watch(rows.reader(shape), shape, sent);
    producer.join();
    rows.close();
    job.cancel(client);
    // The first second is that of the JIT.
    long[] sorted = Arrays.stream(took, count / 4, count).sorted().toArray();
    print("record to row at %s records/s".formatted(RECORDS_A_SECOND), sorted);
  }

  private static ServedRows awaitRows(TopicRows place, String topic) throws Exception {
    Broker.produce(topic, 0, List.of("{\"user\":\"first\",\"clicked\":1}".getBytes(UTF_8)));
    await()
        .atMost(Duration.ofMinutes(2))
        .ignoreExceptions()
        .until(
            () -> {
              place.open().close();
              return true;
            });
    ServedRows rows = place.open();
    LockSupport.parkNanos(3_000_000_000L);
    return rows;
  }

  @SuppressWarnings("FutureReturnValueIgnored") // A lost record would never be found.
  private static void produce(String topic, long[] sent) {
    Random random = new Random(1);
    try (KafkaProducer<byte[], byte[]> producer = Broker.producer(Map.of("linger.ms", "0"))) {
      long start = System.nanoTime();
      for (int i = 0; i < sent.length; i++) {
        LockSupport.parkNanos(start + i * 1_000_000_000L / RECORDS_A_SECOND - System.nanoTime());
        sent[i] = System.nanoTime();
        producer.send(
            new ProducerRecord<>(
                topic,
                0,
                null,
                "{\"user\":\"u%s\",\"clicked\":%s}"
                    .formatted(i, random.nextInt(2))
                    .getBytes(UTF_8)));
      }
    }
  }

  private static long[] watch(ServedRows.Reader reader, ExampleShape shape, long[] sent) {
    long[] took = new long[sent.length];
    RowTable users = RowTable.of("users", DIMENSION);
    float[] initial = new float[DIMENSION];
    float[] features = new float[shape.features()];
    IdLists ids = new IdLists(1);
    long deadline = System.nanoTime() + Duration.ofSeconds(SECONDS).plusMinutes(2).toNanos();
    for (int next = 0; next < sent.length; ) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("Record %s isn't in its row".formatted(next));
      }
      long id = IdHash.of("users", "u" + next);
      ids.clear();
      ids.add(id);
      ids.end();
      reader.complete(ids, features);
      users.initial().fill(users.hash(), id, initial, 0, DIMENSION);
      if (sent[next] != 0 && !Arrays.equals(features, initial)) {
        took[next] = System.nanoTime() - sent[next];
        next++;
      } else {
        LockSupport.parkNanos(1_000_000);
      }
    }
    return took;
  }
}
