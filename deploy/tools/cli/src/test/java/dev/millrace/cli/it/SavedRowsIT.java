package dev.millrace.cli.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.CommandRun;
import dev.millrace.cli.rows.TensorsOfRows;
import dev.millrace.fields.IdHash;
import dev.millrace.job.testing.Job;
import dev.millrace.kafka.testing.Broker;
import dev.millrace.model.testing.Seeds;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A job's embedding tables, out of its savepoints, against the records that it has learned. */
@Tag("slow")
class SavedRowsIT {

  private static final int RECORDS = 400;
  private static final int WAITING = 3;
  private static final String FIELDS =
      """
      [{"path": "user", "kind": "id", "table": "users", "dimension": 4},
       {"path": "price", "kind": "number"},
       {"path": "items", "kind": "ids", "table": "items", "dimension": 3},
       {"path": "clicked", "role": "label"}]
      """;

  @TempDir Path directory;

  private final CommandRun run = new CommandRun();
  private final Map<Long, Long> users = new HashMap<>();
  private final Map<Long, Long> items = new HashMap<>();

  /** Makes records: those that are learned, then some that wait for their minibatch. */
  private List<byte[]> records(Random random) {
    List<byte[]> records = new ArrayList<>();
    IdHash ofUsers = new IdHash("users");
    IdHash ofItems = new IdHash("items");
    for (int i = 0; i < RECORDS + WAITING; i++) {
      String user = "u" + (int) Math.abs(random.nextGaussian() * 60);
      if (i < RECORDS) {
        users.merge(ofUsers.of(user), 1L, Long::sum);
      }
      List<String> list = new ArrayList<>();
      for (int n = random.nextInt(4); n > 0; n--) {
        String item = "i" + random.nextInt(500);
        list.add("\"" + item + "\"");
        if (i < RECORDS) {
          items.merge(ofItems.of(item), 1L, Long::sum);
        }
      }
      records.add(
          "{\"user\":\"%s\",\"price\":%s,\"items\":[%s],\"clicked\":%s}"
              .formatted(user, random.nextGaussian(), String.join(",", list), random.nextInt(2))
              .getBytes(UTF_8));
    }
    return records;
  }

  private Job job(String topic) {
    return new Job(topic, directory)
        .unset("input.features")
        .set("input.bounded", "false")
        .set("input.format", "json")
        .set("input.fields", FIELDS)
        .set("input.outputs", "2")
        .set("rows.cache", "100")
        .set("batch.size", "8")
        .set("batch.max-wait", "1 h")
        .set("exchange.schedule", "sync")
        .set("exchange.local-steps", "1")
        .set("tables.users.updater", "adam");
  }

  @ParameterizedTest
  @CsvSource({"hashmap, CANONICAL", "rocksdb, NATIVE"})
  void whatIsExportedIsWhatWasLearned(String backend, SavepointFormatType format) throws Exception {
    long seed = Seeds.next();
    String topic = Broker.topic(2);
    Random random = new Random(seed);
    Broker.produce(topic, 0, records(random));
    Broker.produce(topic, 1, records(random));
    Job job = job(topic).backend(backend);
    JobClient client = job.start();
    job.await(() -> job.taken() == 2 * RECORDS);
    String savepoint = job.stop(client, false, format);
    Path archive = directory.resolve("exported.zip");

    assertThat(run.execute("export", "--from", savepoint, "--to", archive)).as(text()).isZero();

    TensorsOfRows ofUsers = rows("users");
    assertThat(run.out.toString())
        .contains(ofUsers.rows() + " rows of table 'users' are in")
        .contains("rows of table 'items' are in");
    assertThat(ofUsers.header().at("/__metadata__/updater").asText()).isEqualTo("adam");
    assertThat(ofUsers.row(0)).hasSize(4);
    assertThat(uses(ofUsers)).as("seed %s", seed).isEqualTo(users);
    assertThat(uses(rows("items"))).as("seed %s", seed).isEqualTo(items);
    for (int row = 0; row < ofUsers.rows(); row++) {
      assertThat(ofUsers.row(row)).isNotEqualTo(new float[4]);
    }
    assertInspectionHasTheTables(savepoint);
    assertNothingDiffers(savepoint);
    assertAuditFindsEachUse(savepoint);
  }

  private void assertInspectionHasTheTables(String savepoint) {
    run.out.getBuffer().setLength(0);
    assertThat(run.execute("inspect", savepoint)).as(text()).isZero();
    long most = users.values().stream().mapToLong(Long::longValue).max().orElseThrow();
    assertThat(run.out.toString())
        .containsPattern("users +4 +adam +%s ".formatted(users.size()))
        .containsPattern("items +3 +adagrad-rowwise +%s ".formatted(items.size()))
        .containsPattern("most used of users: -?[0-9]+ \\(%s\\), ".formatted(most));
  }

  private void assertNothingDiffers(String savepoint) {
    run.out.getBuffer().setLength(0);
    assertThat(run.execute("diff", savepoint, savepoint)).as(text()).isZero();
    assertThat(run.out.toString())
        .containsPattern("users +0 +0 +0 +%s ".formatted(users.size()))
        .contains("The parameters are the same");
  }

  private void assertAuditFindsEachUse(String savepoint) {
    assertThat(audit(savepoint, "--input.fields", FIELDS)).as(text()).isZero();
    assertThat(run.out.toString())
        .containsPattern("users +%s +0 +0 +%s +complete".formatted(2 * RECORDS, 2 * RECORDS))
        .containsPattern("items .* complete");

    assertThat(audit(savepoint)).as(text()).isZero();
    assertThat(run.out.toString()).contains("undecidable: name the job's options");
  }

  private int audit(String savepoint, String... options) {
    run.out.getBuffer().setLength(0);
    List<String> words =
        new ArrayList<>(
            List.of(
                "audit",
                savepoint,
                "--kafka.bootstrap.servers",
                Broker.cluster().bootstrapServers(),
                "--input.format",
                "json"));
    words.addAll(List.of(options));
    return run.execute(words.toArray());
  }

  private String text() {
    return run.out + "\n" + run.err;
  }

  private TensorsOfRows rows(String table) throws IOException {
    return new TensorsOfRows(directory.resolve("exported-rows").resolve(table + ".safetensors"));
  }

  private static Map<Long, Long> uses(TensorsOfRows rows) {
    Map<Long, Long> uses = new HashMap<>();
    for (int row = 0; row < rows.rows(); row++) {
      uses.put(rows.integer("id", row), rows.integer("uses", row));
    }
    return uses;
  }
}
