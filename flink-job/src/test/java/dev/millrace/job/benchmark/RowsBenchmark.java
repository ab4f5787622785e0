package dev.millrace.job.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.management.OperatingSystemMXBean;
import dev.millrace.job.testing.Job;
import dev.millrace.job.testing.SharedFlink;
import dev.millrace.job.testing.TestEngine;
import dev.millrace.kafka.testing.Broker;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.runtime.checkpoint.AbstractCheckpointStats;
import org.apache.flink.runtime.checkpoint.TaskStateStats;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * How fast a job learns rows: 26 fields of ids by Zipf's law, a table each, rows of 16 values,
 * DeepFM of PyTorch, two replicas in one process, RocksDB, a checkpoint each 10 s. With {@code
 * -Drows.filled} the fields share one table, which has as many rows before.
 */
class RowsBenchmark {

  private static final int FIELDS = Integer.getInteger("rows.fields", 26);
  private static final int FILLED = Integer.getInteger("rows.filled", 0);
  private static final int IDS = FILLED > 0 ? FILLED : Integer.getInteger("rows.ids", 77_000);
  private static final int DIMENSION = Integer.getInteger("rows.dimension", 16);

  /** Ids of a field in a record that fills the table. */
  private static final int LIST = 100;

  private static final int REPLICAS = Integer.getInteger("rows.replicas", 2);
  private static final int PARTITIONS = 4;
  private static final int RECORDS = Integer.getInteger("rows.records", 200_000);
  private static final double EXPONENT = 1.05;

  @TempDir Path directory;

  private static String topic() throws Exception {
    String topic = Broker.topic(PARTITIONS);
    Random random = new Random(3);
    List<byte[]> some = new ArrayList<>();
    for (int partition = 0; partition < PARTITIONS; partition++) {
      for (int first = partition; first < fill(); first += PARTITIONS) {
        some.add(filling(first).getBytes(StandardCharsets.US_ASCII));
        if (some.size() == 1_000 || first + PARTITIONS >= fill()) {
          Broker.produce(topic, partition, some);
          some.clear();
        }
      }
      for (int left = RECORDS / PARTITIONS; left > 0; left--) {
        some.add(record(random).getBytes(StandardCharsets.US_ASCII));
        if (some.size() == 10_000 || left == 1) {
          Broker.produce(topic, partition, some);
          some.clear();
        }
      }
    }
    return topic;
  }

  /** Records that fill the table. */
  private static int fill() {
    return FILLED / (FIELDS * LIST);
  }

  private static String filling(int number) {
    StringBuilder record = new StringBuilder();
    long rank = 1 + (long) number * FIELDS * LIST;
    for (int field = 0; field < FIELDS; field++) {
      for (int i = 0; i < LIST; i++) {
        record.append(i == 0 ? "" : "|").append(scrambled(rank++));
      }
      record.append(',');
    }
    return record.append("1").toString();
  }

  private static long scrambled(long rank) {
    return rank * 2_654_435_761L % 4_294_967_296L;
  }

  private static String record(Random random) {
    StringBuilder record = new StringBuilder();
    for (int field = 0; field < FIELDS; field++) {
      // The inverse of the law's integral.
      double rank =
          Math.pow(1 + random.nextDouble() * (Math.pow(IDS, 1 - EXPONENT) - 1), 1 / (1 - EXPONENT));
      record.append(scrambled((long) rank)).append(',');
    }
    return record.append(random.nextInt(2)).toString();
  }

  private static String fields() {
    return IntStream.range(0, FIELDS)
        .mapToObj(
            field ->
                FILLED > 0
                    ? "{\"path\":\"c%s\",\"kind\":\"ids\",\"separator\":\"|\",\"pooling\":\"mean\",\"table\":\"all\"}"
                        .formatted(field)
                    : "{\"path\":\"c%s\",\"kind\":\"id\"}".formatted(field))
        .collect(Collectors.joining(",", "[", ",{\"path\":\"y\",\"role\":\"label\"}]"));
  }

  private static String columns() {
    return IntStream.range(0, FIELDS).mapToObj("c%s"::formatted).collect(Collectors.joining(";"))
        + ";y";
  }

  private static long cpu() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  /** CPU time in ns that the process had taken at a time in ms, between the closest samples. */
  private static double cpuAt(NavigableMap<Long, Long> samples, long time) {
    Map.Entry<Long, Long> before = samples.floorEntry(time);
    Map.Entry<Long, Long> after = samples.higherEntry(time);
    if (before == null || after == null) {
      return (before == null ? after : before).getValue();
    }
    double share = (double) (time - before.getKey()) / (after.getKey() - before.getKey());
    return before.getValue() + share * (after.getValue() - before.getValue());
  }

