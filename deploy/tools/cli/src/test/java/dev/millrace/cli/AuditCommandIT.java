package dev.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.job.testing.Blobs;
import dev.millrace.job.testing.Job;
import dev.millrace.job.testing.SeededFaults;
import dev.millrace.kafka.testing.Broker;
import dev.millrace.model.testing.Seeds;
import dev.millrace.snapshot.LatestSnapshot;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.flink.core.execution.JobClient;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole command, against a real broker. */
@Tag("slow")
class AuditCommandIT {

  private static final int EXAMPLES = 1_000;
  private static final byte[] KEY = {1};
  private static final byte[] BAD = "no example".getBytes(StandardCharsets.UTF_8);

  private final CommandRun run = new CommandRun();
  private final StringWriter out = run.out;
  private final StringWriter err = run.err;

  @TempDir Path directory;

  /** Failures, bad records, and transactions, half of them aborted. */
  @Test
  void provesThatEachRecordIsInTheModelOnce() throws Exception {
    String topic = Broker.topic(2);
    List<byte[]> values = new ArrayList<>(Blobs.encode(new Blobs(1).next(EXAMPLES)));
    values.set(7, BAD);
    Broker.produce(topic, 0, values);
    int committed = produceInTransactions(topic, 1, Blobs.encode(new Blobs(2).next(EXAMPLES)));
    long seed = Seeds.next();
    Job job = new Job(topic, directory).faults(new SeededFaults(seed, 3, 10)).run();

    int code = audit(job.models().toString());

    assertThat(err.toString()).as("seed %d", seed).doesNotContain("Exception");
    assertThat(out.toString())
        .contains("each exactly once, and none is missing")
        .contains("rejected 1");
    assertThat(code).as("%s, seed %d", out, seed).isZero();
    assertThat(committed).isBetween(1, EXAMPLES - 1);
    assertThat(job.description().prequential().examples()).isEqualTo(EXAMPLES - 1 + committed);
  }

  /** Some are in no round yet, some wait for their minibatch. */
  @Test
  void countsWhatIsOnItsWayInASavepoint() throws Exception {
    String topic = Broker.topic(2);
    // Neither a multiple of the minibatch nor of what makes up a contribution.
    Broker.produce(topic, 0, Blobs.encode(new Blobs(1).next(8 * 31 + 5)));
    Broker.produce(topic, 1, Blobs.encode(new Blobs(2).next(8 * 31 + 3)));
    Job job = new Job(topic, directory).set("input.bounded", "false").set("snapshot.rounds", "1");
    JobClient client = job.start();
    // Ten rounds of three steps: the thirty-first step and eight examples are on their way then.
    await()
        .atMost(Duration.ofMinutes(1))
        .until(
            () ->
                LatestSnapshot.find(job.models())
                    .filter(latest -> latest.description().version().round() == 10)
                    .isPresent());
    // A checkpoint has seen the replicas take all there is: so does the savepoint.
    job.await(() -> Broker.positions(topic).equals(Map.of(0, 8 * 31 + 5L, 1, 8 * 31 + 3L)));
    String savepoint = job.stop(client, false);

    int code = audit(savepoint, "--json");

    JsonNode found = new JsonMapper().readTree(out.toString());
    assertThat(code).as(out.toString()).isZero();
    assertThat(found.get("underWay").asLong()).isPositive();
    assertThat(found.get("learned").asLong() + found.get("underWay").asLong())
        .isEqualTo(2 * 8 * 31 + 8);
  }

  @Test
  void showsWhatIsMissingAndWhatCantBeTold() throws Exception {
    String topic = Broker.topic(1);
    Broker.produce(topic, 0, Blobs.encode(new Blobs(1).next(EXAMPLES)));
    Job job = new Job(topic, directory).parallelism(1).run();
    Path description = describe(LatestSnapshot.find(job.models()).orElseThrow().archive());
    forget(description, 123);

    int code = audit(description.toString());

    assertThat(code).isEqualTo(3);
    assertThat(out.toString())
        .contains("WRONG: 1 missing: offset 123, if it is the only one", "at least 1 missing");

    deleteBefore(topic, 50);
    assertThat(audit(description.toString())).isEqualTo(4);
    assertThat(out.toString()).contains("records before offset 50 have been deleted");
  }

