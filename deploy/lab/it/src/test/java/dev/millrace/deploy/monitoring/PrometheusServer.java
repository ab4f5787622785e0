package dev.millrace.deploy.monitoring;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A real Prometheus on loopback, with the configuration that deploy ships. */
final class PrometheusServer implements AutoCloseable {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration START_LIMIT = Duration.ofMinutes(1);
  private static final int STOP_SECONDS = 10;

  private final HttpClient http = HttpClient.newHttpClient();
  private final Process process;
  private final String address;

  private PrometheusServer(Process process, String address) {
    this.process = process;
    this.address = address;
  }

  /** Starts one that scrapes {@code target} every second, and returns when it answers. */
  static PrometheusServer start(Program program, Path directory, String target) throws IOException {
    Path configuration = Files.createDirectories(directory).resolve("prometheus.yml");
    Files.writeString(
        configuration,
        Files.readString(Monitoring.PROMETHEUS.resolve("prometheus.yml"))
            .replaceAll("(scrape|evaluation)_interval: \\w+", "$1_interval: 1s"));
    Files.copy(Monitoring.PROMETHEUS.resolve("alerts.yml"), directory.resolve("alerts.yml"));
    Files.writeString(
        directory.resolve("targets.json"), "[{\"targets\": [\"%s\"]}]".formatted(target));
    String address = "127.0.0.1:" + freePort();
    PrometheusServer server =
        new PrometheusServer(
            program.start(
                directory.resolve("log"),
                "--config.file=" + configuration,
                "--storage.tsdb.path=" + directory.resolve("data"),
                "--web.listen-address=" + address),
            address);
    await()
        .atMost(START_LIMIT)
        .ignoreExceptions()
        .until(() -> server.get("/-/ready").statusCode() == 200);
    return server;
  }

  /**
   * Asks a query of the present.
   *
   * @return what Prometheus answered: {@code status}, and {@code data.result} or {@code error}
   */
  JsonNode query(String expression) throws IOException, InterruptedException {
    return ask("/api/v1/query?query=" + URLEncoder.encode(expression, StandardCharsets.UTF_8));
  }

  /** The answer to a path of the HTTP API. */
  JsonNode ask(String path) throws IOException, InterruptedException {
    return JSON.readTree(get(path).body());
  }

  private HttpResponse<String> get(String path) throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + address + path)).build();
    return http.send(request, BodyHandlers.ofString());
  }

  @Override
  public void close() {
    process.destroy();
    process.onExit().completeOnTimeout(null, STOP_SECONDS, TimeUnit.SECONDS).join();
    process.destroyForcibly();
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
