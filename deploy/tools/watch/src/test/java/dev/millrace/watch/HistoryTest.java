package dev.millrace.watch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.DoubleAdder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is kept of records, however many there are. */
class HistoryTest {

  /** How long what is to come is waited for, however busy the machine is. */
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  @TempDir private Path directory;

  /** Thinned together, one would be in the place of the other. */
  @Test
  void reportsOfEachReplicaAreThinnedByThemselves() {
    History history = new History();
    for (int round = 0; round < 5_000; round++) {
      history.add("job", List.of(SimulatedRecords.replica(2L * round, round, 0)));
      history.add("job", List.of(SimulatedRecords.replica(2L * round + 1, round, 1)));
    }

    assertThat(history.json(false).split("\"replica\":0", -1)).hasSizeBetween(50, 250);
    assertThat(history.json(false).split("\"replica\":1", -1)).hasSizeBetween(50, 250);
  }

  /** A record each 30 seconds for 30 days, with timelines: 170,000. */
  @Test
  void aMonthIsAFewThousandRecordsFromItsBeginToItsEnd() {
    int rounds = 30 * 24 * 120;
    History history = new History();
    AtomicLong count = new AtomicLong();
    DoubleAdder fitted = new DoubleAdder();
    SimulatedRecords.each(
        rounds,
        30,
        0,
        new Random(1),
        record -> {
          count.incrementAndGet();
          if (record.path("type").asText().equals("timeline")) {
            fitted.add(record.at("/members/3/fit").asDouble());
          }
          history.add("job", List.of(record));
        });

    JsonNode kept = tree(history.json(false)).at("/runs/0/records");
    assertThat(kept.size()).isBetween(3_000, 9_000);
    assertThat(kept.get(kept.size() - 1).path("round").asLong()).isEqualTo(rounds);
    // Of each kind from the first day to the last, and no part of the month is thinner than others.
    for (String type : List.of("progress", "timeline")) {
      List<Long> ofType = rounds(kept, type);
      assertThat(ofType.get(0)).as(type).isLessThan(rounds / 500);
      for (int i = 1; i < ofType.size(); i++) {
        assertThat(ofType.get(i) - ofType.get(i - 1)).as(type).isBetween(1L, rounds / 500L);
      }
    }
    assertThat(tree(history.json(false)).at("/runs/0/count").asLong()).isEqualTo(count.get());
    long rounded = 0;
    double fit = 0;
    for (JsonNode record : kept) {
      if (record.path("type").asText().equals("timeline")) {
        rounded += record.path("rounds").asLong(1);
        fit += record.at("/members/3/fit").asDouble();
      }
    }
    assertThat(rounded).isEqualTo(rounds);
    assertThat(fit).isEqualTo(fitted.sum());
    assertThat(history.json(false).getBytes(UTF_8).length).isLessThan(8_000_000);
  }

  /** Of 20 layers, 500 partitions and 50 classes, each 10 seconds: of a month gigabytes of text. */
  @Test
  void tablesOfLayersPartitionsAndClassesTakeFewMegabytes() {
    History history = new History();
    int last = 5_000;

    for (int round = 1; round <= last; round++) {
      history.add("job", SimulatedRecords.tables(10_000L * round, round));
    }

    JsonNode kept = tree(history.json(false)).at("/runs/0/records");
    for (String type : List.of("layers", "rows", "segments")) {
      List<Long> rounds = rounds(kept, type);
      assertThat(rounds).as(type).hasSizeBetween(100, 201).isSorted().endsWith((long) last);
      assertThat(rounds.get(0)).as(type).isLessThan(last / 10);
    }
    assertThat(rounds(kept, "checkpoint")).hasSizeBetween(1_000, 2_001).endsWith((long) last);
    // What is shown of the newest alone is there of the newest.
    assertThat(kept.findValues("ledger")).hasSize(1);
    assertThat(kept.findValues("counts")).hasSize(1);
    assertThat(kept.findValues("hottest")).hasSize(1);
    assertThat(kept.findValues("tensors")).hasSize(SimulatedRecords.LAYERS);
    assertThat(history.json(false).length()).isLessThan(8_000_000);
  }

