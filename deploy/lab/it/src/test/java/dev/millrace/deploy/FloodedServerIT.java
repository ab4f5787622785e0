package dev.millrace.deploy;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.model.ModelVersion;
import dev.millrace.model.testing.Seeds;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A server with a small heap under all that clients and publishers can do to it at once: it tells
 * its health and predicts with the last good model throughout.
 */
@Tag("slow")
class FloodedServerIT {

  private static final Logger LOG = LoggerFactory.getLogger(FloodedServerIT.class);

  private static final int SLOW = 50;
  private static final int BODIES = 40;
  private static final int MALFORMED = 10_000;

  /** What was asked again and again. */
  private static final class Probe {

    private final Thread thread;
    private final List<Long> millis = Collections.synchronizedList(new ArrayList<>());
    private final List<String> others = Collections.synchronizedList(new ArrayList<>());
    private volatile boolean ended;

    /**
     * @param wanted begin of the answer
     */
    Probe(int port, byte[] request, String wanted) {
      thread =
          new Thread(
              () -> {
                while (!ended) {
                  long begun = System.nanoTime();
                  String reply = ask(port, request);
                  millis.add(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun));
                  if (!reply.startsWith(wanted)) {
                    others.add(reply);
                  }
                }
              },
              "probe");
      thread.start();
    }

    void end() throws InterruptedException {
      ended = true;
      thread.join();
    }

    String told() {
      List<Long> sorted = new ArrayList<>(millis);
      Collections.sort(sorted);
      return "%s answers, p50 %s ms, p99 %s ms, longest %s ms, not as wanted: %s"
          .formatted(
              sorted.size(),
              sorted.get(sorted.size() / 2),
              sorted.get(sorted.size() * 99 / 100),
              sorted.get(sorted.size() - 1),
              others.size());
    }
  }

  private static String ask(int port, byte[] request) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(60_000);
      socket.getOutputStream().write(request);
      return new String(socket.getInputStream().readAllBytes(), US_ASCII);
    } catch (IOException e) {
      return e.toString();
    }
  }

  private static byte[] get(String path) {
    return "GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        .formatted(path)
        .getBytes(US_ASCII);
  }

  private static double refused(int port) {
    return ask(port, get("/metrics"))
        .lines()
        .filter(line -> line.startsWith("millrace_serve_refused_models_total "))
        .mapToDouble(line -> Double.parseDouble(line.split(" ", -1)[1]))
        .findFirst()
        .orElse(-1);
  }

  @Test
  void healthAndTheLastGoodModelAnswerThroughout() throws Exception {
    Path directory = Distribution.workDirectory("flooded-server");
    Path models = directory.resolve("models");
    Path output = directory.resolve("output");
    ServeIT.publish(models, new ModelVersion(2, 300));
    Process server = ServeIT.start(directory, models, output, "-Xmx256m", "--health-port", "0");
    try {
      int port = URI.create(ServeIT.address(server, output)).getPort();
      int health = ServeIT.healthPort(server, output);
      await()
          .atMost(Duration.ofMinutes(1))
          .until(() -> ask(health, get("/v2/health/ready")).startsWith("HTTP/1.1 200"));
      Probe live = new Probe(port, get("/v2/health/live"), "HTTP/1.1 200");
      Probe ready = new Probe(health, get("/v2/health/ready"), "HTTP/1.1 200");
      Probe honest = new Probe(port, Flood.request(), "HTTP/1.1 200");
      long seed = Seeds.next();

      try (Flood flood = new Flood(port).slow(SLOW).bodies(BODIES).malformed(MALFORMED, seed)) {
        int round = 300;
        for (BadArchive kind : BadArchive.values()) {
          round++;
          // This kind and those before: a request that fails tells nothing.
          int refused = round - 300;
          kind.publish(models, new ModelVersion(2, round));
          await(kind.name()).atMost(Duration.ofMinutes(2)).until(() -> refused(health) >= refused);
        }
        await()
            .atMost(Duration.ofMinutes(10))
            .until(() -> flood.malformed() >= MALFORMED && flood.bodies() >= BODIES);
        assertThat(ask(health, get("/metrics"))).contains("millrace_serve_model_round 300.0");
        LOG.info("{} bodies, {} malformed requests", flood.bodies(), flood.malformed());
      }
      ServeIT.publish(models, new ModelVersion(2, 400));
      await()
          .atMost(Duration.ofMinutes(2))
          .until(() -> ask(port, Flood.request()).contains("\"model_version\":\"2.400\""));
      live.end();
      ready.end();
      honest.end();

      LOG.info("health, port of requests: {}", live.told());
      LOG.info("health, port of its own: {}", ready.told());
      LOG.info("predictions: {}", honest.told());
      assertThat(live.others).as("seed %d: %s", seed, live.told()).isEmpty();
      assertThat(ready.others).as("seed %d: %s", seed, ready.told()).isEmpty();
      assertThat(honest.others.size()).as(honest.told()).isLessThan(honest.millis.size() / 10 + 1);
    } finally {
      server.destroy();
    }
    assertThat(server.waitFor(1, TimeUnit.MINUTES)).isTrue();
    // A buffer that is given back twice is two connections' at once.
    assertThat(Files.readString(output)).doesNotContain("already released");
  }
}
