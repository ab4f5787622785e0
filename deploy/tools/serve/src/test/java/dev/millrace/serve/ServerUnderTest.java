package dev.millrace.serve;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.millrace.job.follow.ModelDirectory;
import dev.millrace.job.follow.ModelPlace;
import dev.millrace.job.serve.Batching;
import dev.millrace.job.serve.Endpoint;
import dev.millrace.job.serve.Limits;
import dev.millrace.job.serve.PredictionRuntime;
import dev.millrace.job.serve.PredictionServer;
import dev.millrace.job.serve.ServerSettings;
import dev.millrace.model.device.DeviceRequest;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Supplier;
import org.eclipse.jetty.client.Request;

/** A server on a free port, and a client of it. */
final class ServerUnderTest implements AutoCloseable {

  static final JsonMapper JSON = JsonMapper.builder().build();
  static final Endpoint LOOPBACK = endpoint(Optional.empty(), new Endpoint.Access.ThisMachine());
  static final Batching BATCHING = new Batching(2, 64, Duration.ZERO, 1024);

  /** How long a test waits for what is to come, however busy the machine is. */
  static final Duration PATIENCE = Duration.ofMinutes(1);

  static final Limits LIMITS = new Limits(1 << 20, 256, PATIENCE, 1000, Duration.ZERO);

  /** A port of chance, without one for health. */
  static Endpoint endpoint(Optional<Endpoint.Tls> tls, Endpoint.Access access) {
    return new Endpoint("127.0.0.1", 0, OptionalInt.empty(), OptionalInt.empty(), tls, access);
  }

  private final PredictionServer server;
  private final Caller caller;

  private ServerUnderTest(PredictionServer server, Caller caller) {
    this.server = server;
    this.caller = caller;
  }

  static ServerUnderTest start(Path models) throws IOException {
    return start(models, BATCHING, LIMITS);
  }

  static ServerUnderTest start(Path models, Batching batching, Limits limits) throws IOException {
    return start(models, LOOPBACK, batching, limits);
  }

  static ServerUnderTest start(Path models, Endpoint endpoint) throws IOException {
    return start(models, endpoint, BATCHING, LIMITS);
  }

  static ServerUnderTest start(Path models, Endpoint endpoint, Batching batching, Limits limits)
      throws IOException {
    return start(
        directory(models), PredictionRuntime.AUTO, endpoint, batching, limits, Caller::plain);
  }

  /** Starts one of models that aren't just files of a directory. */
  static ServerUnderTest start(ModelPlace models, Endpoint endpoint) throws IOException {
    return start(models, PredictionRuntime.AUTO, endpoint, BATCHING, LIMITS, Caller::plain);
  }

  /** Starts one that this client calls. */
  static ServerUnderTest start(Path models, Endpoint endpoint, Caller caller) throws IOException {
    return start(
        directory(models), PredictionRuntime.AUTO, endpoint, BATCHING, LIMITS, () -> caller);
  }

  /** Starts one whose predictions are made by this. */
  static ServerUnderTest start(Path models, PredictionRuntime runtime) throws IOException {
    return start(directory(models), runtime, LOOPBACK, BATCHING, LIMITS, Caller::plain);
  }

  private static ModelPlace directory(Path models) throws IOException {
    return ModelDirectory.of(models.toString(), false);
  }

  private static ServerUnderTest start(
      ModelPlace models,
      PredictionRuntime runtime,
      Endpoint endpoint,
      Batching batching,
      Limits limits,
      Supplier<Caller> caller)
      throws IOException {
    PredictionServer server =
        PredictionServer.find()
            .orElseThrow()
            .start(
                new ServerSettings(
                    "model",
                    models,
                    Duration.ofMillis(5),
                    DeviceRequest.any(),
                    runtime,
                    endpoint,
                    batching,
                    limits));
    return new ServerUnderTest(server, caller.get());
  }

  URI address() {
    return server.address();
  }

  PredictionServer server() {
    return server;
  }

  /** Waits until it is ready; one of short limits may cut a connection of a slow client. */
  ServerUnderTest ready() {
    await()
        .atMost(PATIENCE)
        .ignoreExceptionsInstanceOf(IOException.class)
        .until(() -> get("/v2/health/ready").status() == 200);
    return this;
  }

  /** This client keeps no connection to the server yet. */
  ServerUnderTest forAnotherClient() {
    return new ServerUnderTest(server, Caller.plain());
  }

  Reply get(String path) throws IOException, InterruptedException {
    return Caller.send(request(path));
  }

  Reply infer(String body) throws IOException, InterruptedException {
    return post("/v2/models/model/infer", body);
  }

  Reply post(String path, String body) throws IOException, InterruptedException {
    return post(path, body.getBytes(StandardCharsets.UTF_8));
  }

  Reply post(String path, byte[] body) throws IOException, InterruptedException {
    return Caller.send(caller.post(server.address().resolve(path), Api.JSON, body));
  }

  Request request(String path) {
    return caller.get(server.address().resolve(path));
  }

  /** A body with rows of features, flat. */
  static String features(int rows, int width, float... values) {
    StringBuilder body =
        new StringBuilder("{\"inputs\":[{\"name\":\"features\",\"datatype\":\"FP32\",\"shape\":[");
    body.append(rows).append(',').append(width).append("],\"data\":[");
    for (int i = 0; i < values.length; i++) {
      body.append(i == 0 ? "" : ",").append(values[i]);
    }
    return body.append("]}]}").toString();
  }

  /** The value of a metric without labels, or with these. */
  double metric(String name) throws IOException, InterruptedException {
    return get("/metrics")
        .body()
        .lines()
        .filter(line -> line.startsWith(name + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
        .findFirst()
        .orElse(0);
  }

  @Override
  public void close() {
    server.close();
    caller.close();
  }
}
