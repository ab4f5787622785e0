package dev.millrace.job.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.example.Example;
import dev.millrace.exchange.flink.FaultInjector;
import dev.millrace.exchange.log.LogEntry;
import dev.millrace.exchange.log.UnusableLogException;
import dev.millrace.job.testing.Blobs;
import dev.millrace.job.testing.Job;
import dev.millrace.job.testing.SeededFaults;
import dev.millrace.job.testing.SlowSteps;
import dev.millrace.job.testing.TestEngine;
import dev.millrace.job.train.part.rebuild.LogLine;
import dev.millrace.job.train.part.rebuild.RebuildOptions;
import dev.millrace.job.train.rebuild.LogChain;
import dev.millrace.job.train.rebuild.LogEntries;
import dev.millrace.job.train.rebuild.RebuildJob;
import dev.millrace.kafka.testing.Broker;
import dev.millrace.kafka.topic.TopicValues;
import dev.millrace.kafka.topic.Topics;
import dev.millrace.model.ArchivedModel;
import dev.millrace.model.GlobalModel;
import dev.millrace.model.Measures;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.testing.Seeds;
import dev.millrace.snapshot.SnapshotCatalog;
import dev.millrace.snapshot.SnapshotStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.flink.core.execution.JobClient;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Published models are made again from the log and the records alone. */
class RebuildIT {

  private static final int PARTITIONS = 2;
  private static final int PER_PARTITION = 1_600;
  private static final int FAULTS = 4;
  private static final int MEAN_STEPS = 30;
  private static final int VERSIONS = 5;

  private static String topic;

  @TempDir Path directory;

  /** In the midst of the topic classes change their names. */
  @BeforeAll
  static void produce() throws Exception {
    topic = Broker.topic(PARTITIONS);
    for (int partition = 0; partition < PARTITIONS; partition++) {
      List<Example> examples = new Blobs(11 + partition).next(PER_PARTITION);
      for (Example example : examples.subList(PER_PARTITION / 2, PER_PARTITION)) {
        example.setClass((Measures.greatest(example.labels(), 0, 3) + 1) % 3);
      }
      Broker.produce(topic, partition, Blobs.encode(examples));
    }
  }

  @ParameterizedTest
  @CsvSource({"DL4J, sync", "DL4J, overlap", "TORCH, sync", "TORCH, overlap"})
  void anyVersionIsMadeAgainBitByBitWhateverFailed(TestEngine engine, String schedule)
      throws Exception {
    long seed = Seeds.next();
    SeededFaults faults = new SeededFaults(seed, FAULTS, MEAN_STEPS);
    Job job = job(engine, schedule).faults(faults).run();

    assertThat(faults.thrown()).as("faults injected, seed %d", seed).isEqualTo(FAULTS);
    assertThat(written(job).collect(groupingBy(ModelVersion::generation)).values())
        .as("an attempt that fails has written all that came before what it wrote last")
        .allSatisfy(attempt -> assertThat(attempt).isSorted());
    assertMadeAgain(job, seed);
  }

  /** Returns the versions of the log, in the order in which they came to its topic. */
  private static Stream<ModelVersion> written(Job job) {
    RebuildJob again = new RebuildJob(job.options());
    String log = again.options().get(RebuildOptions.LOG);
    List<ModelVersion> versions = new ArrayList<>();
    TopicValues.all(
        again.input().source(Topics.named(List.of(log))),
        Job.LIMIT,
        value -> versions.add(LogLine.read(value).version()));
    return versions.stream();
  }

  /** Others take over what removed replicas had under way, and what they replayed. */
  @ParameterizedTest
  @CsvSource({"DL4J, sync", "TORCH, overlap"})
  void changesOfParallelismAreFollowed(TestEngine engine, String schedule) throws Exception {
    long seed = Seeds.next();
    Job job =
        job(engine, schedule)
            .set("forgetting.older-model", "periodic")
            .set("forgetting.every", "300")
            .set("input.label-lags", "2")
            .set("exchange.local-steps", "3")
            .set("input.bounded", "false")
            .set("batch.max-wait", "50 ms");

    String atTwo = runPartly(job.parallelism(2), seed, 600);
    String atThree = runPartly(job.parallelism(3).from(atTwo), seed + 1, job.taken() + 600);
    JobClient client = job.parallelism(1).from(atThree).faults(FaultInjector.NONE).start();
    job.await(() -> job.taken() == PARTITIONS * PER_PARTITION);
    job.stop(client, true);

    assertMadeAgain(job, seed);
  }

