package dev.millrace.job.testing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Answers as MLflow's registry does, and remembers what it was asked. */
public final class RegistryServer implements AutoCloseable {

  private static final JsonMapper JSON = new JsonMapper();
  private static final String API = "/api/2.0/mlflow/";
  private static final Map<String, String> ANSWERS =
      Map.of(
          "model-versions/create", "{\"model_version\":{\"version\":\"3\"}}",
          "experiments/get-by-name", "{\"experiment\":{\"experiment_id\":\"5\"}}",
          "runs/create", "{\"run\":{\"info\":{\"run_id\":\"r1\"}}}");
  private static final String TOKEN = "page_token=";

  private final List<Call> calls = new CopyOnWriteArrayList<>();
  private final Map<String, String> refusals = new ConcurrentHashMap<>();
  private final Map<String, String> pages = new ConcurrentHashMap<>();
  private final HttpServer server;
  private volatile boolean hasRun;
  private volatile boolean isStalled;

  private RegistryServer(HttpServer server) {
    this.server = server;
  }

  public static RegistryServer start() throws IOException {
    RegistryServer registry =
        new RegistryServer(
            HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0));
    registry.server.createContext(API, registry::answer);
    registry.server.start();
    return registry;
  }

  /**
   * A request.
   *
   * @param path behind the API's own
   */
  public record Call(String path, JsonNode body) {}

  public String url() {
    return "http://localhost:" + server.getAddress().getPort();
  }

  public List<Call> calls() {
    return calls;
  }

  /** Refuses what is asked of a path. */
  public void refuse(String path, String answer) {
    refusals.put(path, answer);
  }

  /** Refuses nothing of a path any more. */
  public void accept(String path) {
    refusals.remove(path);
  }

  /** Has a search for runs find one. */
  public void hasRun() {
    hasRun = true;
  }

  /** Answers begin from now on, and never end. */
  public void stall() {
    isStalled = true;
  }

  /**
   * Has a search find a version.
   *
   * @param page token of the page it is on; empty for the first
   * @param next token of the next page; empty if there is none
   */
  public void add(String page, String version, String model, String next) {
    pages.put(
        page,
        ("{\"model_versions\":[{\"version\":\"%s\",\"tags\":[{\"key\":\"millrace.version\","
                + "\"value\":\"%s\"}]}],\"next_page_token\":\"%s\"}")
            .formatted(version, model, next));
  }

  private void answer(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath().substring(API.length());
    calls.add(new Call(path, JSON.readTree(exchange.getRequestBody().readAllBytes())));
    String refusal = refusals.get(path);
    String answer = ANSWERS.getOrDefault(path, "{}");
    if (path.equals("runs/search") && hasRun) {
      answer = "{\"runs\":[{\"info\":{\"run_id\":\"r1\"}}]}";
    } else if (path.equals("model-versions/search")) {
      String query = exchange.getRequestURI().getQuery();
      boolean isOfTheModel = query.contains("filter=name='digits'");
      String token = query.substring(query.indexOf(TOKEN) + TOKEN.length());
      answer = isOfTheModel ? pages.getOrDefault(token, "{}") : "{}";
    }
    byte[] body = (refusal == null ? answer : refusal).getBytes(StandardCharsets.UTF_8);
    if (isStalled) {
      // The head says that more is to come, and nothing comes.
      exchange.sendResponseHeaders(200, body.length);
      exchange.getResponseBody().flush();
      return;
    }
    exchange.sendResponseHeaders(refusal == null ? 200 : 400, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
