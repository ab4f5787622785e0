package dev.millrace.job.testing;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.exchange.flink.FaultInjector;
import dev.millrace.job.setup.JobCheck;
import dev.millrace.job.setup.JobKind;
import dev.millrace.job.setup.JobSetup;
import dev.millrace.job.setup.OptionReader;
import dev.millrace.kafka.testing.Broker;
import dev.millrace.model.ArchivedModel;
import dev.millrace.model.ModelEngine;
import dev.millrace.snapshot.LatestSnapshot;
import dev.millrace.snapshot.SnapshotDescription;
import dev.millrace.snapshot.testing.LedgerCheck;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.awaitility.Awaitility;

/** A training job of a test, from options to the model that it leaves. */
public final class Job {

  /** For a slow machine, too: what takes so long hangs. */
  public static final Duration LIMIT = Duration.ofMinutes(3);

  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path directory;
  private final Map<String, String> options = new TreeMap<>();
  private final Configuration flink = new Configuration();
  private TestEngine engine = TestEngine.DL4J;
  private int parallelism = 2;
  private int restarts = 100;
  private String backend = "hashmap";
  private FaultInjector faults = FaultInjector.NONE;
  private boolean handsOver = true;
  private String savepoint;
  private boolean clientSeesIt = true;

  /** Metric records so far, by their type, and how many bytes of the file these are. */
  private final Map<String, List<JsonNode>> metrics = new TreeMap<>();

  private long metricsRead;

  /** Of the job that was started last. */
  private CompletableFuture<?> end = new CompletableFuture<>();

  private List<String> warnings = List.of();

  /** A job that learns {@link Blobs} from a topic, and writes what it makes below a directory. */
  public Job(String topic, Path directory) {
    this.directory = directory;
    set("kafka.bootstrap.servers", Broker.cluster().bootstrapServers());
    set("kafka.group.id", topic);
    set("input.topics", topic);
    set("input.format", "float32");
    set("input.features", "8");
    set("input.outputs", "3");
    set("input.bounded", "true");
    set("model.name", "mlp");
    set("model.hidden", "16");
    // Of one replica; several make as many steps of the job in one of their own.
    set("batch.size", "8");
    set("batch.local-size", "8");
    set("exchange.learning-rate-scaling", "none");
    set("batch.max-wait", "1 h");
    set("exchange.round-timeout", "1 h");
    set("exchange.block-size", "1 kb");
    set("execution.checkpointing.interval", "50 ms");
    set("execution.checkpointing.dir", directory.resolve("checkpoints").toUri().toString());
    set("snapshot.directory", directory.resolve("models").toString());
    set("snapshot.interval", "0 s");
    set("metrics.file", directory.resolve("metrics.jsonl").toString());
    set("metrics.interval", "50 ms");
  }

  public Job set(String key, String value) {
    options.put(key, value);
    return this;
  }

  public Job engine(TestEngine name) {
    engine = name;
    return set("model.engine", name.option());
  }

  /** Sets a key of Flink's configuration. */
  public Job flink(String key, String value) {
    flink.setString(key, value);
    return this;
  }

  public Job unset(String key) {
    options.remove(key);
    return this;
  }

  public Job parallelism(int replicas) {
    parallelism = replicas;
    return this;
  }

  public Job backend(String name) {
    backend = name;
    return this;
  }

  public Job restarts(int attempts) {
    restarts = attempts;
    return this;
  }

  /** Has parts of a process hand models to each other in memory, or through Flink's network. */
  public Job handsOver(boolean inMemory) {
    handsOver = inMemory;
    return this;
  }

  public Job faults(FaultInjector injector) {
    faults = injector;
    return this;
  }

  public Job from(String savepointPath) {
    savepoint = savepointPath;
    return this;
  }

  /** As {@link #from}, where the client can't read the savepoint. */
  public Job fromUnseen(String savepointPath) {
    clientSeesIt = false;
    return from(savepointPath);
  }

  /** Runs to the end of the input. */
  public Job run() throws Exception {
    environment().execute();
    return this;
  }

  public JobClient start() throws Exception {
    JobClient client = environment().executeAsync();
    end = client.getJobExecutionResult();
    return client;
  }

  /** Waits until a condition is met; throws the cause if the job fails for good before. */
  public void await(Callable<Boolean> condition) {
    Awaitility.await()
        .atMost(LIMIT)
        .until(
            () -> {
              if (end.isCompletedExceptionally()) {
                end.get();
              }
              return condition.call();
            });
  }

  /**
   * Stops a started job with a savepoint, and waits for its end.
   *
   * @param drain whether it is to learn all that it has taken in
   * @return path of the savepoint
   */
  public String stop(JobClient client, boolean drain) throws Exception {
    return stop(client, drain, SavepointFormatType.CANONICAL);
  }