  @Test
  void examplesASecond() throws Exception {
    Job job =
        new Job(topic(), directory)
            .engine(TestEngine.TORCH)
            .parallelism(REPLICAS)
            .backend(System.getProperty("rows.backend", "rocksdb"))
            .unset("input.features")
            .unset("exchange.block-size")
            .unset("exchange.learning-rate-scaling")
            .set("input.format", "csv")
            .set("input.csv.columns", columns())
            .set("input.fields", fields())
            .set("input.outputs", "2")
            .set("model.name", System.getProperty("rows.model", "deepfm"))
            .set("model.hidden", "128;64")
            .set("batch.size", Integer.toString(256 * REPLICAS))
            .set("batch.local-size", "256")
            .set("tables.*.dimension", Integer.toString(DIMENSION))
            .flink(
                "state.backend.rocksdb.memory.fixed-per-slot",
                System.getProperty("rows.rocksdb", "128 mb"))
            .flink("execution.checkpointing.incremental", "true")
            .flink("state.backend.rocksdb.use-bloom-filter", "true")
            .set("rows.cache", System.getProperty("rows.cache", "40000"))
            .set("rows.prefetch", System.getProperty("rows.prefetch", "1"))
            .set("execution.checkpointing.interval", "10 s")
            .set("snapshot.interval", "1 h")
            .set("metrics.interval", "1 s");
    for (String option : System.getProperty("rows.flink", "").split(";", -1)) {
      if (!option.isEmpty()) {
        job.flink(option.split("=", -1)[0], option.split("=", -1)[1]);
      }
    }
    NavigableMap<Long, Long> samples = new ConcurrentSkipListMap<>();
    ScheduledExecutorService sampler = Executors.newSingleThreadScheduledExecutor();
    ScheduledFuture<?> sampling =
        sampler.scheduleAtFixedRate(
            () -> samples.put(System.currentTimeMillis(), cpu()), 0, 500, TimeUnit.MILLISECONDS);
    JobClient client = job.start();
    try {
      client.getJobExecutionResult().get();
    } finally {
      sampling.cancel(false);
      sampler.shutdown();
    }
    List<JsonNode> progress = job.metrics("progress");
    JsonNode before = progress.get(0);
    for (JsonNode now : progress) {
      print(samples, before, now);
      before = now;
    }
    JsonNode last = before;
    JsonNode half =
        progress.stream()
            .filter(now -> now.path("examples").asLong() >= fill() + RECORDS / 2)
            .findFirst()
            .orElseThrow();
    System.out.print("second half: ");
    print(samples, half, last);
    for (AbstractCheckpointStats each :
        SharedFlink.checkpoints(client.getJobID()).getCheckpoints()) {
      print(each);
    }
    System.out.println(job.metrics("rows").get(job.metrics("rows").size() - 1));
    assertThat(last.path("examples").asLong())
        .isEqualTo(fill() + RECORDS / PARTITIONS * PARTITIONS);
  }

  private static void print(AbstractCheckpointStats checkpoint) {
    long longest =
        checkpoint.getAllTaskStateStats().stream()
            .map(TaskStateStats::getSummaryStats)
            .mapToLong(task -> task.getSyncCheckpointDurationStats().getMaximum())
            .max()
            .orElse(-1);
    System.out.printf(
        "checkpoint %s: %s, %,d of %,d bytes, %s ms, of which training waits %s ms%n",
        checkpoint.getCheckpointId(),
        checkpoint.getStatus(),
        checkpoint.getCheckpointedSize(),
        checkpoint.getStateSize(),
        checkpoint.getEndToEndDuration(),
        longest);
  }

  private static void print(NavigableMap<Long, Long> samples, JsonNode from, JsonNode to) {
    long examples = to.path("examples").asLong() - from.path("examples").asLong();
    long start = from.path("time").asLong();
    long end = to.path("time").asLong();
    System.out.printf(
        "%s examples, %.0f a second, %.0f a second of CPU%n",
        to.path("examples").asLong(),
        examples * 1e3 / Math.max(1, end - start),
        examples * 1e9 / Math.max(1, cpuAt(samples, end) - cpuAt(samples, start)));
  }
}
