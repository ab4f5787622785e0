package dev.millrace.job.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.example.Example;
import dev.millrace.exchange.flink.FaultInjector;
import dev.millrace.exchange.log.LogEntry;
import dev.millrace.exchange.log.RecordRun;
import dev.millrace.exchange.log.RecordSet;
import dev.millrace.exchange.log.UnusableLogException;
import dev.millrace.exchange.savepoint.SavedTraining;
import dev.millrace.exchange.savepoint.SubtaskStrings;
import dev.millrace.job.testing.Blobs;
import dev.millrace.job.testing.EmbeddingNetwork;
import dev.millrace.job.testing.Job;
import dev.millrace.job.testing.SeededFaults;
import dev.millrace.job.testing.SlowSteps;
import dev.millrace.job.testing.TestEngine;
import dev.millrace.job.train.part.rebuild.RebuildOptions;
import dev.millrace.job.train.rebuild.Forgetting;
import dev.millrace.job.train.rebuild.LogChain;
import dev.millrace.job.train.rebuild.LogEntries;
import dev.millrace.job.train.rebuild.RebuildJob;
import dev.millrace.kafka.testing.Broker;
import dev.millrace.model.GlobalModel;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.testing.Seeds;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Records are taken out of a model, which becomes that of a job that never learned them. */
class ForgetIT {

  private static final int PARTITIONS = 2;
  private static final int PER_PARTITION = 600;

  /** Records of a contribution. */
  private static final int CONTRIBUTION = 24;

  /** A feature of the records that are forgotten in the midst of others, and of no other. */
  private static final float MARK = 0.12345678f;

  /** A number that no model can compute with. */
  private static final float TOO_MUCH = 3e38f;

  /** Some by themselves, and some that follow each other; of each minibatch a part. */
  private static final List<RecordRun> SOME =
      List.of(
          new RecordRun("", 0, 203, 1),
          new RecordRun("", 0, 210, 2),
          new RecordRun("", 0, 251, 1),
          new RecordRun("", 1, 197, 1),
          new RecordRun("", 1, 223, 5));

  /** All of two rounds. */
  private static final List<RecordRun> ROUNDS =
      List.of(
          new RecordRun("", 0, 192, CONTRIBUTION),
          new RecordRun("", 1, 192, CONTRIBUTION),
          new RecordRun("", 0, 264, CONTRIBUTION),
          new RecordRun("", 1, 264, CONTRIBUTION));

  /** Records of a partition that the first of two states has. None of them is forgotten. */
  private static final int FIRST = 96;

  /** The list has the records of {@link #topic}, by partition. */
  private static final List<List<byte[]>> RECORDS = new ArrayList<>();

  private static String topic;
  private static String withoutRounds;

  @TempDir Path directory;

  @BeforeAll
  static void produce() throws Exception {
    topic = Broker.topic(PARTITIONS);
    withoutRounds = Broker.topic(PARTITIONS);
    for (int partition = 0; partition < PARTITIONS; partition++) {
      List<Example> examples = new Blobs(11 + partition).next(PER_PARTITION);
      List<Example> left = new ArrayList<>();
      for (int offset = 0; offset < PER_PARTITION; offset++) {
        if (RecordSet.of(SOME).contains("", partition, offset)) {
          Arrays.fill(examples.get(offset).features(), MARK);
        }
        if (!RecordSet.of(ROUNDS).contains("", partition, offset)) {
          left.add(examples.get(offset));
        }
      }
      RECORDS.add(Blobs.encode(examples));
      Broker.produce(topic, partition, RECORDS.get(partition));
      Broker.produce(withoutRounds, partition, Blobs.encode(left));
    }
  }

  private static RecordSet of(String ofTopic, List<RecordRun> runs) {
    RecordSet records = new RecordSet();
    for (RecordRun run : runs) {
      records.add(new RecordRun(ofTopic, run.partition(), run.first(), run.count()));
    }
    return records;
  }

  /** Without whole rounds a topic has all other minibatches, too. */
  @ParameterizedTest
  @EnumSource(TestEngine.class)
  void theModelBecomesThatOfAJobWhoseTopicNeverHadThem(TestEngine engine) throws Exception {
    Job never = job(withoutRounds, directory.resolve("never"), engine).run();
    String growing = Broker.topic(PARTITIONS);
    Job job = job(growing, directory.resolve("job"), engine);

    RecordSet records = of(growing, ROUNDS);
    Forgetting.Outcome outcome = forgetInTheMidst(job, growing, RECORDS, records);

    assertThat(outcome.after().version().round()).isEqualTo(outcome.before().version().round());
    assertSameAtTheEnd(job.from(outcome.savepoint()), never, records);
  }

