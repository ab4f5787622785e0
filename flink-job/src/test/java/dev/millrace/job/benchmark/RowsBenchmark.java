package dev.millrace.job.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.management.OperatingSystemMXBean;
import dev.millrace.job.testing.Job;
import dev.millrace.job.testing.TestEngine;
import dev.millrace.kafka.testing.Broker;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * How fast a job learns rows: 26 fields of ids by Zipf's law, rows of 16 values, DeepFM of PyTorch,
 * two replicas in one process, RocksDB.
 */
class RowsBenchmark {

  private static final int FIELDS = Integer.getInteger("rows.fields", 26);
  private static final int IDS = Integer.getInteger("rows.ids", 77_000);
  private static final int PARTITIONS = 4;
  private static final int RECORDS = Integer.getInteger("rows.records", 200_000);
  private static final double EXPONENT = 1.05;

  @TempDir Path directory;

  private static String topic() throws Exception {
    String topic = Broker.topic(PARTITIONS);
    Random random = new Random(3);
    List<byte[]> some = new ArrayList<>();
    for (int partition = 0; partition < PARTITIONS; partition++) {
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

  private static String record(Random random) {
    StringBuilder record = new StringBuilder();
    for (int field = 0; field < FIELDS; field++) {
      // The inverse of the law's integral.
      double rank =
          Math.pow(1 + random.nextDouble() * (Math.pow(IDS, 1 - EXPONENT) - 1), 1 / (1 - EXPONENT));
      record.append(((long) rank) * 2_654_435_761L % 4_294_967_296L).append(',');
    }
    return record.append(random.nextInt(2)).toString();
  }

  private static String fields() {
    return IntStream.range(0, FIELDS)
        .mapToObj("{\"path\":\"c%s\",\"kind\":\"id\",\"dimension\":16}"::formatted)
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

  @Test
  void examplesASecond() throws Exception {
    Job job =
        new Job(topic(), directory)
            .engine(TestEngine.TORCH)
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
            .set("batch.size", "512")
            .set("batch.local-size", "256")
            .set("rows.cache", System.getProperty("rows.cache", "40000"))
            .set("rows.prefetch", System.getProperty("rows.prefetch", "1"))
            .set("execution.checkpointing.interval", "10 s")
            .set("snapshot.interval", "1 h")
            .set("metrics.interval", "1 s");
    long start = System.nanoTime();
    long cpu = cpu();
    job.run();
    cpu = cpu() - cpu;
    List<JsonNode> progress = job.metrics("progress");
    JsonNode last = progress.get(progress.size() - 1);
    for (int i = 1; i < progress.size(); i++) {
      JsonNode before = progress.get(i - 1);
      JsonNode now = progress.get(i);
      System.out.printf(
          "%s examples, %.0f a second%n",
          now.path("examples").asLong(),
          (now.path("examples").asLong() - before.path("examples").asLong())
              * 1e3
              / Math.max(1, now.path("time").asLong() - before.path("time").asLong()));
    }
    System.out.printf(
        "all in %.1f s, %.0f examples a second of CPU%n",
        (System.nanoTime() - start) / 1e9, RECORDS / (cpu / 1e9));
    assertThat(last.path("examples").asLong()).isEqualTo((long) RECORDS / PARTITIONS * PARTITIONS);
  }
}
