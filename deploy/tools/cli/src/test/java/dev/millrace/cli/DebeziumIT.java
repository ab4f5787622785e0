package dev.millrace.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.job.setup.OptionReader;
import dev.millrace.job.testing.Job;
import dev.millrace.kafka.testing.Broker;
import dev.millrace.registry.testing.SchemaServer;
import dev.millrace.snapshot.PartitionProgress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** From change events to a file, to a model, to its audit. */
@Tag("slow")
class DebeziumIT {

  private static final String BROKER = Broker.cluster().bootstrapServers();
  private static final int EVENTS = 2_000;

  /** Of each so many events one is a delete, with a tombstone behind it. */
  private static final int DELETES = 10;

  @TempDir Path directory;

  @Test
  void deletesAndTombstonesAreSkippedAndCounted() throws Exception {
    String topic = Broker.topic(1);
    Broker.produce(topic, 0, events());
    Path config = directory.resolve("train.yaml");
    CommandRun init = new CommandRun();

    int code =
        init.execute(
            "init", "--topic", topic, "--kafka.bootstrap.servers", BROKER, "--output", config);

    assertThat(code).as("%s%n%s", init.out, init.err).isZero();
    assertThat(init.out.toString()).contains("OK", "millrace train --config " + config);
    assertThat(Files.readString(config))
        .contains(
            "  envelope: debezium\n", "# 200 more are deletes, which a job skips and counts.");
    Job job = trained(topic, config);
    PartitionProgress partition = job.description().ledger().get(0);
    assertThat(partition.learned().count()).isEqualTo(EVENTS - EVENTS / DELETES);
    assertThat(partition.rejected().count()).isZero();
    assertThat(partition.skipped().count()).isEqualTo(2 * EVENTS / DELETES);
    CommandRun audit = new CommandRun();
    assertThat(audit.execute("audit", job.models(), "--kafka.bootstrap.servers", BROKER)).isZero();
    assertThat(audit.out.toString())
        .contains("rejected 0, and skipped 400: each exactly once, and none is missing");
    assertThat(init.execute("init", "--topic", topic, "--output", config)).isEqualTo(2);
  }

  @Test
  void recordsOfARegistryAreToldByTheirFirstByte() throws Exception {
    String topic = Broker.topic(1);
    Broker.produce(
        topic, 0, events().stream().filter(v -> v != null).map(DebeziumIT::framed).toList());
    CommandRun asked = new CommandRun();
    assertThat(asked.execute("describe", "--topic", topic, "--kafka.bootstrap.servers", BROKER))
        .isEqualTo(2);
    assertThat(asked.err.toString())
        .contains(
            "The records begin as a schema registry's serializer writes them; give"
                + " --input.registry.url URL");
    CommandRun told = new CommandRun();
    try (SchemaServer registry = SchemaServer.start()) {
      registry.putAnswer("/schemas/ids/7", "{\"schemaType\":\"JSON\",\"schema\":\"{}\"}");
      int code =
          told.execute(
              "describe",
              "--topic",
              topic,
              "--kafka.bootstrap.servers",
              BROKER,
              "--input.registry.url",
              registry.url());
      assertThat(code).as("%s", told.err).isZero();
    }
    assertThat(told.out.toString()).contains("format: json-confluent\n", "envelope: debezium\n");
  }

  private Job trained(String topic, Path config) throws Exception {
    Job job = new Job(topic, directory).parallelism(1);
    List.of("input.features", "input.outputs", "input.format", "model.hidden").forEach(job::unset);
    Map<String, String> options = OptionReader.read(List.of("--config", config.toString())).toMap();
    options.forEach(job::set);
    return job.run();
  }

  private static List<byte[]> events() {
    Random random = new Random(5);
    List<byte[]> events = new ArrayList<>();
    for (int i = 0; i < EVENTS; i++) {
      double amount = random.nextDouble();
      String row = "{\"amount\":%s,\"label\":%s}".formatted(amount, amount > 0.5 ? 1 : 0);
      boolean delete = i % DELETES == 0;
      events.add(
          "{\"before\":%s,\"after\":%s,\"source\":{\"table\":\"t\"},\"op\":\"%s\",\"ts_ms\":%s}"
              .formatted(
                  delete ? row : "null", delete ? "null" : row, delete ? "d" : "c", 1_000 + i)
              .getBytes(UTF_8));
      if (delete) {
        events.add(null);
      }
    }
    return events;
  }

  private static byte[] framed(byte[] json) {
    return ByteBuffer.allocate(5 + json.length).put((byte) 0).putInt(7).put(json).array();
  }
}
