package dev.millrace.watch;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The server, over real connections. */
class WatchServerTest {

  /** How long what is to come is waited for, however busy the machine is. */
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final History history = new History();
  private WatchServer server;

  @AfterEach
  void stop() {
    if (server != null) {
      server.close();
    }
  }

  private void start(Optional<String> token) throws Exception {
    server = WatchServer.start(history, "127.0.0.1", 0, token);
  }

  @Test
  void thePageAndItsFilesAreThere() throws Exception {
    start(Optional.empty());

    HttpResponse<String> page = get("/");
    assertThat(page.body()).contains("<main id=\"main\"");
    assertThat(page.headers().firstValue("Content-Security-Policy").orElseThrow())
        .contains("default-src 'none'", "script-src 'self'");
    for (String name : Stream.concat(Assets.SCRIPTS.stream(), Assets.STYLES.stream()).toList()) {
      assertThat(get("/assets/" + name).statusCode()).as(name).isEqualTo(200);
      assertThat(page.body()).contains("/assets/" + name);
    }
    assertThat(get("/assets/../Run.class").statusCode()).isIn(400, 404);
    assertThat(get("/assets/index.html").statusCode()).isEqualTo(404);
  }

  @Test
  void whatIsNewComesToThoseWhoListen() throws Exception {
    start(Optional.empty());
    history.add("job", SimulatedRecords.of(3, 1, 0, new Random(1)));
    Queue<String> lines = new ConcurrentLinkedQueue<>();
    CompletableFuture<Void> unused =
        HttpClient.newHttpClient()
            .sendAsync(request("/events"), HttpResponse.BodyHandlers.ofLines())
            .thenAccept(answer -> answer.body().forEach(lines::add));
    await().atMost(PATIENCE).until(() -> lines.contains(": still here"));

    history.add("job", SimulatedRecords.of(5, 1, 0, new Random(1)).subList(6, 10));

    await().atMost(PATIENCE).until(() -> lines.contains("event: records"));
    await()
        .atMost(PATIENCE)
        .until(() -> lines.stream().anyMatch(line -> line.startsWith("data: ")));
    JsonNode told =
        new ObjectMapper()
            .readTree(
                lines.stream()
                    .filter(line -> line.startsWith("data: "))
                    .findFirst()
                    .orElseThrow()
                    .substring(6));
    JsonNode all = new ObjectMapper().readTree(get("/history").body());
    assertThat(told.path("run")).isEqualTo(all.at("/runs/0/id"));
    assertThat(told.path("before").asInt() + told.path("records").size())
        .isEqualTo(all.at("/runs/0/count").asInt());
  }

  /** It neither holds up those who add records, nor has megabytes kept for it. */
  @Test
  void aClientThatReadsNothingIsLetGo() throws Exception {
    start(Optional.empty());
    try (Socket socket = new Socket()) {
      socket.setReceiveBufferSize(16 << 10);
      socket.setSoTimeout((int) PATIENCE.toMillis());
      socket.connect(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), server.address().getPort()));
      socket
          .getOutputStream()
          .write(
              "GET /events HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
                  .getBytes(US_ASCII));
      InputStream in = socket.getInputStream();
      assertThat(in.read()).isEqualTo('H');
      await().atMost(PATIENCE).until(() -> history.listeners() == 1);

      String megabyte = "x".repeat(1 << 20);
      long added = 64;
      for (int i = 0; i < added; i++) {
        history.add("job", List.of(SimulatedRecords.record("note", i, 0, i).put("text", megabyte)));
      }

