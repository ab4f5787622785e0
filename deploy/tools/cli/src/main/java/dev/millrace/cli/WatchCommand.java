package dev.millrace.cli;

import dev.millrace.cli.console.CliVersion;
import dev.millrace.cli.console.JobOptionWords;
import dev.millrace.cli.console.JobOptionsCommand;
import dev.millrace.cli.console.RunFailedException;
import dev.millrace.cli.console.StopSignal;
import dev.millrace.cli.run.LivePage;
import dev.millrace.cli.run.TopicWatch;
import dev.millrace.job.options.KafkaOptions;
import dev.millrace.kafka.KafkaCluster;
import dev.millrace.watch.FileWatch;
import dev.millrace.watch.History;
import dev.millrace.watch.StaticPage;
import dev.millrace.watch.WatchServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.flink.configuration.Configuration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Serves the live page of jobs that run elsewhere, or have ended. */
@Command(
    name = "watch",
    header = "Shows how jobs learn, live or afterwards, as a page in a browser.",
    description = {
      "",
      "Reads the metric records of jobs (metrics.file, metrics.topic), and follows them:",
      "  millrace watch --metrics millrace-work/train/metrics.jsonl",
      "A directory has several jobs, whose curves can be compared:",
      "  millrace watch --metrics runs/",
      "  millrace watch --metrics order-metrics --kafka.bootstrap.servers broker:9092",
      "As one file that needs no server:",
      "  millrace watch --metrics runs/ --save runs.html",
      ""
    },
    mixinStandardHelpOptions = true,
    versionProvider = CliVersion.class,
    preprocessor = JobOptionWords.class)
final class WatchCommand extends JobOptionsCommand {

  private static final String LOOPBACK = "127.0.0.1";

  @Option(
      names = "--metrics",
      paramLabel = "PLACE",
      required = true,
      description =
          "A file of metric records, or a directory, in which each *.jsonl is one; with"
              + " --kafka.bootstrap.servers a topic of them.")
  private String metrics;

  @Option(
      names = "--host",
      defaultValue = LOOPBACK,
      description =
          "Address to listen at. Default: ${DEFAULT-VALUE}, this machine alone; others need"
              + " --token-file, or --no-token.")
  private String host;

  @Option(
      names = "--port",
      defaultValue = "0",
      description = "Port to listen at; 0, the default, for any that is free.")
  private int port;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description = "Holds a token that whoever looks has to show, in the address.")
  private Path tokenFile;

  @Option(
      names = "--no-token",
      description = "Answer whoever calls the host localhost, as through a port of a container.")
  private boolean noToken;

  @Option(names = "--open", description = "Opens the page in a browser.")
  private boolean open;

  @Option(
      names = "--save",
      paramLabel = "FILE",
      description = "Writes the page as one file, with what there is now, and ends.")
  private Path save;

  @Override
  public Integer call() throws Exception {
    Optional<KafkaCluster> cluster = cluster();
    if (cluster.isEmpty() && !Files.exists(Path.of(metrics))) {
      throw new RunFailedException(
          "There is nothing at %s; give the metrics.file of a job, or a directory of such files; or for a topic --%s, too"
              .formatted(metrics, KafkaOptions.BOOTSTRAP_SERVERS.key()));
    }
    History history = new History();
    if (save != null) {
      if (cluster.isPresent()) {
        TopicWatch.read(cluster.get(), metrics, history);
      } else {
        FileWatch.read(Path.of(metrics), history);
      }
      StaticPage.write(history, save);
      command().commandLine().getOut().println("The page is in " + save);
      return 0;
    }
    return serve(cluster, history);
  }

  private int serve(Optional<KafkaCluster> cluster, History history) throws Exception {
    Optional<String> token = token();
    if (token.isPresent() && noToken) {
      throw new ParameterException(
          command().commandLine(), "--token-file and --no-token are both given; leave one out");
    }
    if (token.isEmpty() && !noToken && !host.equals(LOOPBACK)) {
      throw new ParameterException(
          command().commandLine(),
          "--host is '%s', and anybody could look; give --token-file, or --no-token, or leave --host out"
              .formatted(host));
    }
    StopSignal interrupt = StopSignal.install();
    AutoCloseable watch =
        cluster.isPresent()
            ? TopicWatch.start(cluster.get(), metrics, history)
            : FileWatch.start(Path.of(metrics), history);
    try (WatchServer server = WatchServer.start(history, host, port, token)) {
      command().commandLine().getOut().println("Live page: " + server.address());
      command().commandLine().getOut().flush();
      if (open) {
        LivePage.open(server.address());
      }
      return interrupt.exitCode().join();
    } finally {
      watch.close();
    }
  }

  private Optional<KafkaCluster> cluster() {
    Configuration options = jobOptions();
    return options.contains(KafkaOptions.BOOTSTRAP_SERVERS)
        ? Optional.of(KafkaOptions.cluster(options))
        : Optional.empty();
  }

  private Optional<String> token() throws IOException {
    if (tokenFile == null) {
      return Optional.empty();
    }
    String token = Files.readString(tokenFile).strip();
    if (!token.matches("[\\w.~-]{8,}")) {
      throw new RunFailedException(
          "The token in %s must be at least 8 letters, digits, points, hyphens and underscores"
              .formatted(tokenFile));
    }
    return Optional.of(token);
  }
}