  /** Each replica had something to read before, and has so now. */
  @Test
  void partitionsThatAreAddedAreFollowed() throws Exception {
    String growing = Broker.topic(PARTITIONS);
    for (int partition = 0; partition < PARTITIONS; partition++) {
      Broker.produce(growing, partition, Blobs.encode(new Blobs(partition).next(600)));
    }
    long seed = Seeds.next();
    Job job =
        job(growing, TestEngine.DL4J, "sync")
            .set("input.bounded", "false")
            .set("batch.max-wait", "50 ms");
    String savepoint = runPartly(job, seed, 400);
    Broker.addPartitions(growing, 4);
    Broker.produce(growing, 3, Blobs.encode(new Blobs(3).next(600)));
    JobClient client = job.from(savepoint).faults(FaultInjector.NONE).start();
    job.await(() -> job.taken() == 3 * 600);
    job.stop(client, true);

    assertThat(new RebuildJob(job.options()).log().all())
        .anyMatch(entry -> entry instanceof LogEntry.Start start && start.readers() == 4);
    assertMadeAgain(job, seed);
  }

  /** A contribution that was under way when replicas became fewer is combined with none. */
  @ParameterizedTest
  @CsvSource({"DL4J, sync", "TORCH, overlap"})
  void whatWasCombinedByProcessIsCombinedAgain(TestEngine engine, String schedule)
      throws Exception {
    long seed = Seeds.next();
    Job job =
        job(engine, schedule)
            .set("exchange.combine", "process")
            .set("input.bounded", "false")
            .set("batch.max-wait", "50 ms");

    String atFour = runPartly(job.parallelism(4), seed, 600);
    String atThree = runPartly(job.parallelism(3).from(atFour), seed + 1, job.taken() + 600);
    JobClient client = job.parallelism(2).from(atThree).faults(FaultInjector.NONE).start();
    job.await(() -> job.taken() == PARTITIONS * PER_PARTITION);
    job.stop(client, true);

    // All share one process here; RebuiltGatheringTest has several.
    assertThat(new RebuildJob(job.options()).log().all())
        .anyMatch(entry -> entry instanceof LogEntry.Round round && !round.together().isEmpty());
    assertMadeAgain(job, seed);
  }

  @ParameterizedTest
  @CsvSource({"DL4J, sync, 0", "DL4J, overlap, 2"})
  void recordsOfFilesAreReadAgain(TestEngine engine, String schedule, String lags)
      throws Exception {
    Path history = Files.createDirectories(directory.resolve("history"));
    for (int file = 0; file < 3; file++) {
      List<byte[]> records = new ArrayList<>(Blobs.encode(new Blobs(file).next(400), "json"));
      records.set(file, "no example".getBytes(UTF_8));
      Files.write(
          history.resolve(file + ".jsonl"),
          records.stream().map(record -> new String(record, UTF_8)).toList());
    }
    long seed = Seeds.next();
    SeededFaults faults = new SeededFaults(seed, FAULTS, MEAN_STEPS);
    Job job =
        job(engine, schedule)
            .set("input.history", history.toString())
            // Who has no file left gives what it has.
            .set("batch.max-wait", "50 ms")
            .set("input.label-lags", lags)
            .faults(faults)
            .run();

    assertThat(faults.thrown()).as("faults injected, seed %d", seed).isEqualTo(FAULTS);
    assertMadeAgain(job, seed);
  }

  /** The state that the job had then tells what came before. */
  @ParameterizedTest
  @CsvSource({"DL4J, sync, off", "TORCH, overlap, off", "DL4J, sync, process"})
  void aLogThatWasBegunLaterIsFollowedFromThere(TestEngine engine, String schedule, String combine)
      throws Exception {
    long seed = Seeds.next();
    Job job =
        job(engine, schedule)
            .set("exchange.combine", combine)
            .set("input.bounded", "false")
            .set("batch.max-wait", "50 ms");
    job.unset("rebuild.log");
    String before = runPartly(job, seed, 400);
    job.set("rebuild.log", "log-" + UUID.randomUUID());
    String between = runPartly(job.from(before), seed + 1, job.taken() + 300);
    JobClient client = job.from(between).faults(FaultInjector.NONE).start();
    job.await(() -> job.taken() == PARTITIONS * PER_PARTITION);
    job.stop(client, true);

    RebuildJob again = new RebuildJob(job.options());
    ModelVersion last = job.description().version();
    LogChain chain = LogChain.to(last, again.log());
    assertThatThrownBy(() -> again.make(chain, Optional.empty(), (made, done, all, of) -> true))
        .isInstanceOf(UnusableLogException.class)
        .hasMessageContaining("by --from");
    for (String state : List.of(before, between)) {
      assertThat(
              again
                  .make(chain, Optional.of(RebuildJob.saved(state)), (made, done, all, of) -> true)
                  .vector())
          .as("from %s, seed %d", state, seed)
          .containsExactly(job.trained().vector());
    }
  }