  /** As {@link #stop(JobClient, boolean)}, with a savepoint of either format. */
  public String stop(JobClient client, boolean drain, SavepointFormatType format) throws Exception {
    return TestEnvironment.stop(client, directory.resolve("savepoints"), drain, format);
  }

  /** Cancels a started job, and waits for its end. */
  public void cancel(JobClient client) throws Exception {
    client.cancel().get(LIMIT.toMinutes(), TimeUnit.MINUTES);
    assertThat(client.getJobExecutionResult()).failsWithin(LIMIT);
  }

  /** Looks at all that is looked at before a submission, savepoint included. */
  public JobCheck looked() {
    Configuration cluster = new Configuration(flink);
    if (savepoint != null) {
      cluster.set(StateRecoveryOptions.SAVEPOINT_PATH, savepoint);
    }
    return JobCheck.of(OptionReader.configuration(options), cluster, List.of());
  }

  /** Returns what the last start told. */
  public List<String> warnings() {
    return warnings;
  }

  /** Returns what is set, as a file of options has it. */
  public Configuration options() {
    return OptionReader.configuration(options);
  }

  /** Checks options, model and topics, as every start of the job does. */
  public JobSetup check() {
    return JobSetup.of(JobKind.TRAINING, OptionReader.configuration(options), flink);
  }

  private StreamExecutionEnvironment environment() throws Exception {
    StreamExecutionEnvironment environment =
        TestEnvironment.local(parallelism, backend, clientSeesIt ? savepoint : null, restarts);
    environment.configure(flink);
    JobSetup setup =
        JobSetup.of(
            JobKind.TRAINING, OptionReader.configuration(options), environment.getConfiguration());
    setup.build(environment, new Faults(faults, handsOver));
    warnings = setup.warnings();
    if (!clientSeesIt) {
      environment.configure(
          new Configuration().set(StateRecoveryOptions.SAVEPOINT_PATH, savepoint));
    }
    return environment;
  }

  /** All metric records of a type so far. */
  public List<JsonNode> metrics(String type) throws IOException {
    Path file = directory.resolve("metrics.jsonl");
    if (Files.exists(file)) {
      try (RandomAccessFile metrics = new RandomAccessFile(file.toFile(), "r")) {
        metrics.seek(metricsRead);
        byte[] more = new byte[(int) (metrics.length() - metricsRead)];
        metrics.readFully(more);
        String lines = new String(more, StandardCharsets.UTF_8);
        // The last one may not be whole yet.
        String whole = lines.substring(0, lines.lastIndexOf('\n') + 1);
        for (String line : whole.lines().toList()) {
          keep(line);
        }
        metricsRead += whole.getBytes(StandardCharsets.UTF_8).length;
      }
    }
    return List.copyOf(metrics.getOrDefault(type, List.of()));
  }

  private void keep(String line) throws IOException {
    JsonNode record = JSON.readTree(line);
    metrics.computeIfAbsent(record.get("type").asText(), any -> new ArrayList<>()).add(record);
  }

  /** Records that the newest report says are learned or rejected. */
  public long taken() throws IOException {
    List<JsonNode> reports = metrics("progress");
    if (reports.isEmpty()) {
      return 0;
    }
    JsonNode newest = reports.get(reports.size() - 1);
    return newest.get("examples").asLong() + newest.get("rejected").asLong();
  }

  /** The description of the newest model. */
  public SnapshotDescription description() throws IOException {
    return LatestSnapshot.find(models()).orElseThrow().description();
  }

  /** The newest model, as its engine reads it. */
  public ArchivedModel trained() throws IOException {
    return ModelEngine.named(description().engine()).readArchive(archive());
  }

  /** Of the newest model. */
  public float[] parameters() throws IOException {
    ArchivedModel model = trained();
    return Arrays.copyOf(model.vector(), model.parameters());
  }

  /** The newest model, as its engine's library reads it. */
  public PlainNetwork plain() throws IOException {
    return engine.open(archive());
  }

  /** The network as the job begins with it, as its engine's library reads it. */
  public PlainNetwork plainInitial() throws IOException {
    Files.createDirectories(directory);
    return engine.open(
        TestModels.write(engine, check().initialModel(), directory.resolve("initial.zip")));
  }

  private Path archive() throws IOException {
    return LatestSnapshot.find(models()).orElseThrow().archive();
  }

  public Path models() {
    return directory.resolve("models");
  }

  /**
   * Asserts that the model has taken the first {@code counts[p]} records of each partition p
   * exactly once, learned or rejected.
   */
  public void assertTookAll(String topic, long... counts) throws IOException {
    LedgerCheck.requireAll(description(), topic, counts);
  }

  private record Faults(FaultInjector injector, boolean handsOver) implements FaultInjector {

    @Override
    public void reach(Place place, int subtask) {
      injector.reach(place, subtask);
    }
  }
}
