package dev.millrace.job.testing;

import dev.millrace.exchange.flink.FaultInjector;
import dev.millrace.job.join.setup.JoinSetup;
import dev.millrace.job.setup.JobKind;
import dev.millrace.job.setup.JobOptions;
import dev.millrace.job.setup.OptionReader;
import dev.millrace.kafka.testing.Broker;
import dev.millrace.kafka.testing.LateLabels;
import dev.millrace.kafka.testing.PutAside;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** A join of a test, from options to the topics that it writes. */
public final class Joining {

  private static final int PARTITIONS = 3;

  private final Path directory;
  private final String features = Broker.topic("features", PARTITIONS);
  private final String labels = Broker.topic("labels", PARTITIONS);
  private final String output = Broker.topic("joined", 2);
  private final String deadLetters = Broker.topic("not-joined", 1);
  private final Map<String, String> options = new TreeMap<>();
  private FaultInjector faults = FaultInjector.NONE;
  private String backend = "rocksdb";
  private String savepoint;
  private int parallelism = 2;

  /** A join of topics that are empty yet, for {@link LateLabels}, which ends with its input. */
  public Joining(Path directory) {
    this.directory = directory;
    set("kafka.bootstrap.servers", Broker.cluster().bootstrapServers());
    set("kafka.group.id", output);
    set("join.features.topics", features);
    set("join.labels.topics", labels);
    set("join.output.topic", output);
    set("dead-letter.topic", deadLetters);
    set("join.within", LateLabels.WITHIN.toMillis() + " ms");
    set("join.out-of-order", LateLabels.OUT_OF_ORDER.toMillis() + " ms");
    set("join.label", "verdict.class");
    set("input.bounded", "true");
    set("execution.checkpointing.interval", "100 ms");
    set("execution.checkpointing.dir", directory.resolve("checkpoints").toUri().toString());
  }

  public static int partitions() {
    return PARTITIONS;
  }

  public Joining set(String key, String value) {
    options.put(key, value);
    return this;
  }

  public Joining faults(FaultInjector injector) {
    faults = injector;
    return this;
  }

  public Joining backend(String name) {
    backend = name;
    return this;
  }

  public Joining parallelism(int tasks) {
    parallelism = tasks;
    return this;
  }

  public Joining from(String savepointPath) {
    savepoint = savepointPath;
    return this;
  }

  public String features() {
    return features;
  }

  public String labels() {
    return labels;
  }

  public String output() {
    return output;
  }

  /** How many late records have been put aside. */
  public long late() {
    return count(PutAside.LATE);
  }

  public long duplicates() {
    return count(PutAside.DUPLICATE);
  }

  /** How many records that can't be joined have been put aside. */
  public long rejected() {
    return count(PutAside.REJECTED);
  }

  /** The topic of what isn't joined, of one partition. */
  public String deadLetters() {
    return deadLetters;
  }

  private long count(PutAside kind) {
    return PutAside.count(Broker.cluster(), deadLetters).get(kind);
  }

  /** Runs to the end of the input. */
  public Joining run() throws Exception {
    environment().execute();
    return this;
  }

  public JobClient start() throws Exception {
    return environment().executeAsync();
  }

  /** Stops a started job with a savepoint, and waits for its end. */
  public String stop(JobClient client) throws Exception {
    return TestEnvironment.stop(
        client, directory.resolve("savepoints"), false, SavepointFormatType.CANONICAL);
  }

  /** Checks options and topics, as every start of the job does. */
  public JoinSetup check() {
    JoinSetup setup =
        new JoinSetup(
            JobOptions.check(
                JobKind.JOINING, OptionReader.configuration(options), new Configuration()));
    setup.checkTopics();
    return setup;
  }

  private StreamExecutionEnvironment environment() throws Exception {
    StreamExecutionEnvironment environment = TestEnvironment.local(parallelism, backend, savepoint);
    check().build(environment, faults);
    return environment;
  }
}
