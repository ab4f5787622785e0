package dev.millrace.job.testing;

import dev.millrace.exchange.flink.FaultInjector;
import dev.millrace.job.score.setup.ScoringSetup;
import dev.millrace.job.setup.JobKind;
import dev.millrace.job.setup.JobOptions;
import dev.millrace.job.setup.OptionReader;
import dev.millrace.kafka.testing.Broker;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** A scoring job of a test, from options to the topic that it writes. */
public final class Scoring {

  private final Path directory;
  private final String output = Broker.topic(2);
  private final Map<String, String> options = new TreeMap<>();
  private FaultInjector faults = FaultInjector.NONE;
  private String savepoint;
  private int parallelism = 2;

  /** A job that predicts for a topic with {@link TellingModels}, published below a directory. */
  public Scoring(String topic, Path directory) {
    this.directory = directory;
    set("kafka.bootstrap.servers", Broker.cluster().bootstrapServers());
    set("kafka.group.id", topic);
    set("input.format", "json");
    set("input.features", "1");
    set("input.outputs", "2");
    set("input.target", "regression");
    set("scoring.topics", topic);
    set("scoring.output-topic", output);
    set("scoring.models", models().toString());
    set("scoring.batch-size", "8");
    set("input.bounded", "true");
    set("execution.checkpointing.interval", "50 ms");
    set("execution.checkpointing.dir", directory.resolve("checkpoints").toUri().toString());
  }

  public Scoring set(String key, String value) {
    options.put(key, value);
    return this;
  }

  public Scoring unset(String key) {
    options.remove(key);
    return this;
  }

  public Scoring faults(FaultInjector injector) {
    faults = injector;
    return this;
  }

  public Scoring parallelism(int scorers) {
    parallelism = scorers;
    return this;
  }

  public Scoring from(String savepointPath) {
    savepoint = savepointPath;
    return this;
  }

  /** Where models are published. */
  public Path models() {
    return directory.resolve("models");
  }

  /** The topic of predictions, of two partitions. */
  public String output() {
    return output;
  }

  /** Runs to the end of the input. */
  public Scoring run() throws Exception {
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
  public ScoringSetup check() {
    ScoringSetup setup =
        new ScoringSetup(
            JobOptions.check(
                JobKind.SCORING, OptionReader.configuration(options), new Configuration()));
    setup.check();
    return setup;
  }

  private StreamExecutionEnvironment environment() throws Exception {
    StreamExecutionEnvironment environment =
        TestEnvironment.local(parallelism, "hashmap", savepoint);
    check().build(environment, faults);
    return environment;
  }
}