  @ParameterizedTest
  @CsvSource({"DL4J, sync", "DL4J, overlap"})
  void aLogIsFollowedInADirectory(TestEngine engine, String schedule) throws Exception {
    Path log = directory.resolve("log");
    long seed = Seeds.next();
    SeededFaults faults = new SeededFaults(seed, FAULTS, MEAN_STEPS);
    Job job = job(engine, schedule).set("rebuild.log", log.toString()).faults(faults).run();

    assertThat(faults.thrown()).as("faults injected, seed %d", seed).isEqualTo(FAULTS);
    assertThat(log).isNotEmptyDirectory();
    assertMadeAgain(job, seed);
  }

  /** Stops the job, after failures, while there is more to take. */
  private static String runPartly(Job job, long seed, long atLeast) throws Exception {
    SeededFaults faults = new SeededFaults(seed, 3, 12);
    FaultInjector slow = SlowSteps.slowerAfter(80);
    JobClient client =
        job.faults(
                (place, index) -> {
                  slow.reach(place, index);
                  faults.reach(place, index);
                })
            .start();
    job.await(() -> faults.thrown() == 3 && job.taken() >= atLeast);
    return job.stop(client, false);
  }

  private static void assertMadeAgain(Job job, long seed) throws IOException {
    RebuildJob again = new RebuildJob(job.options());
    LogEntries log = again.log();
    for (ModelVersion version : some(job, log, new Random(seed))) {
      GlobalModel model =
          again.make(LogChain.to(version, log), Optional.empty(), (made, done, all, of) -> true);

      assertThat(model.version()).isEqualTo(version);
      assertThat(model.vector())
          .as("version %s, seed %d", version, seed)
          .containsExactly(published(job, version).vector());
    }
  }

  /** All that helps learning which never ends, with codecs both ways and fragments. */
  @Tag("slow")
  @ParameterizedTest
  @CsvSource({
    "DL4J, sync, 0, 1, newest",
    "DL4J, overlap, 0, 3, average",
    "TORCH, sync, 2, 1, average",
    "TORCH, overlap, 0, 1, newest"
  })
  void whateverIsOn(TestEngine engine, String schedule, int delay, int fragments, String parameters)
      throws Exception {
    long seed = Seeds.next();
    SeededFaults faults = new SeededFaults(seed, FAULTS, MEAN_STEPS);
    Job job =
        job(engine, schedule)
            .set("exchange.local-steps", "4")
            .set("exchange.delay", Integer.toString(delay))
            .set("exchange.fragments", Integer.toString(fragments))
            .set("exchange.average-updater", Boolean.toString(fragments == 1))
            .set("drift.reaction", "smaller-batches")
            .set("exchange.codec.contributions", "int8")
            .set("exchange.codec.feedback", "bfloat16")
            .set("exchange.server-optimizer", "nesterov")
            .set("snapshot.parameters", parameters)
            .set("exchange.ema.half-life", "500")
            .set("model.population.learning-rates", "0.003;0.01;0.001")
            .set("replay.keep", "class-balanced")
            .set("forgetting.older-model", "periodic")
            .set("forgetting.every", "300")
            .set("evaluation.segments", "class")
            .set("input.label-lags", "1")
            .faults(faults)
            .run();

    assertMadeAgain(job, seed);
  }

  /**
   * What failed before it was in a checkpoint may be in the log, and may not. What was made right
   * after another isn't published.
   */
  private static List<ModelVersion> some(Job job, LogEntries log, Random random)
      throws IOException {
    List<ModelVersion> versions =
        new ArrayList<>(new SnapshotCatalog(SnapshotStore.directory(job.models())).versions());
    versions.removeIf(
        version -> log.of(version).filter(LogEntry.Round.class::isInstance).isEmpty());
    assertThat(versions).hasSizeGreaterThan(1);
    Collections.shuffle(versions, random);
    return versions.subList(0, Math.min(VERSIONS, versions.size()));
  }

  private static ArchivedModel published(Job job, ModelVersion version) throws IOException {
    return ModelEngine.named(job.description().engine())
        .readArchive(job.models().resolve("model-" + version + ".zip"));
  }

  private Job job(TestEngine engine, String schedule) {
    return job(topic, engine, schedule);
  }

  private Job job(String ofTopic, TestEngine engine, String schedule) {
    return new Job(ofTopic, directory)
        .engine(engine)
        .parallelism(PARTITIONS)
        .set("exchange.schedule", schedule)
        .set("input.standardize", "on")
        .set("drift.detector", "adwin;page-hinkley")
        .set("drift.reaction", "more-rounds;smaller-batches")
        .set("drift.examples", "400")
        .set("replay.size", "100")
        .set("replay.share", "0.5")
        .set("evaluation.window", "200")
        .set("snapshot.rounds", "2")
        .set("snapshot.keep", "1000")
        .set("rebuild.log", "log-" + UUID.randomUUID());
  }
}
