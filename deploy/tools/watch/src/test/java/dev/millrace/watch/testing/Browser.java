package dev.millrace.watch.testing;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Chromium without a window, and one page in it, by the protocol of its developer tools. */
public final class Browser {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Pattern LISTENING =
      Pattern.compile("DevTools listening on ws://(127\\.0\\.0\\.1:\\d+)/");

  private final Process process;
  private final WebSocket socket;
  private final Map<Integer, CompletableFuture<JsonNode>> asked = new ConcurrentHashMap<>();
  private final List<String> errors = new CopyOnWriteArrayList<>();
  private final AtomicInteger number = new AtomicInteger();

  private Browser(Process process, String address) throws Exception {
    this.process = process;
    HttpClient http = HttpClient.newHttpClient();
    JsonNode page =
        JSON.readTree(
            http.send(
                    HttpRequest.newBuilder(URI.create("http://" + address + "/json/new"))
                        .PUT(HttpRequest.BodyPublishers.noBody())
                        .build(),
                    HttpResponse.BodyHandlers.ofString())
                .body());
    this.socket =
        http.newWebSocketBuilder()
            .buildAsync(URI.create(page.path("webSocketDebuggerUrl").asText()), new Answers())
            .get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    ask("Runtime.enable");
    ask("Log.enable");
    ask("Page.enable");
  }

  /** Where the machine has it. */
  public static Optional<Path> program() {
    return Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
        .flatMap(
            directory -> Stream.of("chromium", "google-chrome").map(Path.of(directory)::resolve))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /**
   * Starts one.
   *
   * @param directory for all that it writes
   */
  public static Browser start(Path program, Path directory) throws Exception {
    Path output = directory.resolve("chromium.out");
    ProcessBuilder builder =
        new ProcessBuilder(
                program.toString(),
                "--headless=new",
                // Tests may run as root, and open pages of this build alone.
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--remote-debugging-port=0",
                "--remote-allow-origins=*",
                "--user-data-dir=" + directory.resolve("profile"),
                "about:blank")
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    // Not TMPDIR: it makes a socket there, whose path may have 107 characters.
    builder.environment().put("HOME", directory.toString());
    Process process = builder.start();
    try {
      Matcher listening =
          await()
              .atMost(LIMIT)
              .until(
                  () -> {
                    assumeTrue(
                        process.isAlive(),
                        () -> "Chromium doesn't run on this machine: " + text(output));
                    return LISTENING.matcher(Files.readString(output));
                  },
                  Matcher::find);
      return new Browser(process, listening.group(1));
    } catch (Exception e) {
      process.destroy();
      throw e;
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return e.toString();
    }
  }

  /** Leaves the page before, and what it has failed with. */
  public void open(String address, int width, int height) throws Exception {
    ask("Page.navigate", Map.of("url", "about:blank"));
    awaitTrue("location.href === 'about:blank'");
    errors.clear();
    ask(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
    ask("Page.navigate", Map.of("url", address));
  }

  /** The value of an expression of JavaScript. */
  public JsonNode evaluate(String expression) throws Exception {
    JsonNode answer =
        ask("Runtime.evaluate", Map.of("expression", expression, "returnByValue", true));
    return answer.at("/result/value");
  }

  /** Waits until an expression is true. */
  public void awaitTrue(String expression) {
    await()
        .atMost(LIMIT)
        .pollInterval(Duration.ofMillis(20))
        .until(() -> evaluate(expression).asBoolean());
  }

  /** What the page has failed with so far. */
  public List<String> errors() {
    return errors;
  }

  public void screenshot(Path file) throws Exception {
    JsonNode answer = ask("Page.captureScreenshot", Map.of("captureBeyondViewport", true));
    Files.write(file, Base64.getDecoder().decode(answer.path("data").asText()));
  }

  private JsonNode ask(String method) throws Exception {
    return ask(method, Map.of());
  }

  private JsonNode ask(String method, Map<String, Object> parameters) throws Exception {
    int id = number.incrementAndGet();
    CompletableFuture<JsonNode> answer = new CompletableFuture<>();
    asked.put(id, answer);
    ObjectNode question = JSON.createObjectNode().put("id", id).put("method", method);
    question.set("params", JSON.valueToTree(parameters));
    socket.sendText(question.toString(), true).get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    return answer.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
  }

  /** What the page says, whole messages at a time. */
  private final class Answers implements WebSocket.Listener {

    private final StringBuilder begun = new StringBuilder();

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
      begun.append(data);
      if (last) {
        take(begun.toString());
        begun.setLength(0);
      }
      from.request(1);
      return null;
    }

    private void take(String message) {
      try {
        JsonNode told = JSON.readTree(message);
        if (told.has("id")) {
          CompletableFuture<JsonNode> answer = asked.remove(told.path("id").asInt());
          if (answer != null) {
            answer.complete(told.path("result"));
          }
        } else if (told.path("method").asText().equals("Runtime.exceptionThrown")
            || told.at("/params/entry/level").asText().equals("error")
            || (told.path("method").asText().equals("Runtime.consoleAPICalled")
                && told.at("/params/type").asText().equals("error"))) {
          errors.add(message);
        }
      } catch (IOException e) {
        errors.add(e.toString());
      }
    }
  }

  /** Has it end by itself: so it takes its temporary files with it. */
  public void end() throws Exception {
    socket
        .sendText("{\"id\":0,\"method\":\"Browser.close\"}", true)
        .get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    if (!process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
      process.destroy();
      process.onExit().join();
    }
    socket.abort();
  }
}
