package dev.millrace.job.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.exchange.flink.FaultInjector;
import dev.millrace.job.options.InvalidOptionsException;
import dev.millrace.job.testing.Blobs;
import dev.millrace.job.testing.Job;
import dev.millrace.job.testing.SeededFaults;
import dev.millrace.job.testing.SlowSteps;
import dev.millrace.kafka.testing.Broker;
import dev.millrace.model.Ledger.Span;
import dev.millrace.model.testing.Seeds;
import dev.millrace.snapshot.SnapshotDescription;
import dev.millrace.snapshot.testing.LedgerCheck;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.apache.flink.core.execution.JobClient;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files first, then topics: each record exactly once, and the ledger has all of them. */
class HistoryIT {

  private static final String BAD = "no example";

  @TempDir Path directory;

  private final Blobs blobs = new Blobs(3);

  /** How many lines each file has, by the name that the ledger has for it. */
  private final TreeMap<String, Integer> files = new TreeMap<>();

  private long bad;

  /** One replica reads files in the order of their names, so the model tells the order, too. */
  @Test
  void faultsLeaveNoTraceInTheModel() throws Exception {
    write(900, 400, 700);
    String topic = topic(1, 2_000);
    Job undisturbed = job(topic, "undisturbed").parallelism(1).run();
    long seed = Seeds.next();
    SeededFaults faults = new SeededFaults(seed, 12, 20);

    Job disturbed = job(topic, "disturbed").parallelism(1).faults(faults).run();

    assertThat(faults.thrown()).as("faults injected, seed %d", seed).isEqualTo(12);
    requireAll(disturbed, topic, 2_000);
    assertThat(disturbed.trained().vector()).isEqualTo(undisturbed.trained().vector());
    assertThat(disturbed.description().version().generation()).isPositive();
  }

  /** More files than replicas, and fewer partitions. */
  @Test
  void eachRecordIsTakenOnceBySeveralReplicas() throws Exception {
    write(1_500, 40, 900, 1, 700);
    String topic = topic(2, 1_500);
    String letters = Broker.topic(1);
    long seed = Seeds.next();
    SeededFaults faults = new SeededFaults(seed, 12, 20);

    Job job =
        job(topic, "several")
            .parallelism(3)
            .set("exchange.schedule", "overlap")
            .set("batch.max-wait", "50 ms")
            .set("dead-letter.topic", letters)
            .faults(faults)
            .run();

    assertThat(faults.thrown()).as("faults injected, seed %d", seed).isEqualTo(12);
    requireAll(job, topic, 1_500, 1_500);
    assertThat(job.warnings())
        .singleElement()
        .asString()
        .startsWith("The job has 3 replicas, and its topics have 2 partitions:")
        .contains("so once input.history is read the others learn nothing");
    List<ConsumerRecord<byte[], byte[]>> all = Broker.read(letters);
    // Dead letters are written at least once.
    assertThat(all.stream().map(letter -> header(letter, "topic") + header(letter, "offset")))
        .as("dead letters by file and line")
        .contains(files.firstKey() + "6")
        .satisfies(places -> assertThat(new HashSet<>(places)).hasSize((int) bad));
    assertThat(all).allSatisfy(letter -> assertThat(letter.value()).asString(UTF_8).isEqualTo(BAD));
  }

  /** One for each partition would be half as many, each of twice the batch. */
  @Test
  void replicasShareEachStepOfTheFiles() throws Exception {
    write(320, 320);

    Job job =
        job(topic(1, 0), "shared")
            .set("exchange.local-steps", "1")
            .set("batch.size", "32")
            .unset("batch.local-size")
            .unset("exchange.learning-rate-scaling")
            .parallelism(2)
            .run();

    assertThat(job.description().version().round() * 32).isGreaterThanOrEqualTo(640 - bad);
  }

  /** The last checkpoint is of the history when the first records of the topic were learned. */
  @Test
  void aFailureBehindTheSwitchGoesBackToTheFiles() throws Exception {
    write(600, 600, 600);
    String topic = topic(2, 800);
    long steps = (1_800 + 7) / 8;
    FailAt faults = FailAt.steps(steps + 4, steps + 60, steps + 110);

    Job job =
        job(topic, "switch")
            .set("batch.max-wait", "50 ms")
            .set("exchange.schedule", "overlap")
            .set("execution.checkpointing.interval", "700 ms")
            .faults(faults)
            .run();

    assertThat(FailAt.THROWN).hasValue(3);
    requireAll(job, topic, 800, 800);
  }