  /** Something that can't be learned is in their places, so minibatches are otherwise the same. */
  @Test
  void theModelBecomesThatOfAJobThatCouldntLearnThem() throws Exception {
    String words = Broker.topic(PARTITIONS);
    String unknown = Broker.topic(PARTITIONS);
    RecordSet some = RecordSet.of(SOME);
    List<List<byte[]>> known = new ArrayList<>();
    for (int partition = 0; partition < PARTITIONS; partition++) {
      List<byte[]> all = new ArrayList<>();
      List<byte[]> others = new ArrayList<>();
      for (int offset = 0; offset < PER_PARTITION; offset++) {
        int word = (offset * 7 + partition) % EmbeddingNetwork.WORDS;
        all.add(example(word, offset));
        others.add(
            example(some.contains("", partition, offset) ? EmbeddingNetwork.WORDS : word, offset));
      }
      known.add(all);
      Broker.produce(unknown, partition, others);
    }
    Job never = embedding(job(unknown, directory.resolve("never"), TestEngine.DL4J)).run();
    Job job = embedding(job(words, directory.resolve("job"), TestEngine.DL4J));

    RecordSet records = of(words, SOME);
    Forgetting.Outcome outcome = forgetInTheMidst(job, words, known, records);

    assertThat(never.description().ledger().stream().mapToLong(one -> one.rejected().count()).sum())
        .isEqualTo(records.count());
    assertSameAtTheEnd(job.from(outcome.savepoint()), never, records);
  }

  private static byte[] example(int word, int offset) {
    return "{\"features\":[%s],\"label\":%s}"
        .formatted(word, (word + offset % 2) % 3)
        .getBytes(StandardCharsets.UTF_8);
  }

  private Job embedding(Job job) throws IOException {
    return job.set("input.standardize", "off")
        .set("input.label-lags", "0")
        .set("input.format", "json")
        .set("input.features", "1")
        .unset("model.name")
        .unset("model.hidden")
        .set("model.configuration", EmbeddingNetwork.write(directory).toString());
  }

  /** Begun at the start of the job and at a state before the records it is the same. */
  private static Forgetting.Outcome forgetInTheMidst(
      Job job, String growing, List<List<byte[]>> all, RecordSet records) throws Exception {
    produceFirst(growing, all);
    String first = runPartly(job, PARTITIONS * FIRST);
    produceOthers(growing, all);
    String second = runPartly(job.from(first), 700);

    Forgetting.Outcome outcome = forget(job, second, List.of(), records);
    Forgetting.Outcome fromFirst = forget(job, second, List.of(first), records);

    assertThat(outcome.begunAt()).isEmpty();
    assertThat(fromFirst.begunAt()).contains(RebuildJob.saved(first).head().version());
    assertThat(fromFirst.entries()).isLessThan(outcome.entries());
    assertThat(fromFirst.after().vector()).containsExactly(outcome.after().vector());
    assertThat(fromFirst.after().version().generation())
        .isGreaterThan(outcome.after().version().generation())
        .isGreaterThan(outcome.before().version().generation());
    return fromFirst;
  }

  private static void assertSameAtTheEnd(Job job, Job never, RecordSet forgotten) throws Exception {
    finish(job);
    assertThat(job.trained().vector()).containsExactly(never.trained().vector());
    assertThat(job.description().ledger().stream().mapToLong(one -> one.learned().count()).sum())
        .isEqualTo(PARTITIONS * PER_PARTITION - forgotten.count());
    assertThat(job.description().ledger())
        .allSatisfy(partition -> assertThat(partition.topicId()).isNotEmpty())
        .hasSize(PARTITIONS);
  }

  @Test
  void whatFollowsCanBeMadeAgainAndForgottenOnceMore() throws Exception {
    Job job = job(topic, directory.resolve("job"), TestEngine.DL4J);
    String first = runPartly(job, 400);
    // A round of both replicas, and a contribution of one.
    RecordSet some =
        RecordSet.of(
            List.of(
                new RecordRun(topic, 0, 96, CONTRIBUTION),
                new RecordRun(topic, 1, 96, CONTRIBUTION),
                new RecordRun(topic, 0, 144, CONTRIBUTION)));
    Forgetting.Outcome once = forget(job, first, List.of(), some);
    String second = runPartly(job.from(once.savepoint()), 800);
    Forgetting.Outcome twice = forget(job, second, List.of(), of(topic, SOME));
    finish(job.from(twice.savepoint()));

    RebuildJob again = new RebuildJob(job.options());
    LogEntries log = again.log();
    LogChain chain = LogChain.to(job.description().version(), log);
    assertThat(make(again, chain, Optional.empty()).vector())
        .containsExactly(job.trained().vector());
    assertThat(make(again, chain, Optional.of(twice.savepoint())).vector())
        .containsExactly(job.trained().vector());
    assertThatThrownBy(() -> make(again, chain, Optional.of(first)))
        .isInstanceOf(UnusableLogException.class)
        .hasMessageContaining("may have learned record 96 of " + topic + "-0");
  }

