package dev.millrace.job.benchmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.example.Example;
import dev.millrace.example.ExampleFormat;
import dev.millrace.example.FormatSettings;
import dev.millrace.file.DataSpec;
import dev.millrace.file.ExampleSequence;
import dev.millrace.job.testing.Scoring;
import dev.millrace.job.testing.TellingModels;
import dev.millrace.kafka.KafkaCluster;
import dev.millrace.kafka.testing.Broker;
import dev.millrace.kafka.testing.Predictions;
import dev.millrace.kafka.testing.Predictions.One;
import dev.millrace.kafka.topic.ExampleProducer;
import dev.millrace.kafka.topic.Rate;
import dev.millrace.model.GlobalModel;
import dev.millrace.model.InitialModel;
import dev.millrace.model.Ledger;
import dev.millrace.model.Lineage;
import dev.millrace.model.Measures;
import dev.millrace.model.ModelDefinition;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.device.DeviceRequest;
import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.apache.flink.core.execution.JobClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Predictions a second from a topic that is full, beside the engine alone, and how long each takes
 * at half of that rate: two scorers, batches of up to 64, at least once. Producer, broker and
 * scorers share the machine.
 */
class ScoringBenchmark {

  private static final int SECONDS = 30;
  private static final int BATCH = 64;
  private static final Duration LIMIT = Duration.ofMinutes(5);

  @TempDir Path directory;

  @Test
  void lenet() throws Exception {
    List<Example> digits = new ArrayList<>();
    try (ExampleSequence sequence = DataSpec.parse("digits:2000").open().training()) {
      Example example = new Example(sequence.shape());
      while (sequence.next(example)) {
        digits.add(example.copy());
      }
    }
    measure("LeNet, uint8", "lenet", List.of(), "uint8", digits, 100_000);
  }

  @Test
  void mlp() throws Exception {
    ExampleShape shape = new ExampleShape(54, 7, Target.CLASSIFICATION);
    Random random = new Random(1);
    List<Example> rows = new ArrayList<>();
    for (int i = 0; i < 2000; i++) {
      Example example = new Example(shape);
      for (int f = 0; f < shape.features(); f++) {
        example.features()[f] = (float) random.nextGaussian();
      }
      rows.add(example);
    }
    measure("MLP 54-64-32-7, float32", "mlp", List.of(64, 32), "float32", rows, 2_000_000);
  }

  private void measure(
      String what,
      String network,
      List<Integer> hidden,
      String format,
      List<Example> examples,
      int count)
      throws Exception {
    ExampleShape shape = examples.get(0).shape();
    ModelEngine engine = ModelEngine.named("dl4j");
    InitialModel model =
        engine.define(
            new ModelDefinition.BuiltIn(network, shape, hidden, List.of(), "sgd", 0.1, 0.9, 0, 1));
    String full = Broker.topic(2);
    Scoring scoring = scoring(full, shape, format, "full");
    TellingModels.publish(scoring.models(), version(model, 1));
    try (ExampleProducer producer = producer(full, format, shape)) {
      producer.send(new Cycle(examples), Rate.unlimited(), count, sent -> {});
    }
    double rate = rate(scoring, count);
    double limit = limit(engine, model, examples);
    System.out.printf(
        "%s: %,.0f predictions/s, %.2f of two bare networks, which make %,.0f%n",
        what, rate, rate / limit, limit);
    for (boolean swapping : List.of(false, true)) {
      List<Long> latencies = latencies(shape, format, examples, model, rate / 2, swapping);
      System.out.printf(
          "%s, at %,.0f/s, %s: p50 %d ms, p99 %d ms, greatest %d ms%n",
          what,
          rate / 2,
          swapping ? "a new model each second" : "one model",
          latencies.get(latencies.size() / 2),
          latencies.get(latencies.size() * 99 / 100),
          latencies.get(latencies.size() - 1));
    }
    assertThat(rate).isPositive();
  }

  /** Predictions a second of two networks with a thread each, in batches as the job's. */
  private static double limit(ModelEngine engine, InitialModel model, List<Example> examples) {
    return Stream.generate(
            () -> CompletableFuture.supplyAsync(() -> alone(engine, model, examples)))
        .limit(2)
        .toList()
        .stream()
        .mapToDouble(CompletableFuture::join)
        .sum();
  }

