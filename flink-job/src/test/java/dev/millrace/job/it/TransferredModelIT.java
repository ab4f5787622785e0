package dev.millrace.job.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.exchange.flink.FaultInjector;
import dev.millrace.exchange.savepoint.SavedModelReader;
import dev.millrace.exchange.savepoint.SavedStates;
import dev.millrace.job.testing.EachEngine;
import dev.millrace.job.testing.Job;
import dev.millrace.job.testing.SeededFaults;
import dev.millrace.job.testing.TestEngine;
import dev.millrace.kafka.testing.Broker;
import dev.millrace.model.GlobalModel;
import dev.millrace.model.LayerDescription;
import dev.millrace.model.Lineage;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.testing.Seeds;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.flink.core.execution.JobClient;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/**
 * A job that takes over the inner layers of a model, and learns other classes with a new last one.
 */
@Tag("slow")
class TransferredModelIT {

  private static final int PARTITIONS = 3;
  private static final int PER_PARTITION = 400;

  /** Of 50 rounds. */
  private static final int FAULTS = 2;

  private static final Map<Integer, Long> ENDS =
      Map.of(0, (long) PER_PARTITION, 1, (long) PER_PARTITION, 2, (long) PER_PARTITION);

  private String old;
  private String other;

  @TempDir Path directory;

  /** What is to be read of each partition. */
  private Map<Integer, Long> ends = ENDS;

  /** A test adds records of its own. */
  @BeforeEach
  void produce() throws Exception {
    old = produce(List.of("x", "y"));
    other = produce(List.of("p", "q", "r"));
  }

  private static String produce(List<String> kinds) throws Exception {
    String topic = Broker.topic(PARTITIONS);
    Random random = new Random(7);
    for (int partition = 0; partition < PARTITIONS; partition++) {
      List<byte[]> records = new ArrayList<>();
      for (int i = 0; i < PER_PARTITION; i++) {
        int kind = random.nextInt(kinds.size());
        records.add(
            "{\"a\":%s,\"b\":%s,\"kind\":\"%s\"}"
                .formatted(
                    kind + random.nextGaussian(), 2 * kind - random.nextGaussian(), kinds.get(kind))
                .getBytes(UTF_8));
      }
      Broker.produce(topic, partition, records);
    }
    return topic;
  }

  /** Replicas fail on the way, and are more, then fewer; a layer learns again in the end. */
  @EachEngine
  void fromASavepoint(TestEngine engine) throws Exception {
    Job job = job("one", engine, old).set("input.classes", "x;y").parallelism(2);
    String first = learnAll(job, "one", engine, old, false);
    GlobalModel before = read(first);
    List<LayerDescription> layers = layers(before.spec());
    job.from(first).set("input.topics", other).set("input.classes", "p;q;r");
    assertThatThrownBy(job::start)
        .hasMessageContainingAll(
            first, "\"x\", \"y\"", "model.replace-output: true", "model.grow: true");
    job.set("model.replace-output", "true").set("model.freeze", "dense;all-but-output");
    assertThatThrownBy(job::start)
        .hasMessageContainingAll("no layer 'dense'", layers.get(0).name(), "all-but-output");
    job.set("model.freeze", "all-but-output");
    assertThat(job.looked().problems()).isEmpty();
    assertThat(job.looked().warnings())
        .anyMatch(line -> line.contains("gets a new last layer, for the classes \"p\", \"q\""));

    long seed = Seeds.next();
    SeededFaults faults = new SeededFaults(seed, FAULTS, 8);
    job.parallelism(3).restarts(10).faults(faults);
    String second = learnAll(job, "one", engine, other, false);
    GlobalModel after = read(second);
    assertThat(faults.thrown()).as("seed %s", seed).isEqualTo(FAULTS);
    for (LayerDescription layer : layers.subList(0, 2)) {
      assertThat(of(layer, after.vector())).isEqualTo(of(layer, before.vector()));
    }
    requireReplaced(job, layers, read(first));

    job.from(second)
        .faults(FaultInjector.NONE)
        .parallelism(2)
        .set("input.topics", old + ";" + other)
        .set("model.freeze", layers.get(0).name());
    assertThat(job.looked().warnings())
        .anyMatch(line -> line.contains("was 'all-but-output' in the savepoint"))
        .noneMatch(line -> line.contains("new last layer"));
    Broker.produce(other, 0, List.of("{\"a\":1,\"b\":2,\"kind\":\"r\"}".getBytes(UTF_8)));
    ends = new HashMap<>(ENDS);
    ends.put(0, PER_PARTITION + 1L);
    String unused = learnAll(job, "one", engine, other, true);

    float[] end = job.parameters();
    assertThat(of(layers.get(0), end)).isEqualTo(of(layers.get(0), before.vector()));
    assertThat(of(layers.get(1), end)).isNotEqualTo(of(layers.get(1), before.vector()));
    assertThat(job.description().grown()).hasSize(1);
    assertThat(job.description().configuration())
        .containsEntry("model.freeze", layers.get(0).name());
    job.assertTookAll(old, PER_PARTITION, PER_PARTITION, PER_PARTITION);
    job.assertTookAll(other, PER_PARTITION + 1, PER_PARTITION, PER_PARTITION);
  }