  @Test
  void aLogThatWasBegunLaterIsFollowedFromThere() throws Exception {
    String growing = Broker.topic(PARTITIONS);
    Job job = job(growing, directory.resolve("job"), TestEngine.DL4J).set("input.label-lags", "0");
    job.unset("rebuild.log");
    produceFirst(growing, RECORDS);
    String before = runPartly(job, PARTITIONS * FIRST);
    produceOthers(growing, RECORDS);
    job.set("rebuild.log", "log-" + UUID.randomUUID());
    String savepoint = runPartly(job.from(before), 700);
    RecordSet records = of(growing, ROUNDS);

    assertThatThrownBy(() -> forget(job, savepoint, List.of(), records))
        .isInstanceOf(UnusableLogException.class)
        .hasMessageContaining("by --from");
    assertThat(forget(job, savepoint, List.of(before), records).begunAt())
        .contains(RebuildJob.saved(before).head().version());
  }

  /** Replay keeps examples, and a codec what it left out; both are in savepoints. */
  @Test
  void nothingOfThemIsLeftInTheSavepoint() throws Exception {
    Job job =
        job(topic, directory.resolve("job"), TestEngine.TORCH)
            .set("replay.size", "1000")
            .set("replay.share", "0.5")
            .set("forgetting.older-model", "periodic")
            .set("forgetting.every", "100")
            .set("exchange.codec.contributions", "int8");
    String savepoint = runPartly(job, 700);

    Forgetting.Outcome outcome = forget(job, savepoint, List.of(), of(topic, SOME));

    assertThat(isMarked(savepoint)).isTrue();
    assertThat(isMarked(outcome.savepoint())).isFalse();
    assertThat(outcome.after().learned().statistics().count())
        .isLessThan(outcome.before().learned().statistics().count());
    finish(job.from(outcome.savepoint()));
    assertThat(make(new RebuildJob(job.options()), job.description().version()).vector())
        .containsExactly(job.trained().vector());
  }

  /** A savepoint that a job has made in passing, and gone on. */
  @Test
  void aStateThatTheJobNeverWentOnFromIsAsGood() throws Exception {
    String growing = Broker.topic(PARTITIONS);
    Job job = job(growing, directory.resolve("job"), TestEngine.DL4J).set("input.bounded", "false");
    produceFirst(growing, RECORDS);
    JobClient client = job.start();
    job.await(() -> job.taken() == PARTITIONS * FIRST);
    String inPassing =
        client
            .triggerSavepoint(
                directory.resolve("passing").toString(), SavepointFormatType.CANONICAL)
            .get();
    produceOthers(growing, RECORDS);
    job.await(() -> job.taken() >= 700);
    String savepoint = job.stop(client, false);

    Forgetting.Outcome whole = forget(job, savepoint, List.of(), of(growing, SOME));
    Forgetting.Outcome outcome = forget(job, savepoint, List.of(inPassing), of(growing, SOME));

    assertThat(outcome.begunAt()).contains(RebuildJob.saved(inPassing).head().version());
    assertThat(outcome.after().vector()).containsExactly(whole.after().vector());
  }

  /** The contribution that was refused for it is made, and is one more than the log has. */
  @Test
  void whatWasRefusedForARecordIsLearnedWithoutIt() throws Exception {
    String exploding = Broker.topic(PARTITIONS);
    for (int partition = 0; partition < PARTITIONS; partition++) {
      List<Example> examples = new Blobs(11 + partition).next(PER_PARTITION);
      if (partition == 0) {
        Arrays.fill(examples.get(203).features(), TOO_MUCH);
      }
      Broker.produce(exploding, partition, Blobs.encode(examples));
    }
    Job job =
        job(exploding, directory.resolve("job"), TestEngine.TORCH).set("input.standardize", "off");
    String savepoint = runPartly(job, 700);
    assertThat(RebuildJob.saved(savepoint).head().ledger().rejectedCount()).isPositive();

    RecordSet one = RecordSet.of(List.of(new RecordRun(exploding, 0, 203, 1)));
    Forgetting.Outcome outcome = forget(job, savepoint, List.of(), one);

    assertThat(outcome.after().ledger().rejectedCount()).isZero();
    assertGoesOnAndIsMadeAgain(job.from(outcome.savepoint()), PARTITIONS * PER_PARTITION - 1);
  }