  /** The attempt after a failure commits what the one before had made. */
  @Test
  void aModelOfAnEarlierAttemptIsOfTheSameJob() {
    History history = new History();
    history.add("job", List.of(SimulatedRecords.run(1, 1, 0, false, 0)));
    history.add("job", List.of(SimulatedRecords.record("progress", 2, 1, 40)));
    history.add("job", List.of(SimulatedRecords.run(3, 2, 40, true, 1)));

    history.add("job", List.of(SimulatedRecords.record("snapshot", 4, 1, 40)));
    history.add("job", List.of(SimulatedRecords.record("progress", 5, 2, 41)));

    assertThat(tree(history.json(false)).at("/runs")).hasSize(1);
  }

  /** Each kind of record comes its own way. */
  @Test
  void aJobThatTellsOfItsFirstRoundBeforeItsBeginIsOne() {
    History history = new History();
    history.add("job", List.of(SimulatedRecords.record("progress", 105, 0, 1)));
    history.add("job", List.of(SimulatedRecords.run(100, 0, 0, false, 0)));
    assertThat(tree(history.json(false)).at("/runs")).hasSize(1);

    history.add("job", List.of(SimulatedRecords.run(200, 0, 0, false, 0)));

    assertThat(tree(history.json(false)).at("/runs")).as("another job").hasSize(2);
    history.add("job", List.of(SimulatedRecords.record("progress", 205, 0, 2)));
    history.add("job", List.of(SimulatedRecords.record("progress", 305, 0, 1)));
    history.add("job", List.of(SimulatedRecords.run(300, 0, 0, false, 0)));
    assertThat(tree(history.json(false)).at("/runs")).as("a third one").hasSize(3);
  }

  /** Those who listen get records as they came. */
  @Test
  void whatIsToldIsWhole() {
    History history = new History();
    List<ObjectNode> told = new ArrayList<>();
    history.listen(
        new History.Listener() {
          @Override
          public void began(String id, String title) {}

          @Override
          public void added(String id, long before, List<ObjectNode> records) {
            told.addAll(records);
          }
        });
    List<ObjectNode> records = new ArrayList<>(SimulatedRecords.tables(1, 1));
    records.addAll(SimulatedRecords.tables(2, 2));
    List<String> texts = records.stream().map(ObjectNode::toString).toList();

    history.add("job", records);

    assertThat(told).extracting(ObjectNode::toString).isEqualTo(texts);
  }

  @Test
  void aRestartGoesOnAndANewJobIsANewRun() {
    History history = new History();
    List<ObjectNode> records = SimulatedRecords.of(100, 1, 0, new Random(1));

    history.add("job", records);
    history.add("job", SimulatedRecords.of(10, 1, 1_000_000, new Random(1)));
    history.add("job", List.of(SimulatedRecords.run(2_000_000, 5, 1, false, 1)));

    assertThat(tree(history.json(true)).path("runs").findValuesAsText("title"))
        .as("an attempt that begins anew is of the same job")
        .containsExactly("job", "job, run 2");
  }

  /** Of an older release, whose jobs don't say that they begin. */
  @Test
  void aLowerGenerationIsANewRun() {
    History history = new History();
    history.add("job", List.of(SimulatedRecords.record("progress", 1, 3, 5)));
    history.add("job", List.of(SimulatedRecords.record("progress", 2, 4, 6)));
    history.add("job", List.of(SimulatedRecords.record("progress", 3, 0, 1)));

    assertThat(tree(history.json(true)).path("runs").findValuesAsText("title"))
        .containsExactly("job", "job, run 2");
  }

