package dev.millrace.job.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.exchange.flink.FaultInjector;
import dev.millrace.exchange.savepoint.SavedModelReader;
import dev.millrace.exchange.savepoint.SavedStates;
import dev.millrace.job.testing.EachEngine;
import dev.millrace.job.testing.Job;
import dev.millrace.job.testing.SlowSteps;
import dev.millrace.job.testing.TestEngine;
import dev.millrace.kafka.testing.Broker;
import dev.millrace.model.GlobalModel;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.device.DeviceRequest;
import dev.millrace.model.features.LearnedFeatures;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.flink.core.execution.JobClient;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** A job whose model knows fewer fields, words and classes than its records now have. */
@Tag("slow")
class GrownModelIT {

  private static final int PARTITIONS = 3;
  private static final int PER_PARTITION = 1_200;
  private static final int BEFORE = 600;
  private static final Map<Integer, Long> ENDS =
      Map.of(0, (long) PER_PARTITION, 1, (long) PER_PARTITION, 2, (long) PER_PARTITION);

  private static final String FEW =
      """
      [{"path": "b", "kind": "number"},
       {"path": "land", "kind": "category", "words": 2},
       {"path": "kind", "role": "label"}]
      """;
  private static final String MORE =
      """
      [{"path": "a", "kind": "number"},
       {"path": "land", "kind": "category", "words": 4},
       {"path": "b", "kind": "number"},
       {"path": "host", "kind": "category", "words": 3},
       {"path": "kind", "role": "label"}]
      """;

  private static String topic;

  @TempDir Path directory;

  @BeforeAll
  static void produce() throws Exception {
    topic = Broker.topic(PARTITIONS);
    Random random = new Random(7);
    for (int partition = 0; partition < PARTITIONS; partition++) {
      List<byte[]> records = new ArrayList<>();
      for (int i = 0; i < PER_PARTITION; i++) {
        records.add(record(random, i < BEFORE ? 2 : 3).getBytes(UTF_8));
      }
      Broker.produce(topic, partition, records);
    }
  }

  private static String record(Random random, int kinds) {
    int kind = random.nextInt(kinds);
    return "{\"a\":%s,\"b\":%s,\"land\":\"L%s\",\"host\":\"h%s\",\"kind\":\"%s\"}"
        .formatted(
            kind == 2 ? 3 + random.nextGaussian() : random.nextGaussian(),
            2 * kind + random.nextGaussian(),
            random.nextInt(4),
            random.nextInt(3),
            List.of("x", "y", "z").get(kind));
  }

  @EachEngine
  void fromASavepoint(TestEngine engine) throws Exception {
    Job job = job("one", engine).parallelism(1);
    String savepoint = runPartly(job, 300);
    long taken = job.taken();
    job.set("input.fields", MORE).set("input.classes", "z;y;x").from(savepoint);
    assertThatThrownBy(job::start)
        .hasMessageContainingAll(
            savepoint, "\"a\"", "\"land\"", "\"host\"", "\"z\"", "model.grow: true");
    job.set("model.grow", "true");
    assertThat(job.looked().problems()).isEmpty();
    assertThat(job.looked().warnings()).anyMatch(line -> line.contains("model grows by"));

    learnTheRest(job.parallelism(2), group("one", engine));

    requireSamePredictions(savepoint);
    job.assertTookAll(topic, PER_PARTITION, PER_PARTITION, PER_PARTITION);
    LearnedFeatures learned = job.trained().learned().orElseThrow();
    assertThat(learned.statistics().count()).isEqualTo(PARTITIONS * PER_PARTITION);
    assertThat(learned.statistics().count(1)).isEqualTo(PARTITIONS * PER_PARTITION);
    assertThat(learned.statistics().count(0))
        .isBetween(1L, (long) PARTITIONS * PER_PARTITION - taken);
    assertThat(learned.vocabularies().of(0).words()).hasSize(4);
    assertThat(job.description().grown()).hasSize(1);
    assertThat(job.description().grown().get(0).fields()).containsExactly("a", "land", "host");
    assertThat(job.description().grown().get(0).outputs()).containsExactly("z");
  }

