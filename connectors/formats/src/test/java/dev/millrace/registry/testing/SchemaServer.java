package dev.millrace.registry.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

/**
 * A schema registry for tests: it answers over HTTP as Confluent's does, or fails as it is told.
 */
public final class SchemaServer implements AutoCloseable {

  private static final JsonMapper JSON = new JsonMapper();
  private static final int NO_SUCH_SCHEMA = 40403;

  private final Map<String, String> answers = new ConcurrentHashMap<>();
  private final Map<String, Integer> failures = new ConcurrentHashMap<>();
  private final AtomicInteger requests = new AtomicInteger();
  private final SSLContext tlsOrNull;
  private volatile String authorizationOrNull;
  private volatile int failure;
  private HttpServer server;
  private int port;

  private SchemaServer(SSLContext tlsOrNull) {
    this.tlsOrNull = tlsOrNull;
  }

  public static SchemaServer start() throws IOException {
    SchemaServer server = new SchemaServer(null);
    server.goUp();
    return server;
  }

  /** Over TLS, to clients alone that show a certificate it trusts. */
  public static SchemaServer start(SSLContext tls) throws IOException {
    SchemaServer server = new SchemaServer(tls);
    server.goUp();
    return server;
  }

  /** Takes connections again, at the same port. */
  public void goUp() throws IOException {
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    if (tlsOrNull == null) {
      server = HttpServer.create(address, 0);
    } else {
      HttpsServer secured = HttpsServer.create(address, 0);
      secured.setHttpsConfigurator(
          new HttpsConfigurator(tlsOrNull) {
            @Override
            public void configure(HttpsParameters parameters) {
              SSLParameters needed = tlsOrNull.getDefaultSSLParameters();
              needed.setNeedClientAuth(true);
              parameters.setSSLParameters(needed);
            }
          });
      server = secured;
    }
    server.createContext("/", this::answer);
    server.start();
    port = server.getAddress().getPort();
  }

  /** Refuses connections. */
  public void goDown() {
    server.stop(0);
  }

  public String url() {
    return "%s://%s:%s"
        .formatted(
            tlsOrNull == null ? "http" : "https",
            InetAddress.getLoopbackAddress().getHostAddress(),
            port);
  }

  /** Has a schema of Avro. */
  public void put(int id, String schema) {
    answers.put("/schemas/ids/" + id, JSON.createObjectNode().put("schema", schema).toString());
  }

  /** Has one that refers to version 1 of another. */
  public void put(int id, String schema, String subject) {
    ObjectNode answer = JSON.createObjectNode().put("schema", schema);
    answer.putArray("references").addObject().put("subject", subject).put("version", 1);
    answers.put("/schemas/ids/" + id, answer.toString());
  }

  /** Has version 1 of a subject. */
  public void putSubject(String subject, String schema) {
    answers.put(
        "/subjects/" + subject + "/versions/1",
        JSON.createObjectNode().put("schema", schema).toString());
  }

  /** Has anything at a path. */
  public void putAnswer(String path, String answer) {
    answers.put(path, answer);
  }

  /** Answers everything with a status; 0 to answer as usual. */
  public void fail(int status) {
    failure = status;
  }

  /**
   * Answers a path with a status alone, or with an error's code too, as it is told; 0 for no answer
   * at all.
   */
  public void fail(String path, int status, String body) {
    failures.put(path, status);
    answers.put(path, body);
  }

  /** Refuses requests without this header's value. */
  public void require(String authorization) {
    authorizationOrNull = authorization;
  }

  public int requests() {
    return requests.get();
  }

  private void answer(HttpExchange exchange) throws IOException {
    requests.incrementAndGet();
    String given = exchange.getRequestHeaders().getFirst("Authorization");
    String path = exchange.getRequestURI().getPath();
    String answer = answers.get(path);
    Integer failed = failures.get(path);
    if (failed != null && failed == 0) {
      return;
    }
    if (failed != null) {
      send(exchange, failed, answer);
    } else if (failure != 0) {
      send(exchange, failure, "{}");
    } else if (authorizationOrNull != null && !authorizationOrNull.equals(given)) {
      send(exchange, 401, "{\"error_code\":401}");
    } else if (answer == null) {
      send(exchange, 404, "{\"error_code\":%s}".formatted(NO_SUCH_SCHEMA));
    } else {
      send(exchange, 200, answer);
    }
  }

  private static void send(HttpExchange exchange, int status, String text) throws IOException {
    byte[] body = text.getBytes(UTF_8);
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