  /** Gaps that transactions' markers make, and those of records that compaction took away. */
  @Test
  void tellsNothingOfACompactedTopicWithGaps() throws Exception {
    String topic = Broker.topic(1);
    Broker.configure(topic, Map.of("cleanup.policy", "compact", "min.cleanable.dirty.ratio", "0"));
    produceInTransactions(topic, 0, Blobs.encode(new Blobs(1).next(EXAMPLES)));
    Job job = new Job(topic, directory).parallelism(1).run();

    // Of records with the same key the last one stays, and those of the newest segment do.
    Broker.configure(topic, Map.of("segment.ms", "1", "max.compaction.lag.ms", "1"));
    produceInTransactions(topic, 0, Blobs.encode(new Blobs(2).next(10)));
    await().atMost(Duration.ofMinutes(2)).until(() -> audit(job.models().toString()) != 0);

    assertThat(audit(job.models().toString())).isEqualTo(4);
    assertThat(out.toString()).contains("it is compacted", "undecidable").doesNotContain("WRONG");
  }

  @Test
  void refusesWhatItCantUse() {
    assertThat(execute("nothing-here")).isEqualTo(2);
    assertThat(err.toString()).contains("kafka.bootstrap.servers is missing");
    assertThat(audit(directory.resolve("nothing-here").toString())).isEqualTo(1);
    assertThat(err.toString()).contains("nothing-here").doesNotContain("\tat ");
  }

  /** The description of a copy, so that what it says isn't inside the archive too. */
  private Path describe(Path archive) throws Exception {
    Path beside = archive.resolveSibling(archive.getFileName().toString().replace(".zip", ".json"));
    Files.copy(archive, directory.resolve("copy.zip"));
    return Files.copy(beside, directory.resolve("copy.json"));
  }

  private static void forget(Path description, long offset) throws Exception {
    JsonMapper mapper = new JsonMapper();
    JsonNode all = mapper.readTree(description.toFile());
    ObjectNode learned = (ObjectNode) all.at("/ledger/0/learned");
    learned.put("count", learned.get("count").asLong() - 1);
    learned.put("sum", learned.get("sum").asLong() - offset);
    mapper.writeValue(description.toFile(), all);
  }

  private static void deleteBefore(String topic, long offset) throws Exception {
    try (Admin admin = Admin.create(client())) {
      admin
          .deleteRecords(Map.of(new TopicPartition(topic, 0), RecordsToDelete.beforeOffset(offset)))
          .all()
          .get();
    }
  }

  /**
   * Every other transaction is aborted.
   *
   * @return how many values are committed
   */
  private static int produceInTransactions(String topic, int partition, List<byte[]> values)
      throws Exception {
    Map<String, Object> settings = new HashMap<>(client());
    settings.put("transactional.id", topic);
    int committed = 0;
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
      producer.initTransactions();
      for (int from = 0; from < values.size(); from += 100) {
        producer.beginTransaction();
        List<byte[]> some = values.subList(from, Math.min(values.size(), from + 100));
        List<Future<?>> sent = new ArrayList<>();
        for (byte[] value : some) {
          sent.add(producer.send(new ProducerRecord<>(topic, partition, KEY, value)));
        }
        // What an abort finds unsent would leave no gap.
        for (Future<?> record : sent) {
          record.get();
        }
        if (from % 200 == 0) {
          producer.commitTransaction();
          committed += some.size();
        } else {
          producer.abortTransaction();
        }
      }
    }
    return committed;
  }

  private static Map<String, Object> client() {
    return Map.of("bootstrap.servers", Broker.cluster().bootstrapServers());
  }

  private int audit(String path, String... more) {
    List<String> arguments = new ArrayList<>(List.of(path));
    arguments.addAll(List.of(more));
    arguments.addAll(List.of("--kafka.bootstrap.servers", Broker.cluster().bootstrapServers()));
    return execute(arguments.toArray(String[]::new));
  }

  private int execute(String... arguments) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    List<String> all = new ArrayList<>(List.of("audit"));
    all.addAll(List.of(arguments));
    return run.execute(all.toArray());
  }
}
