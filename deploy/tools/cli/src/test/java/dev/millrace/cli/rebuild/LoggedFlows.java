package dev.millrace.cli.rebuild;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.CommandRun;
import dev.millrace.example.testing.NetworkFlows;
import dev.millrace.job.setup.OptionReader;
import dev.millrace.job.testing.Job;
import dev.millrace.kafka.testing.Broker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;

/**
 * A job on named fields with a training log, which publishes each round's model.
 *
 * @param topic of its records
 * @param config its options in a file, once they are {@linkplain #write written}
 * @param log topic of its log
 */
public record LoggedFlows(Job job, String topic, Path config, String log) {

  /** Produces rows to a topic, as the commands propose it, and makes a job of them. */
  public static LoggedFlows produce(Path directory, int rows, int partitions) throws Exception {
    String topic = Broker.topic(partitions);
    String log = "log-" + UUID.randomUUID();
    Path table = directory.resolve("flows.csv");
    Path config = directory.resolve("train.yaml");
    new NetworkFlows(7).write(table, rows, true);
    run(
        "describe",
        "--data",
        table,
        "--output",
        config,
        "--kafka.bootstrap.servers",
        Broker.cluster().bootstrapServers(),
        "--input.topics",
        topic);
    run("produce", "--data", "csv:" + table, "--config", config);
    Job job = new Job(topic, directory).parallelism(partitions);
    List.of("input.features", "input.outputs", "input.format", "model.hidden").forEach(job::unset);
    OptionReader.read(List.of("--config", config.toString())).toMap().forEach(job::set);
    job.set("rebuild.log", log).set("snapshot.rounds", "1").set("snapshot.keep", "1000");
    return new LoggedFlows(job, topic, config, log);
  }

  private static void run(Object... words) {
    CommandRun run = new CommandRun();
    assertThat(run.execute(words)).as(run.err.toString()).isZero();
  }

  /** Writes the job's options, for commands. */
  public void write() throws IOException {
    StringBuilder all = new StringBuilder();
    job.options().toMap().forEach((key, value) -> all.append(key).append(": '" + value + "'\n"));
    Files.writeString(config, all);
  }
}
