package dev.millrace.serve;

import static dev.millrace.serve.ServerUnderTest.PATIENCE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.millrace.job.serve.Batching;
import dev.millrace.job.serve.Endpoint;
import dev.millrace.job.serve.Limits;
import dev.millrace.job.testing.TellingModels;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.eclipse.jetty.client.BytesRequestContent;
import org.eclipse.jetty.client.Request;
import org.eclipse.jetty.http.HttpMethod;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LimitsTest {

  private static final String BODY = ServerUnderTest.features(1, 1, 5);
  private static final Duration LONG = Duration.ofHours(1);

  @TempDir private Path directory;

  @BeforeEach
  void publish() throws IOException {
    TellingModels.publish(directory, 1);
  }

  @Test
  void aBodyThatIsTooLongIs413WhetherOrNotItsLengthIsTold() throws Exception {
    Limits limits = new Limits(200, 10, PATIENCE, 100, Duration.ZERO);
    byte[] body = (" ".repeat(200) + BODY).getBytes(UTF_8);
    try (ServerUnderTest server =
        ServerUnderTest.start(directory, ServerUnderTest.BATCHING, limits).ready()) {
      for (boolean told : new boolean[] {true, false}) {
        Reply reply =
            answer(
                () ->
                    Caller.send(
                        server
                            .request("/v2/models/model/infer")
                            .method(HttpMethod.POST)
                            .body(content(body, told))));

        assertThat(reply.status()).as(reply.body()).isEqualTo(413);
        assertThat(reply.error()).contains("more than 200 bytes");
      }
      assertThat(server.infer(BODY).status()).isEqualTo(200);
    }
  }

  private static Request.Content content(byte[] body, boolean told) {
    return new BytesRequestContent(Api.JSON, body) {
      @Override
      public long getLength() {
        return told ? super.getLength() : -1;
      }
    };
  }

  /** Asks until there is an answer: a connection that is cut while its client writes has none. */
  private static Reply answer(Callable<Reply> request) {
    return await()
        .atMost(PATIENCE)
        .ignoreExceptionsInstanceOf(IOException.class)
        .until(request, Objects::nonNull);
  }

  @Test
  void moreRowsThanARequestMayHaveAre413() throws Exception {
    Limits limits = new Limits(1000, 2, PATIENCE, 100, Duration.ZERO);
    try (ServerUnderTest server =
        ServerUnderTest.start(directory, ServerUnderTest.BATCHING, limits).ready()) {
      assertThat(server.infer(ServerUnderTest.features(2, 1, 5, 6)).status()).isEqualTo(200);

      Reply reply = server.infer(ServerUnderTest.features(3, 1, 5, 6, 7));

      assertThat(reply.status()).isEqualTo(413);
      assertThat(reply.error())
          .contains("data has more than 2 elements, and this server takes 2 rows at once");
    }
  }

  /**
   * Alone in its batch it would wait for others for an hour. A client that is slow itself has no
   * answer, or hears that its body was late, and asks again.
   */
  @Test
  void aPredictionThatTakesTooLongIs504() throws Exception {
    Limits limits = new Limits(1000, 10, Duration.ofMillis(100), 100, Duration.ZERO);
    try (ServerUnderTest server =
        ServerUnderTest.start(directory, new Batching(1, 8, LONG, 100), limits).ready()) {
      Reply reply =
          await()
              .atMost(PATIENCE)
              .ignoreExceptionsInstanceOf(IOException.class)
              .until(() -> server.infer(BODY), answer -> answer.status() != 408);

      assertThat(reply.status()).isEqualTo(504);
      assertThat(reply.error()).contains("No prediction within PT0.1S");
    }
  }

  @Test
  void moreRowsThanMayWaitAre503AndSayWhenToComeAgain() throws Exception {
    try (ServerUnderTest server =
        ServerUnderTest.start(directory, new Batching(1, 4, LONG, 3), ServerUnderTest.LIMITS)
            .ready()) {
      CompletableFuture<Reply> waiting = inferring(server, ServerUnderTest.features(3, 1, 5, 6, 7));
      await().atMost(PATIENCE).until(() -> server.metric("millrace_serve_queue_rows") == 3);

      Reply refused = server.infer(BODY);

      assertThat(refused.status()).isEqualTo(503);
      assertThat(refused.error()).contains("Too many rows wait to be predicted already (3)");
      assertThat(refused.header("Retry-After")).hasValue("1");
      // What waited is answered, also by a server that stops.
      server.server().close();
      assertThat(waiting.join().floats("values")).containsExactly(5, 1, 6, 1, 7, 1);
    }
  }

  private static CompletableFuture<Reply> inferring(ServerUnderTest server, String body) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return server.infer(body);
          } catch (IOException | InterruptedException e) {
            throw new CompletionException(e);
          }
        });
  }

  /** A client whose headers are slow, too, has no answer and asks again. */
  @Test
  void aBodyThatComesTooSlowlyIs408() throws Exception {
    Limits limits = new Limits(1000, 10, Duration.ofMillis(200), 100, Duration.ZERO);
    try (ServerUnderTest server =
        ServerUnderTest.start(directory, ServerUnderTest.BATCHING, limits).ready()) {
      String reply =
          await()
              .atMost(PATIENCE)
              .ignoreExceptionsInstanceOf(IOException.class)
              .until(() -> replyToHalfABody(server), text -> !text.isEmpty());

      assertThat(reply).startsWith("HTTP/1.1 408").contains("The body wasn't there within PT0.2S");
    }
  }

  private static String replyToHalfABody(ServerUnderTest server) throws IOException {
    try (Socket socket = connect(server)) {
      OutputStream out = socket.getOutputStream();
      out.write(
          "POST /v2/models/model/infer HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"
              .getBytes(UTF_8));
      out.flush();
      return new String(socket.getInputStream().readAllBytes(), UTF_8);
    }
  }

  private static Socket connect(ServerUnderTest server) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.address().getPort());
    socket.setSoTimeout((int) PATIENCE.toMillis());
    return socket;
  }

  @Test
  void slowHeadersOnAllConnectionsKeepNobodyOut() throws Exception {
    Limits limits = new Limits(1000, 10, PATIENCE, 4, Duration.ZERO);
    List<Socket> slow = new ArrayList<>();
    // What the first client keeps open is cut as well, and it may not know yet.
    try (ServerUnderTest started =
            ServerUnderTest.start(directory, ServerUnderTest.BATCHING, limits).ready();
        ServerUnderTest server = started.forAnotherClient()) {
      for (int i = 0; i < 20; i++) {
        Socket socket = connect(server);
        slow.add(socket);
        socket.getOutputStream().write("GET /v2 HTTP/1.1\r\nX: ".getBytes(UTF_8));
      }
      // One address has two connections at most. The server has seen all when the others are cut.
      for (Socket cut : slow.subList(0, 18)) {
        assertThat(isClosed(cut)).isTrue();
      }

      assertThat(server.get("/v2/health/live").status()).isEqualTo(200);
      assertThat(server.infer(BODY).status()).isEqualTo(200);
      assertThat(server.metric("millrace_serve_cut_connections_total{reason=\"room\"}"))
          .isGreaterThanOrEqualTo(16);
    } finally {
      for (Socket socket : slow) {
        socket.close();
      }
    }
  }

  private static boolean isClosed(Socket socket) {
    try {
      return socket.getInputStream().read() < 0;
    } catch (IOException e) {
      return !(e instanceof SocketTimeoutException);
    }
  }

  @Test
  void healthAndMetricsHaveAPortOfTheirOwn() throws Exception {
    Path token = Files.writeString(directory.resolve("token"), "s3cret-token");
    Endpoint endpoint =
        new Endpoint(
            "127.0.0.1",
            0,
            OptionalInt.of(0),
            OptionalInt.empty(),
            Optional.empty(),
            new Endpoint.Access.Token(token));
    try (ServerUnderTest server = ServerUnderTest.start(directory, endpoint).ready();
        Caller probe = Caller.plain()) {
      URI health = server.server().healthAddress().orElseThrow();

      assertThat(status(probe, health, "/v2/health/live")).isEqualTo(200);
      assertThat(status(probe, health, "/v2/health/ready")).isEqualTo(200);
      assertThat(status(probe, health, "/metrics")).isEqualTo(200);
      assertThat(status(probe, health, "/v2/models/model")).isEqualTo(404);
      assertThat(status(probe, server.address(), "/metrics")).isEqualTo(401);
    }
  }

  private static int status(Caller caller, URI address, String path) throws Exception {
    return Caller.send(caller.get(address.resolve(path))).status();
  }

  /** What a model doesn't take ends the reading of a body at once, however much comes behind it. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"parameters\":{ | \"k%d\":0 | more than 10000 names and values",
        "{\"others\":[ | {\"k\":0} | more than 10000 names and values",
        "{ | \"k%d\":{} | more than 10000 names and values",
        "{\"inputs\":[ | {\"name\":\"features\",\"shape\":[1,1],\"datatype\":\"FP32\",\"data\":[1]}"
            + " | inputs has more than 1",
        "{\"inputs\":[{\"name\":\"features\",\"data\":[ | 1 | more than 256 elements",
        "{\"inputs\":[{\"name\":\"features\",\"data\":[ | [] | an empty array in an array",
        "{\"inputs\":[{\"name\":\"features\",\"shape\":[ | 1 | more than 8 lengths",
        "{\"outputs\":[ | {\"name\":\"values\"} | names \"values\" again"
      })
  void whatIsTooMuchIsRefusedAtItsFirst(String head, String repeated, String message) {
    StringBuilder body = new StringBuilder(head);
    for (int i = 0; i < 20_000; i++) {
      body.append(i == 0 ? "" : ",").append(repeated.formatted(i));
    }
    // No JSON: whoever reads on until there says so.
    byte[] bytes = body.append('!').toString().getBytes(UTF_8);
    RequestReader reader = new RequestReader(Signature.of(TellingModels.SHAPE, false), 256);

    assertThatThrownBy(() -> reader.read(new Body(bytes, bytes.length, bytes.length)))
        .hasMessageContaining(message);
  }

  /** It drains until the thread that closes it is interrupted, and then closes all the same. */
  @Test
  void aServerThatIsStillDrainingAnswersAndIsNotReady() throws Exception {
    Limits limits = new Limits(1000, 10, PATIENCE, 100, LONG);
    ServerUnderTest server =
        ServerUnderTest.start(directory, ServerUnderTest.BATCHING, limits).ready();
    Thread closing = new Thread(server::close);
    closing.setDaemon(true);
    closing.start();

    await().atMost(PATIENCE).until(() -> server.get("/v2/health/ready").status() == 503);
    assertThat(server.get("/v2/health/ready").error()).contains("about to stop");
    assertThat(server.get("/v2/models/model/ready").status()).isEqualTo(503);
    assertThat(server.get("/v2/health/live").status()).isEqualTo(200);
    assertThat(server.infer(BODY).status()).isEqualTo(200);
    closing.interrupt();
    closing.join(PATIENCE.toMillis());
    assertThat(closing.isAlive()).isFalse();
    assertNothingIsLeftRunning();
  }

  @Test
  void nothingIsLeftRunningByAServerThatWasClosed() throws Exception {
    ServerUnderTest server = ServerUnderTest.start(directory).ready();
    assertThat(server.infer(BODY).status()).isEqualTo(200);
    assertThat(threads()).isPositive();

    server.close();
    server.close();

    assertNothingIsLeftRunning();
  }

  /** A thread that has ended its work may be seen for a moment yet. */
  private static void assertNothingIsLeftRunning() {
    await().atMost(PATIENCE).untilAsserted(() -> assertThat(threads()).isZero());
  }

  private static long threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("millrace-"))
        .count();
  }
}
