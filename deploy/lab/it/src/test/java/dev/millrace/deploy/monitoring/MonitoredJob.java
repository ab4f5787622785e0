package dev.millrace.deploy.monitoring;

import dev.millrace.job.TrainingJob;
import dev.millrace.job.setup.OptionReader;
import dev.millrace.kafka.testing.Broker;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.metrics.prometheus.PrometheusReporterFactory;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * A job that trains with two replicas and scores, a real broker, and Flink's reporter for
 * Prometheus.
 */
final class MonitoredJob implements AutoCloseable {

  /** Floats of the model below: 4 features, 16 hidden, 2 outputs, each with Adam's two moments. */
  static final int EXCHANGED = 3 * (4 * 16 + 16 + 16 * 2 + 2);

  private static final int REPLICAS = 2;
  private static final Duration LIMIT = Duration.ofMinutes(1);

  private final Feed feed;
  private final JobClient job;
  private final int port;

  private MonitoredJob(Feed feed, JobClient job, int port) {
    this.feed = feed;
    this.job = job;
    this.port = port;
  }

  /** Starts feed and job; all that the job writes goes below {@code directory}. */
  static MonitoredJob start(Path directory) throws Exception {
    String servers = Broker.cluster().bootstrapServers();
    String topic = Broker.topic("monitored", REPLICAS);
    String predictions = Broker.topic("predictions", REPLICAS);
    Feed feed = Feed.start(servers, topic);
    int port = freePort();
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.createLocalEnvironment(REPLICAS, cluster(port));
    TrainingJob.build(
        environment, OptionReader.configuration(options(servers, topic, predictions, directory)));
    return new MonitoredJob(feed, environment.executeAsync("Millrace"), port);
  }

  private static Configuration cluster(int port) {
    Configuration cluster = new Configuration();
    cluster.set(RestOptions.BIND_ADDRESS, "localhost");
    String reporter = "metrics.reporter.prom.";
    cluster.setString(reporter + "factory.class", PrometheusReporterFactory.class.getName());
    cluster.setString(reporter + "port", Integer.toString(port));
    return cluster;
  }

  private static Map<String, String> options(
      String servers, String topic, String predictions, Path directory) {
    Map<String, String> options = new TreeMap<>();
    options.put("kafka.bootstrap.servers", servers);
    options.put("input.topics", topic);
    options.put("input.format", Feed.FORMAT);
    options.put("input.features", Integer.toString(Feed.SHAPE.features()));
    options.put("input.outputs", Integer.toString(Feed.SHAPE.outputs()));
    options.put("model.name", "mlp");
    options.put("model.hidden", "16");
    options.put("batch.size", "8");
    options.put("replay.size", "100");
    options.put("drift.detector", "adwin");
    // A false alarm would fire for ten minutes.
    options.put("drift.confidence", "1e-12");
    options.put("execution.checkpointing.interval", "200 ms");
    options.put("execution.checkpointing.dir", directory.resolve("checkpoints").toUri().toString());
    options.put("snapshot.directory", directory.resolve("models").toString());
    options.put("snapshot.interval", "1 s");
    options.put("scoring.topics", topic);
    options.put("scoring.output-topic", predictions);
    return options;
  }

  /** Where it can be scraped, as host and port. */
  String target() {
    return "127.0.0.1:" + port;
  }

  Scrape scrape() throws IOException, InterruptedException {
    return Scrape.of(target());
  }

  @Override
  public void close() {
    try {
      job.cancel().orTimeout(LIMIT.toSeconds(), TimeUnit.SECONDS).join();
      // Until its tasks have ended they write models, where the test deletes its directory next.
      job.getJobExecutionResult()
          .handle((result, cancelled) -> result)
          .orTimeout(LIMIT.toSeconds(), TimeUnit.SECONDS)
          .join();
    } finally {
      feed.close();
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