  /** Contributions are under way, codecs have left something out, and much is kept of each. */
  @EachEngine
  void withAllThatTheExchangeKeeps(TestEngine engine) throws Exception {
    Job job =
        job("all", engine)
            .parallelism(3)
            .backend("rocksdb")
            .set("exchange.schedule", "overlap")
            .set("exchange.server-optimizer", "adam")
            .set("exchange.codec.contributions", "top-k")
            .set("exchange.ema.half-life", "500")
            .set("replay.size", "100")
            .set("forgetting.older-model", "periodic")
            .set("forgetting.every", "200")
            .set("evaluation.segments", "class")
            .set("drift.detector", "adwin");
    String savepoint = runPartly(job, 300);
    job.set("input.fields", MORE).set("input.classes", "x;y;z").set("model.grow", "true");
    String grown = runPartly(job.from(savepoint), job.taken() + 100);
    assertThat(job.looked().problems()).as("grown already, set or not").isEmpty();

    learnTheRest(job.parallelism(2).set("model.grow", "false").from(grown), group("all", engine));

    job.assertTookAll(topic, PER_PARTITION, PER_PARTITION, PER_PARTITION);
    assertThat(job.description().grown()).hasSize(1);
  }

  @EachEngine
  void fromAnArchive(TestEngine engine) throws Exception {
    Job first = job("first", engine);
    String unused = runPartly(first, 300);
    Job second =
        job("second", engine)
            .unset("model.name")
            .unset("model.hidden")
            .set("model.archive", first.models().toString())
            .set("input.fields", MORE)
            .set("input.classes", "x;y;z");
    assertThatThrownBy(second::check)
        .hasMessageContainingAll("\"a\"", "\"host\"", "\"z\"", "model.grow: true");
    second.set("model.grow", "true");
    assertThat(second.check().warnings()).anyMatch(line -> line.contains("grows by the fields"));

    learnTheRest(second, group("second", engine));

    second.assertTookAll(topic, PER_PARTITION, PER_PARTITION, PER_PARTITION);
    assertThat(second.description().grown()).hasSize(1);
    assertThat(second.description().grown().get(0).from()).isEqualTo(first.description().version());
  }

  private Job job(String name, TestEngine engine) {
    return new Job(topic, directory.resolve(engine + name))
        .engine(engine)
        .set("kafka.group.id", group(name, engine))
        .unset("input.features")
        .unset("input.outputs")
        .set("input.bounded", "false")
        .set("input.format", "json")
        .set("input.fields", FEW)
        .set("input.classes", "x;y")
        .set("batch.max-wait", "50 ms");
  }

  /** Only records of known classes are there so far. */
  private static String runPartly(Job job, long atLeast) throws Exception {
    JobClient client = job.faults(SlowSteps.slowerAfter(30)).start();
    job.await(() -> job.taken() >= atLeast);
    String savepoint = job.stop(client, false);
    assertThat(job.taken()).isLessThan(PARTITIONS * BEFORE);
    return savepoint;
  }

  /** Waits for what is read: the last steps are contributed only when the job is drained. */
  private static void learnTheRest(Job job, String group) throws Exception {
    JobClient client = job.faults(FaultInjector.NONE).start();
    job.await(() -> Broker.positions(group, topic).equals(ENDS));
    String unused = job.stop(client, true);
  }

  private static String group(String name, TestEngine engine) {
    return String.join("-", topic, engine.toString(), name);
  }

  /** What is known of a class is as likely as before, whatever a new field says. */
  private static void requireSamePredictions(String savepoint) throws Exception {
    Path place = Path.of(URI.create(savepoint));
    try (Stream<Path> files = Files.list(place)) {
      Path grown =
          files
              .filter(file -> file.getFileName().toString().startsWith("_metadata-grown-"))
              .findFirst()
              .orElseThrow();
      // b, and four places of land; then a, six of land, b, five of host.
      float[] before = predict(savepoint, new float[] {0.5f, 0, 0, 1, 0});
      float[] now =
          predict(grown.toString(), new float[] {9, 0, 0, 1, 0, 0, 0, 0.5f, 0, 0, 1, 0, 0});
      assertThat(now[0]).isLessThan(0.05f);
      float[] known = {now[2] / (now[1] + now[2]), now[1] / (now[1] + now[2])};
      assertThat(known).containsExactly(before, within(1e-6f));
    }
  }

  private static float[] predict(String savepoint, float[] features) throws Exception {
    GlobalModel model =
        new SavedModelReader(SavedStates.open(savepoint), "coordinator", "exchange")
            .read((blocks, ofBlocks, bytes) -> {});
    float[] predictions = new float[model.spec().shape().outputs()];
    try (ModelReplica replica =
        ModelEngine.named(model.spec().engine()).build(model.spec(), DeviceRequest.any())) {
      replica.write(0, model.vector(), 0, model.vector().length);
      replica.predict(Arrays.copyOf(features, model.spec().shape().features()), 1, predictions);
    }
    return predictions;
  }
}