  private static double alone(ModelEngine engine, InitialModel model, List<Example> examples) {
    int columns = model.spec().shape().features();
    float[] features = new float[BATCH * columns];
    for (int row = 0; row < BATCH; row++) {
      System.arraycopy(examples.get(row).features(), 0, features, row * columns, columns);
    }
    float[] outputs = new float[BATCH * model.spec().shape().labels()];
    try (ModelReplica replica = engine.build(model.spec(), DeviceRequest.any())) {
      replica.write(0, model.vector(), 0, model.vector().length);
      long start = System.nanoTime();
      long counted = 0;
      long from = start;
      long now = start;
      while (now - start < SECONDS * 1_000_000_000L / 2) {
        replica.predict(features, BATCH, outputs);
        now = System.nanoTime();
        if (now - start < SECONDS * 1_000_000_000L / 10) {
          from = now;
        } else {
          counted += BATCH;
        }
      }
      return counted * 1e9 / (now - from);
    }
  }

  /** In ascending order, those of the first ten seconds left out. */
  private List<Long> latencies(
      ExampleShape shape,
      String format,
      List<Example> examples,
      InitialModel model,
      double rate,
      boolean swapping)
      throws Exception {
    String topic = Broker.topic(2);
    Scoring scoring =
        scoring(topic, shape, format, swapping ? "swapping" : "paced")
            .set("input.bounded", "false");
    TellingModels.publish(scoring.models(), version(model, 1));
    JobClient client = scoring.start();
    AtomicBoolean ended = new AtomicBoolean();
    CompletableFuture<Void> publishing =
        CompletableFuture.runAsync(() -> publishUntil(ended, scoring.models(), model, swapping));
    int count = (int) (rate * SECONDS);
    try (ExampleProducer producer = producer(topic, format, shape)) {
      producer.send(new Cycle(examples), Rate.perSecond(rate), count, sent -> {});
    }
    List<One> predictions = read(scoring, count);
    ended.set(true);
    publishing.join();
    client.cancel().get();
    return predictions.subList(predictions.size() / 3, predictions.size()).stream()
        .map(prediction -> prediction.value().get("latency_ms").asLong())
        .sorted()
        .toList();
  }

  private static void publishUntil(
      AtomicBoolean ended, Path models, InitialModel model, boolean swapping) {
    try {
      for (long round = 2; swapping && !ended.get(); round++) {
        TellingModels.publish(models, version(model, round));
        LockSupport.parkNanos(Duration.ofSeconds(1).toNanos());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Scoring scoring(String topic, ExampleShape shape, String format, String name) {
    return new Scoring(topic, directory.resolve(name))
        .set("input.format", format)
        .set("input.features", Integer.toString(shape.features()))
        .set("input.outputs", Integer.toString(shape.outputs()))
        .set("input.target", shape.target().toString())
        .set("scoring.batch-size", Integer.toString(BATCH))
        .set("execution.checkpointing.interval", "5 s");
  }

  /** Records get their time when they are sent, and are sent at once. */
  private static ExampleProducer producer(String topic, String format, ExampleShape shape) {
    KafkaCluster cluster =
        new KafkaCluster(Broker.cluster().bootstrapServers(), Map.of("linger.ms", "0"));
    return ExampleProducer.open(
        cluster, topic, ExampleFormat.unlabelled(format, shape, FormatSettings.defaults()));
  }

  private static List<One> read(Scoring scoring, int count) throws IOException {
    try (Predictions predictions = new Predictions(Broker.cluster(), scoring.output(), 2)) {
      await().atMost(LIMIT).until(() -> predictions.read().size() >= count);
      return predictions.read().stream()
          .sorted((a, b) -> Long.compare(a.written(), b.written()))
          .toList();
    }
  }

  /**
   * Predictions a second of the second half, when compilers and libraries have got going. Nobody
   * reads them meanwhile.
   */
  private static double rate(Scoring scoring, int count) throws Exception {
    try (Predictions predictions = new Predictions(Broker.cluster(), scoring.output(), 2)) {
      JobClient client = scoring.start();
      await().atMost(LIMIT).until(() -> predictions.count() >= count / 2);
      long before = predictions.count();
      long from = System.nanoTime();
      await().atMost(LIMIT).until(() -> predictions.count() >= count);
      double rate = (predictions.count() - before) * 1e9 / (System.nanoTime() - from);
      client.getJobExecutionResult().get();
      return rate;
    }
  }

  private static GlobalModel version(InitialModel model, long round) {
    return new GlobalModel(
        model.spec(),
        new ModelVersion(0, round),
        round,
        model.vector(),
        new FeatureStatistics(0),
        new Ledger(),
        Measures.NONE,
        Lineage.NONE);
  }

  /** Gives the same examples again and again. */
  private static final class Cycle implements ExampleSequence {

    private final List<Example> examples;
    private int next;

    Cycle(List<Example> examples) {
      this.examples = examples;
    }

    @Override
    public ExampleShape shape() {
      return examples.get(0).shape();
    }

    @Override
    public long count() {
      return UNKNOWN;
    }

    @Override
    public boolean next(Example into) {
      into.set(examples.get(next++ % examples.size()));
      return true;
    }

    @Override
    public void close() {}
  }
}
