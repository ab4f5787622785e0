package dev.millrace.job.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.millrace.exchange.flink.FaultInjector.Place;
import dev.millrace.job.testing.Job;
import dev.millrace.job.testing.Joining;
import dev.millrace.job.testing.SeededFaults;
import dev.millrace.kafka.KafkaAccessException;
import dev.millrace.kafka.KafkaCluster;
import dev.millrace.kafka.testing.Broker;
import dev.millrace.kafka.testing.JoinedRecords;
import dev.millrace.kafka.testing.LateLabels;
import dev.millrace.kafka.testing.LateLabels.Kind;
import dev.millrace.model.testing.Seeds;
import java.nio.file.Path;
import java.util.EnumSet;
import org.apache.flink.core.execution.JobClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A join on a real broker: each pair once, for readers of committed records. */
class JoinIT {

  private static final int KEYS = 6_000;
  private static final int FAULTS = 2;
  private static final KafkaCluster KAFKA = Broker.cluster();

  @TempDir Path directory;

  private final long seed = Seeds.next();
  private final LateLabels source = new LateLabels(seed, KEYS, Joining.partitions());

  @Test
  void eachPairIsThereOnceWhateverFails() throws Exception {
    // Not in turns: when the last record has come, ends are left to fail at, but no arrivals.
    SeededFaults arrivals = new SeededFaults(seed, FAULTS, 1_500, EnumSet.of(Place.JOIN));
    SeededFaults ends = new SeededFaults(seed + 1, FAULTS, 700, EnumSet.of(Place.JOIN_END));
    Joining join =
        new Joining(directory)
            .set("join.unlabelled", "negative")
            .set("join.negative.label", "none")
            .faults(
                (place, subtask) -> {
                  arrivals.reach(place, subtask);
                  ends.reach(place, subtask);
                });
    send(join, source.size());

    join.run();

    assertThat(arrivals.thrown()).as(seed()).isEqualTo(FAULTS);
    assertThat(ends.thrown()).as(seed()).isEqualTo(FAULTS);
    requireAll(join);
    try (JoinedRecords joined = new JoinedRecords(KAFKA, join.output(), source)) {
      joined.allPairs();
      assertThat(joined.negatives().cardinality())
          .as(seed())
          .isEqualTo((int) (source.count(Kind.LATE) + source.count(Kind.UNLABELLED)));
    }
    assertThat(join.rejected()).isZero();
  }

  @Test
  void eachPairIsThereOnceWhateverTheParallelism() throws Exception {
    Joining join = new Joining(directory).set("input.bounded", "false");
    send(join, source.size() / 3);
    String atTwo = runPartly(join.parallelism(2));
    send(join, source.size() / 3);
    String atThree = runPartly(join.parallelism(3).from(atTwo));
    send(join, source.size());
    source.sendEnd(KAFKA, join.features(), join.labels());
    JobClient client = join.parallelism(1).from(atThree).start();
    awaitPairs(join, source.count(Kind.PAIR));
    await()
        .atMost(Job.LIMIT)
        .until(() -> join.late() == source.count(Kind.LATE) + source.count(Kind.ALONE));
    join.stop(client);

    requireAll(join);
  }

  /** Until there are more pairs: what was stopped with a savepoint has committed all of them. */
  private String runPartly(Joining join) throws Exception {
    long before = pairs(join);
    JobClient client = join.start();
    awaitPairs(join, before + 200);
    return join.stop(client);
  }

  private long pairs(Joining join) {
    try (JoinedRecords joined = new JoinedRecords(KAFKA, join.output(), source)) {
      return joined.allPairs();
    }
  }

  private void awaitPairs(Joining join, long atLeast) {
    try (JoinedRecords joined = new JoinedRecords(KAFKA, join.output(), source)) {
      await().pollInSameThread().atMost(Job.LIMIT).until(() -> joined.pairs() >= atLeast);
    }
  }

  @Test
  void whatCanNotBeJoinedIsPutAsideWithTheReason() throws Exception {
    Joining join =
        new Joining(directory)
            .set("join.key", "id")
            .set("join.labels.key", "of")
            .set("join.unlabelled", "negative")
            .set("join.negative.label", "0")
            .set("join.negative.sample", "0.5")
            .backend("hashmap");
    Broker.write(
        join.features(), 0, "{\"id\":1,\"a\":2}", "{\"a\":1}", "no", "{\"id\":2,\"weight\":1}");
    Broker.write(join.labels(), 0, "{\"of\":\"1\",\"verdict\":{\"class\":3}}", "{\"of\":1}");

    join.run();

    assertThat(Broker.read(join.output(), 2, 1))
        .singleElement()
        .satisfies(record -> assertThat(record.key()).asString().isEqualTo("1"))
        .satisfies(
            record ->
                assertThat(record.value())
                    .asString()
                    .isEqualTo("{\"id\":1,\"a\":2,\"label\":3,\"weight\":1.0}"));
    assertThat(Broker.read(join.deadLetters(), 1, 4))
        .extracting(
            record -> new String(record.headers().lastHeader("millrace.reason").value(), UTF_8))
        .satisfiesExactlyInAnyOrder(
            reason -> assertThat(reason).startsWith("no key: \"id\" is not there"),
            reason -> assertThat(reason).startsWith("not JSON"),
            reason -> assertThat(reason).startsWith("the features have a field \"weight\""),
            reason -> assertThat(reason).startsWith("no label: \"verdict.class\" is not there"));
  }

  @Test
  void aTopicThatIsMissingIsNamedBeforeAnythingStarts() {
    Joining join = new Joining(directory);

    assertThatThrownBy(() -> join.set("join.labels.topics", "verdicts").check())
        .isInstanceOf(KafkaAccessException.class)
        .hasMessageContaining("There is no topic 'verdicts'");
    assertThatThrownBy(
            () ->
                join.set("join.labels.topics", join.labels())
                    .set("kafka.transaction.timeout.ms", "7200000")
                    .check())
        .isInstanceOf(KafkaAccessException.class)
        .hasMessageContaining("transaction.max.timeout.ms");
  }

  private void send(Joining join, int count) throws InterruptedException {
    source.send(KAFKA, join.features(), join.labels(), count);
  }

  private void requireAll(Joining join) {
    try (JoinedRecords joined = new JoinedRecords(KAFKA, join.output(), source)) {
      assertThat(joined.allPairs()).as(seed()).isEqualTo(source.count(Kind.PAIR));
      assertThat(joined.faults()).as(seed()).isEmpty();
    }
    assertThat(join.late())
        .as(seed())
        .isEqualTo(source.count(Kind.LATE) + source.count(Kind.ALONE));
    assertThat(join.duplicates()).as(seed()).isEqualTo(source.duplicates());
  }

  private String seed() {
    return "seed " + seed;
  }
}
