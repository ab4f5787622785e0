package dev.millrace.cli.forget;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.cli.CommandRun;
import dev.millrace.cli.console.Sha256;
import dev.millrace.cli.rebuild.LoggedFlows;
import dev.millrace.example.testing.NetworkFlows;
import dev.millrace.exchange.flink.FaultInjector;
import dev.millrace.exchange.log.RecordRun;
import dev.millrace.exchange.log.RecordSet;
import dev.millrace.job.testing.ElsewhereFileSystem;
import dev.millrace.job.testing.Job;
import dev.millrace.job.testing.SlowSteps;
import dev.millrace.kafka.testing.Broker;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.flink.core.execution.JobClient;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A job on named fields with a log in a directory, some of whose records are taken out of its model
 * by the command.
 */
class ForgetCommandIT {

  private static final int PARTITIONS = 2;

  /** So many that a slow job has most of them left when it is stopped, behind {@link #SOME}. */
  private static final int ROWS = 4_800;

  private static final int SOME = 600;
  private static final String FLAG = "REJ";
  private static final int FLAG_COLUMN = NetworkFlows.columns().indexOf("flag");

  @TempDir static Path directory;

  private static String topic;
  private static Path config;
  private static Path log;
  private static Job job;
  private static String savepoint;

  @BeforeAll
  static void train() throws Exception {
    LoggedFlows flows = LoggedFlows.produce(directory, ROWS, PARTITIONS);
    topic = flows.topic();
    config = flows.config();
    log = directory.resolve("log");
    job =
        flows
            .job()
            .set("rebuild.log", log.toString())
            .set("input.bounded", "false")
            .faults(SlowSteps.slowerAfter(20));
    JobClient client = job.start();
    job.await(() -> job.taken() >= SOME);
    savepoint = job.stop(client, false);
    flows.write();
  }

  @Test
  void recordsOfAFieldAreTakenOutAndTheJobGoesOn() throws Exception {
    Path file = directory.resolve("certificate.json");

    String told =
        run(
            0,
            "forget",
            savepoint,
            "--where",
            "flag=" + FLAG,
            "--certificate",
            file,
            "--config",
            config);
    assertThat(told).contains("and a job that goes on will learn them");
    String salt = told.replaceAll("(?s).*The salt of its selectors is (\\w+).*", "$1");
    JsonNode certificate = new ObjectMapper().readTree(file.toFile());

    RecordSet forgotten = new RecordSet();
    certificate
        .get("offsets")
        .get(topic)
        .forEach(run -> forgotten.add(RecordRun.parse(topic, run.textValue())));
    assertThat(forgotten.count()).isEqualTo(certificate.get("records").asLong()).isPositive();
    assertThat(certificate.get("selectors"))
        .extracting(JsonNode::textValue)
        .containsExactly(Sha256.of((salt + "field:flag=" + FLAG).getBytes(StandardCharsets.UTF_8)));
    assertThat(certificate.get("published")).isNotEmpty();
    long later = 0;
    for (ConsumerRecord<byte[], byte[]> record : Broker.read(topic, PARTITIONS, ROWS)) {
      String[] cells = new String(record.value(), StandardCharsets.UTF_8).split(",", -1);
      boolean meant = cells[FLAG_COLUMN].equals(FLAG);
      boolean gone = forgotten.contains(topic, record.partition(), record.offset());
      assertThat(meant || !gone).isTrue();
      later += meant && !gone ? 1 : 0;
    }
    assertThat(told).contains(later + " more are in the topics");

    String next = certificate.get("forgotten").textValue();
    assertThat(files(directoryOfSavepoint())).noneMatch(name -> name.contains("_writable"));
    assertThat(run(3, "forget", next, "--where", "flag=" + FLAG, "--config", config))
        .contains("has learned 0 of the records that are meant")
        .contains(forgotten.count() + " of the records that are meant were forgotten before")
        .contains(later + " more are in the topics")
        .contains("Nothing is forgotten");
    Path again = directory.resolve("again.txt");
    Files.writeString(again, place(forgotten.runs().get(0)));
    assertThat(run(3, "forget", next, "--offsets", again, "--config", config))
        .contains("has learned 0 of the records that are meant")
        .contains("of the records that are meant were forgotten before")
        .doesNotContain("of those that --offsets names");
    job.set("input.bounded", "true").faults(FaultInjector.NONE).from(next).run();
    assertThat(job.description().ledger().stream().mapToLong(one -> one.learned().count()).sum())
        .isEqualTo(ROWS - forgotten.count());
    String last = job.description().version().toString();
    assertThat(run(0, "rebuild", last, "--config", config, "--verify"))
        .contains("Each bit is as it was published, here and in");
    assertThat(run(0, "rebuild", last, "--config", config, "--from", next, "--verify"))
        .contains("Each bit is as it was published, here and in");
  }

  @Test
  void aDryRunChangesNothing() throws Exception {
    List<String> files = files(log);

    String told =
        run(0, "forget", savepoint, "--where", "flag=" + FLAG, "--dry-run", "--config", config);

    assertThat(told)
        .containsPattern(
            "Model \\d+\\.\\d+ has learned \\d+ of the records that are meant, or was about to")
        .doesNotContain("The job goes on");
    assertThat(files(log)).isEqualTo(files);
  }