  /** The model before it and the one behind it are what the job publishes of each. */
  @Test
  void ofAMovingAverageBothAreTold() throws Exception {
    Job job =
        job(topic, directory.resolve("job"), TestEngine.DL4J)
            .set("exchange.ema.half-life", "200")
            .set("snapshot.parameters", "average");
    String savepoint = runPartly(job, 700);

    Forgetting.Outcome outcome = forget(job, savepoint, List.of(), of(topic, SOME));

    assertThat(job.description().version()).isEqualTo(outcome.before().version());
    assertThat(outcome.before().vector()).containsExactly(job.trained().vector());
    assertThat(outcome.after().vector()).hasSameSizeAs(outcome.before().vector());
  }

  /** The versions of both are one another's. */
  @Test
  void aLogInWhichAnotherJobWroteIsFound() throws Exception {
    Job job = job(topic, directory.resolve("job"), TestEngine.DL4J).set("input.label-lags", "0");
    String savepoint = runPartly(job, 400);
    Job other =
        job(withoutRounds, directory.resolve("other"), TestEngine.DL4J)
            .set("input.label-lags", "0")
            .set("rebuild.log", job.options().get(RebuildOptions.LOG));
    String unused = runPartly(other, 600);

    assertThatThrownBy(() -> forget(job, savepoint, List.of(), of(topic, SOME)))
        .isInstanceOf(UnusableLogException.class)
        .hasMessageContaining("the log tells of another job");
    assertThat(new RebuildJob(job.options()).log().all())
        .noneMatch(LogEntry.Forgotten.class::isInstance);
  }

  /** Two attempts have a replica that has nothing to read, and some records are none to learn. */
  @Test
  void failuresAndOtherNumbersOfReplicasAreFollowed() throws Exception {
    String mixed = Broker.topic(PARTITIONS);
    for (int partition = 0; partition < PARTITIONS; partition++) {
      List<byte[]> records =
          new ArrayList<>(Blobs.encode(new Blobs(21 + partition).next(PER_PARTITION)));
      for (int offset = partition; offset < PER_PARTITION; offset += 50) {
        records.set(offset, new byte[] {1});
      }
      Broker.produce(mixed, partition, records);
    }
    long seed = Seeds.next();
    Job job =
        job(mixed, directory.resolve("job"), TestEngine.DL4J)
            .set("input.bounded", "false")
            .set("batch.max-wait", "50 ms");
    String first = runPartlyWithFaults(job, seed, 300);
    String second = runPartlyWithFaults(job.parallelism(3).from(first), seed + 1, 450);
    String third = runPartlyWithFaults(job.parallelism(3).from(second), seed + 2, 700);

    Forgetting.Outcome outcome = forget(job, third, List.of(), of(mixed, SOME));

    long rejected = PARTITIONS * PER_PARTITION / 50;
    assertGoesOnAndIsMadeAgain(
        job.from(outcome.savepoint()),
        PARTITIONS * PER_PARTITION - rejected - RecordSet.of(SOME).count());
  }

  private static String runPartlyWithFaults(Job job, long seed, long atLeast) throws Exception {
    SeededFaults faults = new SeededFaults(seed, 2, 12);
    FaultInjector slow = SlowSteps.slowerAfter(10);
    JobClient client =
        job.faults(
                (place, index) -> {
                  slow.reach(place, index);
                  faults.reach(place, index);
                })
            .start();
    long all = (long) PARTITIONS * PER_PARTITION;
    job.await(() -> job.taken() == all || (job.taken() >= atLeast && faults.thrown() == 2));
    faults.end();
    return job.stop(client, false);
  }

  @Test
  void aReplicaMayHaveEnded() throws Exception {
    String uneven = Broker.topic(PARTITIONS);
    Broker.produce(uneven, 0, Blobs.encode(new Blobs(3).next(PER_PARTITION)));
    Broker.produce(uneven, 1, Blobs.encode(new Blobs(4).next(100)));
    Job job =
        job(uneven, directory.resolve("job"), TestEngine.TORCH)
            .set("exchange.round-timeout", "1 s");
    JobClient client = job.faults(SlowSteps.slowerAfter(10)).start();
    job.await(() -> job.taken() >= 400);
    String savepoint = job.stop(client, false);

    RecordSet some = RecordSet.of(List.of(new RecordRun(uneven, 0, 201, 9)));
    Forgetting.Outcome outcome = forget(job, savepoint, List.of(), some);

    assertGoesOnAndIsMadeAgain(job.from(outcome.savepoint()), PER_PARTITION + 100 - 9);
  }