      long came = 0;
      byte[] bytes = new byte[1 << 16];
      for (int read = in.read(bytes); read >= 0; read = in.read(bytes)) {
        came += read;
      }
      assertThat(came).isLessThan((added / 2) << 20);
      await().atMost(PATIENCE).until(() -> history.listeners() == 0);
    }
  }

  @Test
  void aTokenIsAskedForWhereThereIsOne() throws Exception {
    start(Optional.of("s3cret"));

    assertThat(server.address().getQuery()).isEqualTo("token=s3cret");
    assertThat(get("/").statusCode()).isEqualTo(401);
    assertThat(get("/history?token=wrong").statusCode()).isEqualTo(401);
    HttpResponse<String> shown = get("/?token=s3cret");
    assertThat(shown.statusCode()).isEqualTo(303);
    assertThat(shown.headers().firstValue("Location")).hasValue("/");
    String cookie = shown.headers().firstValue("Set-Cookie").orElseThrow();
    assertThat(cookie).contains("HttpOnly", "SameSite=Lax").doesNotContain("Secure");
    for (String path : List.of("/", "/history")) {
      assertThat(get(path, "Cookie", cookie.split(";", -1)[0]).statusCode()).isEqualTo(200);
    }
    assertThat(get("/history", "Cookie", "millrace-watch=other").statusCode()).isEqualTo(401);
    assertThat(get("/history?token=s3cret").statusCode()).isEqualTo(200);
  }

  @Test
  void aCookieIsForHttpsAloneBehindAProxyThatSpeaksIt() throws Exception {
    start(Optional.of("s3cret"));

    assertThat(
            get("/?token=s3cret", "X-Forwarded-Proto", "https")
                .headers()
                .firstValue("Set-Cookie")
                .orElseThrow())
        .endsWith("; Secure");
  }

  @Test
  void pagesOfOthersGetNothing() throws Exception {
    start(Optional.empty());

    assertThat(get("/history", "Origin", "http://evil.example").statusCode()).isEqualTo(403);
    assertThat(
            get("/history", "Origin", "http://127.0.0.1:" + server.address().getPort())
                .statusCode())
        .isEqualTo(200);
  }

  /** A second one, and those who add records, don't wait for it. */
  @Test
  void aClientThatReadsTheHistorySlowlyHoldsNobodyUp() throws Exception {
    start(Optional.empty());
    String text = "x".repeat(100_000);
    for (int i = 0; i < 100; i++) {
      history.add("job", List.of(SimulatedRecords.record("note", i, 0, i).put("text", text)));
    }
    try (Socket socket = new Socket()) {
      socket.setReceiveBufferSize(16 << 10);
      socket.connect(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), server.address().getPort()));
      socket
          .getOutputStream()
          .write("GET /history HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(US_ASCII));
      assertThat(socket.getInputStream().read()).isEqualTo('H');

      history.add("job", List.of(SimulatedRecords.record("note", 100, 0, 100)));

      assertThat(get("/history").body()).contains("\"round\":100");
    }
  }

  /** A page of somebody else's, whose name was made to lead to this machine. */
  @Test
  void otherNamesOfThisMachineGetNothing() throws Exception {
    start(Optional.empty());

    assertThat(status("evil.example")).startsWith("HTTP/1.1 403");
    assertThat(status("localhost:" + server.address().getPort())).startsWith("HTTP/1.1 200");
  }

  private String status(String host) throws Exception {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.address().getPort())) {
      OutputStream out = socket.getOutputStream();
      out.write(
          "GET /history HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n"
              .formatted(host)
              .getBytes(US_ASCII));
      return new BufferedReader(new InputStreamReader(socket.getInputStream(), US_ASCII))
          .readLine();
    }
  }

  @Test
  void namesOfRecordsCantEndTheScriptThatTheyStandIn() {
    history.add("<b>job</b>", SimulatedRecords.of(100, 1, 0, new Random(1)));

    String page = StaticPage.text(history);

    assertThat(page).doesNotContain("<script>window.hacked").doesNotContain("<img src=x");
    assertThat(page).contains("\\u003cscript\\u003ewindow.hacked");
    // Nothing is fetched from elsewhere.
    assertThat(page).doesNotContain("/assets/");
  }

  @Test
  void scriptsMakeNoMarkup() {
    for (String script :
        List.of(
            "dom.js",
            "format.js",
            "records.js",
            "chart.js",
            "sections.js",
            "compare.js",
            "main.js")) {
      assertThat(new String(Assets.find(script).orElseThrow(), UTF_8))
          .as(script)
          .doesNotContain(
              "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(");
    }
  }

  private HttpResponse<String> get(String path) throws Exception {
    return HttpClient.newHttpClient().send(request(path), HttpResponse.BodyHandlers.ofString());
  }

  private HttpResponse<String> get(String path, String header, String value) throws Exception {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(request(path), (name, any) -> true)
                .header(header, value)
                .build(),
            HttpResponse.BodyHandlers.ofString());
  }

  private HttpRequest request(String path) {
    return HttpRequest.newBuilder(
            URI.create("http://127.0.0.1:%s%s".formatted(server.address().getPort(), path)))
        .build();
  }
}