  @Test
  void savepointsAreResumedInHistoryAndBehindIt() throws Exception {
    // Each file ends with an example: rejected records count with a contribution that follows.
    write(800, 310, 800, 490);
    String topic = topic(2, 600);
    Job job = job(topic, "rescaled").set("input.bounded", "false").set("batch.max-wait", "50 ms");

    JobClient atTwo = job.parallelism(2).faults(SlowSteps.slowerAfter(40)).start();
    job.await(() -> job.taken() >= 300);
    String inHistory = job.stop(atTwo, false);
    assertThat(job.taken()).as("records taken of 2,400 in files").isLessThan(2_400);

    JobClient atThree = job.parallelism(3).faults(FaultInjector.NONE).from(inHistory).start();
    job.await(() -> job.taken() == 3_600);
    String behind = job.stop(atThree, false);
    assertThat(job.warnings()).anyMatch(told -> told.contains("input.history"));

    // What was read is needed no more, and new files aren't read.
    try (Stream<Path> files = Files.walk(directory.resolve("history"))) {
      files.filter(Files::isRegularFile).forEach(HistoryIT::delete);
    }
    Broker.produce(topic, 0, Blobs.encode(blobs.next(100)));
    JobClient atOne = job.parallelism(1).from(behind).start();
    job.await(() -> job.taken() == 3_700);
    job.stop(atOne, true);

    requireAll(job, topic, 700, 600);
    assertThatThrownBy(() -> job.unset("input.history").start())
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContaining("input.history is missing, and " + behind);
  }

  @Test
  void itIsNotAddedToASavepoint() throws Exception {
    String topic = topic(1, 50);
    Job job = new Job(topic, directory).set("input.bounded", "false").parallelism(1);
    JobClient client = job.start();
    job.await(() -> Broker.positions(topic).getOrDefault(0, 0L) == 50);
    String savepoint = job.stop(client, false);
    write(10);

    assertThatThrownBy(() -> job.set("input.history", history()).from(savepoint).start())
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContaining("of a job without it, which has begun with its topics");
  }

  @Test
  void aFileThatChangedFailsTheJobForGood() throws Exception {
    write(2_000);
    String topic = topic(1, 10);
    Job job = job(topic, "changed").set("input.bounded", "false").parallelism(1);
    JobClient client = job.faults(SlowSteps.slowerAfter(20)).start();
    job.await(() -> job.taken() >= 100);
    String savepoint = job.stop(client, false);
    Files.writeString(Path.of(URI.create(files.firstKey())), "{}\n");

    assertThatThrownBy(() -> job.from(savepoint).faults(FaultInjector.NONE).run())
        .hasStackTraceContaining("nobody knows which of its records were learned");
  }

  private Job job(String topic, String name) {
    return new Job(topic, directory.resolve(name)).set("input.history", history());
  }

  private String history() {
    return directory.resolve("history") + "/*.json*";
  }

  /** Every second file is compressed; each has records that are none. */
  private void write(int... lines) throws IOException {
    Path place = Files.createDirectories(directory.resolve("history"));
    for (int i = 0; i < lines.length; i++) {
      List<byte[]> records = new ArrayList<>(Blobs.encode(blobs.next(lines[i]), "json"));
      for (int bare = 5; bare < records.size(); bare += 13) {
        records.set(bare, BAD.getBytes(UTF_8));
        bad++;
      }
      Path file = place.resolve("part-" + i + (i % 2 == 0 ? ".jsonl" : ".json.gz"));
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try (OutputStream out = i % 2 == 0 ? bytes : new GZIPOutputStream(bytes)) {
        for (byte[] record : records) {
          out.write(record);
          out.write('\n');
        }
      }
      Files.write(file, bytes.toByteArray());
      files.put("file:" + file, lines[i]);
    }
  }

  private String topic(int partitions, int each) throws Exception {
    String topic = Broker.topic(partitions);
    for (int partition = 0; partition < partitions; partition++) {
      Broker.produce(topic, partition, Blobs.encode(blobs.next(each)));
    }
    return topic;
  }

  private void requireAll(Job job, String topic, long... counts) throws IOException {
    SnapshotDescription model = job.description();
    files.forEach(
        (file, lines) ->
            assertThat(LedgerCheck.taken(model, file, 0))
                .as("ledger of %s in model %s", file, model.version())
                .isEqualTo(new Span(lines, (long) lines * (lines + 1) / 2, 1, lines)));
    job.assertTookAll(topic, counts);
    assertThat(model.ledger().stream().mapToLong(entry -> entry.rejected().count()).sum())
        .isEqualTo(bad);
  }

  private static String header(ConsumerRecord<byte[], byte[]> letter, String name) {
    return new String(letter.headers().lastHeader("millrace." + name).value(), UTF_8);
  }

  private static void delete(Path file) {
    try {
      Files.delete(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Fails at some local steps, counted over all attempts. Serves one job at a time. */
  private record FailAt(List<Long> at) implements FaultInjector {

    private static final AtomicInteger STEPS = new AtomicInteger();
    private static final AtomicInteger THROWN = new AtomicInteger();

    static FailAt steps(Long... at) {
      STEPS.set(0);
      THROWN.set(0);
      return new FailAt(List.of(at));
    }

    @Override
    public void reach(Place place, int subtask) {
      if (place == Place.LOCAL_STEP && at.contains((long) STEPS.incrementAndGet())) {
        THROWN.incrementAndGet();
        throw new IllegalStateException("Injected at step " + STEPS.get());
      }
    }
  }
}