  private static Path directoryOfSavepoint() {
    return Path.of(URI.create(savepoint));
  }

  private static String place(RecordRun run) {
    return "%s %s%n".formatted(run.topic(), run.text());
  }

  private static List<String> files(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(Path::toString).sorted().toList();
    }
  }

  @Test
  void recordsThatNobodyHasAreTold() throws Exception {
    assertThat(
            run(3, "forget", savepoint, "--key", "nobody", "--where", "flga=1", "--config", config))
        .contains("has learned 0 of the records that are meant")
        .contains("No record has the field flga")
        .contains("Nothing is forgotten")
        .doesNotContain("The job goes on");
  }

  /** One is misspelt, and others are right: nobody would notice. */
  @Test
  void namedRecordsThatTheModelHasNotLearnedAreTold() throws Exception {
    Path places = directory.resolve("misspelt.txt");
    Files.writeString(
        places, topic + " 0:0+2\n" + topic + "x 0:12+3\n" + topic + " " + PARTITIONS + ":1\n");

    assertThat(run(0, "forget", savepoint, "--offsets", places, "--dry-run", "--config", config))
        .contains("has learned 2 of the records that are meant")
        .contains(
            "It hasn't learned 4 of those that --offsets names, such as '%s %s:1+1': look whether"
                .formatted(topic, PARTITIONS));
  }

  /** To look through all topics may take hours. */
  @Test
  void whatKeepsItFromForgettingIsFoundOutBeforeRecordsAreRead() throws Exception {
    assertThat(errorBeforeReading(savepoint, "--from", directory.resolve("none")))
        .contains("There is no savepoint or checkpoint at");
    assertThat(
            errorBeforeReading(
                savepoint, "--input.label-lags", "2", "--input.label-lags-by", "key"))
        .contains("nobody takes them out there");
    assertThat(errorBeforeReading(savepoint, "--rebuild.log", logThatWasBegunLater()))
        .contains("begin at a savepoint or checkpoint of that version");
    Path copy = Files.createDirectory(directory.resolve(ElsewhereFileSystem.READ_ONLY));
    for (String file : files(directoryOfSavepoint())) {
      Files.copy(Path.of(file), copy.resolve(Path.of(file).getFileName()));
    }
    String readOnly = ElsewhereFileSystem.SCHEME + "://" + copy;
    assertThat(errorBeforeReading(readOnly))
        .contains("nothing can be written: Access Denied")
        .contains("Let this user write there, or copy the savepoint");
  }

  private static Path logThatWasBegunLater() throws IOException {
    List<String> lines = new ArrayList<>();
    for (String file : files(log)) {
      lines.addAll(Files.readAllLines(Path.of(file)));
    }
    Path later = Files.createDirectory(directory.resolve("later-log"));
    Files.write(later.resolve("00000001-later.jsonl"), lines.subList(2, lines.size()));
    return later;
  }

  /** Runs a command that fails before it looks for records, of which none has such a field. */
  private static String errorBeforeReading(String state, Object... words) {
    List<Object> all = new ArrayList<>(List.of("forget", state, "--where", "flga=1"));
    all.addAll(List.of("--config", config));
    all.addAll(List.of(words));
    CommandRun run = new CommandRun();
    assertThat(run.execute(all.toArray())).as(run.out.toString()).isOne();
    assertThat(run.out.toString()).doesNotContain("No record has the field");
    return run.err.toString();
  }

  @Test
  void whatIsWrongIsToldBeforeAnythingIsRead() throws Exception {
    assertThat(error(2, "forget", savepoint, "--config", config))
        .contains("Which records are meant? Give --key, --where or --offsets");
    assertThat(error(2, "forget", savepoint, "--where", "flag", "--config", config))
        .contains("--where is 'flag'; give a field and its value, such as customer=17");
    Path places = directory.resolve("places.txt");
    Files.writeString(places, "# some\n" + topic + " 0:12\n" + topic + " 0-13\n");
    assertThat(error(1, "forget", savepoint, "--offsets", places, "--config", config))
        .contains("Line 3 of " + places)
        .contains("such as 'clicks 0:1200'");
    Files.writeString(places, "0:12\n");
    assertThat(error(1, "forget", savepoint, "--offsets", places, "--config", config))
        .contains("Line 1 of " + places + " is '0:12'; a topic, a partition and an offset");
    assertThat(error(1, "forget", directory.resolve("none"), "--key", "1", "--config", config))
        .contains("There is no savepoint or checkpoint at");
    Path history = directory.resolve("flows.csv");
    assertThat(
            error(
                1,
                "forget",
                savepoint,
                "--key",
                "1",
                "--input.history",
                history,
                "--config",
                config))
        .contains("they are looked for in topics alone");
  }

  private static String run(int exit, Object... words) {
    CommandRun run = new CommandRun();
    assertThat(run.execute(words)).as(run.err.toString()).isEqualTo(exit);
    return run.out.toString();
  }

  private static String error(int exit, Object... words) {
    CommandRun run = new CommandRun();
    assertThat(run.execute(words)).as(run.out.toString()).isEqualTo(exit);
    return run.err.toString();
  }
}