  @EachEngine
  void fromAnArchive(TestEngine engine) throws Exception {
    Job first = job("first", engine, old).set("input.classes", "x;y");
    String unused = learnAll(first, "first", engine, old, true);
    List<LayerDescription> layers = layers(read(unused).spec());
    float[] before = first.parameters();
    Job second =
        job("second", engine, other)
            .unset("model.name")
            .unset("model.hidden")
            .unset("model.updater")
            .set("model.archive", first.models().toString())
            .set("input.classes", "p;q;r")
            .parallelism(3);
    assertThatThrownBy(second::check)
        .hasMessageContainingAll("\"x\", \"y\"", "model.replace-output: true", "model.grow: true");
    second.set("model.replace-output", "true").set("model.freeze", "all-but-output");
    assertThat(second.check().warnings())
        .anyMatch(line -> line.contains("The archive's model gets a new last layer"));

    unused = learnAll(second, "second", engine, other, true);

    for (LayerDescription layer : layers.subList(0, 2)) {
      assertThat(of(layer, second.parameters())).isEqualTo(of(layer, before));
    }
    second.assertTookAll(other, PER_PARTITION, PER_PARTITION, PER_PARTITION);
    requireReplaced(second, layers, null);
    assertThat(second.description().grown().get(0).from()).isEqualTo(first.description().version());
  }

  private static void requireReplaced(Job job, List<LayerDescription> layers, GlobalModel orNull)
      throws Exception {
    Lineage.Grown once = job.description().grown().get(0);
    assertThat(job.description().grown()).hasSize(1);
    assertThat(once.replaced()).isEqualTo(layers.get(2).name());
    assertThat(once.outputs()).containsExactly("p", "q", "r");
    assertThat(once.fields()).isEmpty();
    if (orNull != null) {
      assertThat(once.from()).isEqualTo(orNull.version());
    }
  }

  private Job job(String name, TestEngine engine, String topic) {
    return new Job(topic, directory.resolve(engine + name))
        .engine(engine)
        .set("kafka.group.id", group(name, engine))
        .set("model.hidden", "16;8")
        .set("model.updater", "nesterovs")
        .unset("input.features")
        .unset("input.outputs")
        .set("input.bounded", "false")
        .set("input.format", "json")
        .set(
            "input.fields",
            """
            [{"path": "a", "kind": "number"},
             {"path": "b", "kind": "number"},
             {"path": "kind", "role": "label"}]
            """)
        .set("batch.max-wait", "50 ms")
        // A replica whose partitions are empty sooner than another's holds no round up.
        .set("exchange.round-timeout", "1 s");
  }

  private String learnAll(Job job, String name, TestEngine engine, String topic, boolean drain)
      throws Exception {
    JobClient client = job.start();
    job.await(() -> Broker.positions(group(name, engine), topic).equals(ends));
    return job.stop(client, drain);
  }

  private String group(String name, TestEngine engine) {
    return String.join("-", old, engine.toString(), name);
  }

  private static GlobalModel read(String savepoint) throws Exception {
    return new SavedModelReader(SavedStates.open(savepoint), "coordinator", "exchange")
        .read((blocks, ofBlocks, bytes) -> {});
  }

  private static List<LayerDescription> layers(ModelSpec spec) {
    return ModelEngine.named(spec.engine()).describe(spec.kind(), spec.configuration());
  }

  private static float[] of(LayerDescription layer, float[] vector) {
    return Arrays.copyOfRange(vector, layer.parameters().from(), layer.parameters().to());
  }
}