  @Test
  void fragmentsKeepTheirTurns() throws Exception {
    Job job =
        job(topic, directory.resolve("job"), TestEngine.TORCH)
            .set("exchange.average-updater", "false")
            .set("exchange.fragments", "2")
            .set("model.hidden", "64");
    String savepoint = runPartly(job, 700);

    Forgetting.Outcome outcome = forget(job, savepoint, List.of(), of(topic, SOME));

    assertGoesOnAndIsMadeAgain(
        job.from(outcome.savepoint()), PARTITIONS * PER_PARTITION - RecordSet.of(SOME).count());
    assertThatThrownBy(() -> forget(job, savepoint, List.of(), of(topic, ROUNDS)))
        .isInstanceOf(UnusableLogException.class)
        .hasMessageContaining("in fragments, whose turns would change");
  }

  private static void assertGoesOnAndIsMadeAgain(Job job, long learned) throws Exception {
    finish(job);
    assertThat(job.description().ledger().stream().mapToLong(one -> one.learned().count()).sum())
        .isEqualTo(learned);
    assertThat(make(new RebuildJob(job.options()), job.description().version()).vector())
        .containsExactly(job.trained().vector());
  }

  private static boolean isMarked(String savepoint) throws IOException {
    byte[] mark =
        ByteBuffer.allocate(Float.BYTES).order(ByteOrder.LITTLE_ENDIAN).putFloat(MARK).array();
    for (SubtaskStrings replica : RebuildJob.saved(savepoint).replicas().values()) {
      for (List<byte[]> list : replica.lists().values()) {
        if (list.stream().anyMatch(string -> contains(string, mark))) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean contains(byte[] bytes, byte[] part) {
    String all = new String(bytes, StandardCharsets.ISO_8859_1);
    return all.contains(new String(part, StandardCharsets.ISO_8859_1));
  }

  private static Forgetting.Outcome forget(
      Job job, String savepoint, List<String> earlier, RecordSet records) throws IOException {
    List<SavedTraining> states = new ArrayList<>();
    for (String path : earlier) {
      states.add(RebuildJob.saved(path));
    }
    return new Forgetting(new RebuildJob(job.options()), RebuildJob.saved(savepoint))
        .forget(
            records,
            states,
            passedOver -> {
              throw new AssertionError(passedOver);
            },
            (made, done, all, model) -> true);
  }

  private static GlobalModel make(RebuildJob job, ModelVersion version) throws IOException {
    return make(job, LogChain.to(version, job.log()), Optional.empty());
  }

  private static GlobalModel make(RebuildJob job, LogChain chain, Optional<String> from)
      throws IOException {
    return job.make(
        chain,
        from.isPresent() ? Optional.of(RebuildJob.saved(from.get())) : Optional.empty(),
        (made, done, all, model) -> true);
  }

  /**
   * Writes what the first of two states has: the job can't take more before the other records come.
   */
  private static void produceFirst(String growing, List<List<byte[]>> all) throws Exception {
    for (int partition = 0; partition < PARTITIONS; partition++) {
      Broker.produce(growing, partition, all.get(partition).subList(0, FIRST));
    }
  }

  private static void produceOthers(String growing, List<List<byte[]>> all) throws Exception {
    for (int partition = 0; partition < PARTITIONS; partition++) {
      Broker.produce(growing, partition, all.get(partition).subList(FIRST, PER_PARTITION));
    }
  }

  /** Stops the job while there is more to take. */
  private static String runPartly(Job job, long atLeast) throws Exception {
    JobClient client = job.set("input.bounded", "false").faults(SlowSteps.slowerAfter(10)).start();
    job.await(() -> job.taken() >= atLeast);
    return job.stop(client, false);
  }

  private static void finish(Job job) throws Exception {
    job.set("input.bounded", "true").faults(FaultInjector.NONE).run();
  }

  private static Job job(String topic, Path directory, TestEngine engine) {
    return new Job(topic, directory)
        .engine(engine)
        .parallelism(PARTITIONS)
        .set("exchange.local-steps", "3")
        .set("input.standardize", "on")
        // A forgotten record's label is no feature of the next.
        .set("input.label-lags", "2")
        .set("snapshot.rounds", "1")
        .set("snapshot.keep", "1000")
        .set("rebuild.log", "log-" + UUID.randomUUID());
  }
}