  /** Nobody who writes records fills the memory: of one kind or many, of one run or many. */
  @Test
  void whatIsKeptIsBoundedByItsBytes() {
    int most = 2 << 20;
    String text = "x".repeat(20_000);
    History large = new History(most);
    History kinds = new History(most);
    History runs = new History(most);

    for (int i = 1; i <= 1_000; i++) {
      large.add("job", List.of(SimulatedRecords.record("note", i, 0, i).put("text", text)));
      kinds.add(
          "job", List.of(SimulatedRecords.record("note" + i % 30, i, 0, i).put("text", text)));
      runs.add("job", List.of(SimulatedRecords.run(i, 0, 1, false, 0).put("text", text)));
    }

    for (History history : List.of(large, kinds, runs)) {
      assertThat(history.json(false).length()).isBetween(most / 20, most);
    }
    // The newest is there, and of what came before some from all of the time.
    List<Long> rounds = rounds(tree(large.json(false)).at("/runs/0/records"), "note");
    assertThat(rounds).hasSizeGreaterThan(4).endsWith(1_000L);
    assertThat(rounds.get(0)).isLessThan(300L);
    assertThat(tree(runs.json(false)).path("runs").findValuesAsText("title"))
        .hasSizeGreaterThan(2)
        .endsWith("job, run 1000");
  }

  @Test
  void aRecordOfMoreThanAMegabyteIsNone() {
    assertThat(MetricRecord.parse("{\"a\":\"%s\"}".formatted("x".repeat(1 << 20)).getBytes(UTF_8)))
        .isEmpty();
    assertThat(MetricRecord.parse("{\"a\":\"%s\"}".formatted("x".repeat(1 << 19)).getBytes(UTF_8)))
        .isPresent();
  }

  @Test
  void aHeldBackModelIsNotForgotten() {
    History history = new History();
    List<ObjectNode> records = new ArrayList<>();
    for (int i = 1; i <= 10_000; i++) {
      records.add(
          SimulatedRecords.record("snapshot", i, 0, i)
              .put("state", "fresh")
              .put("served", i != 37));
    }

    history.add("job", records);

    assertThat(tree(history.json(false)).at("/runs/0/records").findValuesAsText("served"))
        .contains("false");
  }

  /** Lines that are cut, no JSON, or no records; a file that begins anew. */
  @Test
  void aFileIsFollowedWhateverIsInIt() throws Exception {
    Path file = directory.resolve("metrics.jsonl");
    Files.writeString(
        file,
        """
        {"type":"progress","time":1}
        no json
        [1]
        {"time":2}
        {"type":"progress","ti\
        """);
    History history = new History();
    FileWatch watch = FileWatch.start(directory, history);
    await()
        .atMost(PATIENCE)
        .until(() -> tree(history.json(true)).at("/runs/0/records").size() == 1);

    Files.writeString(file, "me\":3}\n", StandardOpenOption.APPEND);
    watch.close();
    assertThat(tree(history.json(true)).at("/runs/0/records").size()).isEqualTo(2);
    assertThat(tree(history.json(true)).at("/runs/0/title").asText()).isEqualTo("metrics");

    RecordLines lines = RecordLines.all(file);
    assertThat(lines.next()).hasSize(3);
    Files.writeString(file, "{\"type\":\"run\",\"time\":9}\n");
    assertThat(lines.next()).hasSize(1);
  }

  /** Something else, given by mistake, without an end of a line. */
  @Test
  void aLineWithoutEndIsPassedOver() throws Exception {
    Path file = directory.resolve("metrics.jsonl");
    Files.writeString(file, "x".repeat(40 << 20) + "\n{\"type\":\"progress\",\"time\":1}\n");
    RecordLines lines = RecordLines.all(file);

    assertThat(lines.next()).hasSize(1);
  }

  private static JsonNode tree(String json) {
    try {
      return new ObjectMapper().readTree(json);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Long> rounds(JsonNode records, String type) {
    List<Long> rounds = new ArrayList<>();
    for (JsonNode record : records) {
      if (record.path("type").asText().equals(type)) {
        rounds.add(record.path("round").asLong());
      }
    }
    return rounds;
  }
}
