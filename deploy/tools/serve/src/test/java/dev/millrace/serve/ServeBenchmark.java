package dev.millrace.serve;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.DynamicMessage;
import com.sun.management.OperatingSystemMXBean;
import dev.millrace.job.serve.PredictionRuntime;
import dev.millrace.job.testing.TellingModels;
import dev.millrace.model.GlobalModel;
import dev.millrace.model.ModelExporter;
import dev.millrace.model.ServableModel;
import dev.millrace.model.features.LearnedFeatures;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import io.grpc.ManagedChannel;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * How long a request for one row takes at a rate that keeps one core half busy, clients included,
 * which are in this process; beside ONNX Runtime, called directly with the same network at the same
 * rate. From when a request is due, so that one which waits for another counts in full.
 */
class ServeBenchmark {

  private static final int CLIENTS = 8;
  private static final int WARM_UP = 20_000;
  private static final int SECONDS = 15;
  private static final double BUSY = 0.5;

  @TempDir private Path directory;

  /** One request and its answer. */
  private interface Call {
    void run() throws Exception;
  }

  @Test
  void mlp() throws Exception {
    ExampleShape shape = new ExampleShape(54, 7, Target.CLASSIFICATION);
    compare("MLP 54-64-32-7", shape, "mlp", List.of(64, 32), WARM_UP);
  }

  @Test
  void lenet() throws Exception {
    ExampleShape shape = new ExampleShape(784, 10, Target.CLASSIFICATION);
    compare("LeNet", shape, "lenet", List.of(), WARM_UP / 10);
  }

  /** What records, JSON, bytes and gRPC cost with the same rows, clients included. */
  @Test
  void forms() throws Exception {
    FieldTensorsTest.publish(directory);
    for (int rows : new int[] {1, 64}) {
      forms(rows);
    }
  }

  private void forms(int rows) throws Exception {
    List<JsonNode> records = FieldTensorsTest.records(new Random(1), rows);
    ManagedChannel channel = null;
    try (ServerUnderTest server = GrpcTest.start(directory)) {
      int port = server.address().getPort();
      byte[] infer = FieldTensorsTest.json(records).getBytes(UTF_8);
      FieldTensorsTest.BinaryRequest binary = FieldTensorsTest.binaryRequest(records);
      channel = GrpcTest.channel(server);
      ManagedChannel open = channel;
      DynamicMessage grpc = GrpcTest.request(records, true);
      Map<String, Callable<Call>> forms = new LinkedHashMap<>();
      byte[] whole = ServerUnderTest.JSON.writeValueAsBytes(records);
      String json = "Content-Type: application/json";
      forms.put("records", () -> new Client(port, "predict", json, whole)::call);
      forms.put("JSON", () -> new Client(port, "infer", json, infer)::call);
      String octets =
          "Content-Type: application/octet-stream\r\nInference-Header-Content-Length: "
              + binary.jsonLength();
      forms.put("binary", () -> new Client(port, "infer", octets, binary.body())::call);
      forms.put("gRPC", () -> () -> GrpcTest.infer(open, grpc));
      for (Map.Entry<String, Callable<Call>> form : forms.entrySet()) {
        List<Call> calls = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
          calls.add(form.getValue().call());
        }
        System.out.printf(
            Locale.ROOT,
            "%s, %s rows: %,.0f requests a second of processor time%n",
            form.getKey(),
            rows,
            1 / cpuSecondsPerCall(calls, WARM_UP / (rows > 1 ? 20 : 5)));
      }
    } finally {
      if (channel != null) {
        channel.shutdownNow();
      }
    }
  }

  private void compare(
      String name, ExampleShape shape, String network, List<Integer> hidden, int warmUp)
      throws Exception {
    GlobalModel model =
        TrainedModels.model("dl4j", network, shape, hidden, 1, TrainedModels.none(shape));
    Path models = Files.createDirectories(directory.resolve(network));
    TellingModels.publish(models, model);
    float[] row = new float[shape.features()];
    Random random = new Random(1);
    for (int i = 0; i < row.length; i++) {
      row[i] = random.nextFloat();
    }
    double rate = serve(name, models, PredictionRuntime.ENGINE, row, warmUp, 0);
    serve(name, models, PredictionRuntime.ONNX, row, warmUp, rate);
    try (OrtEnvironment environment = OrtEnvironment.getEnvironment();
        OrtSession session = session(environment, model)) {
      List<Call> calls = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        calls.add(() -> predict(environment, session, row));
      }
      double own = BUSY / cpuSecondsPerCall(calls, warmUp);
      report(name + ", ONNX Runtime directly", rate, atRate(calls, rate));
      report(name + ", ONNX Runtime directly", own, atRate(calls, own));
    }
  }

  /**
   * Measures a server at a rate, if one is given, and at that which keeps a core half busy.
   *
   * @return the latter
   */
  private static double serve(
      String name, Path models, PredictionRuntime runtime, float[] row, int warmUp, double given)
      throws Exception {
    try (ServerUnderTest server = ServerUnderTest.start(models, runtime).ready()) {
      List<Call> calls = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        calls.add(new Client(server.address().getPort(), row)::call);
      }
      String what = "%s, millrace serve by %s".formatted(name, runtime);
      double own = BUSY / cpuSecondsPerCall(calls, warmUp);
      if (given > 0) {
        report(what, given, atRate(calls, given));
      }
      report(what, own, atRate(calls, own));
      return own;
    }
  }

  private OrtSession session(OrtEnvironment environment, GlobalModel model) throws Exception {
    Path file = directory.resolve("model.onnx");
    ModelExporter.find()
        .orElseThrow()
        .write(
            new ServableModel(
                model.spec(),
                model.vector(),
                LearnedFeatures.none(model.spec().shape(), false),
                List.of(),
                Map.of()),
            file);
    OrtSession.SessionOptions options = new OrtSession.SessionOptions();
    options.setIntraOpNumThreads(1);
    return environment.createSession(file.toString(), options);
  }

  private static void predict(OrtEnvironment environment, OrtSession session, float[] row)
      throws OrtException {
    try (OnnxTensor features = OnnxTensor.createTensor(environment, new float[][] {row});
        OrtSession.Result result = session.run(Map.of("features", features))) {
      assertThat(result.get(0).getValue()).isNotNull();
    }
  }

  /** A connection, and a request whose bytes are ready. */
  static final class Client {

    private final DataInputStream in;
    private final OutputStream out;
    private final byte[] request;

    Client(int port, float[] row) throws IOException {
      this(
          port,
          "infer",
          "Content-Type: application/json",
          ServerUnderTest.features(1, row.length, row).getBytes(UTF_8));
    }

    Client(int port, String path, String headers, byte[] body) throws IOException {
      Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
      socket.setTcpNoDelay(true);
      in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
      out = socket.getOutputStream();
      byte[] head =
          "POST /v2/models/model/%s HTTP/1.1\r\nHost: localhost\r\n%s\r\nContent-Length: %s\r\n\r\n"
              .formatted(path, headers, body.length)
              .getBytes(UTF_8);
      request = Arrays.copyOf(head, head.length + body.length);
      System.arraycopy(body, 0, request, head.length, body.length);
    }

    void call() throws IOException {
      out.write(request);
      byte[] head = new byte[4096];
      int length = 0;
      while (length < 4
          || head[length - 4] != '\r'
          || head[length - 3] != '\n'
          || head[length - 2] != '\r'
          || head[length - 1] != '\n') {
        head[length] = in.readByte();
        length++;
      }
      String headers = new String(head, 0, length, ISO_8859_1);
      assertThat(headers).startsWith("HTTP/1.1 200");
      int at = headers.indexOf("\nContent-Length: ") + "\nContent-Length: ".length();
      int size = Integer.parseInt(headers.substring(at, headers.indexOf('\r', at)));
      in.skipNBytes(size);
    }
  }

  /** One call after another by each caller; the second half is measured. */
  private static double cpuSecondsPerCall(List<Call> calls, int count) {
    run(calls, count, (index, begin) -> {});
    long before = cpuNanos();
    run(calls, count, (index, begin) -> {});
    return (cpuNanos() - before) / 1e9 / count;
  }

  /** Latencies in nanoseconds, sorted. */
  private static long[] atRate(List<Call> calls, double rate) {
    int count = (int) (rate * SECONDS);
    long[] latencies = new long[count];
    run(
        calls,
        count,
        (index, start) -> {
          long due = start + (long) (index * 1e9 / rate);
          for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
            LockSupport.parkNanos(left);
          }
          latencies[index] = due;
        },
        (index, end) -> latencies[index] = end - latencies[index]);
    Arrays.sort(latencies);
    return latencies;
  }

  /** Something about one call. */
  private interface Moment {
    void at(int index, long nanos);
  }

  private static void run(List<Call> calls, int count, Moment before) {
    run(calls, count, before, (index, end) -> {});
  }

  private static void run(List<Call> calls, int count, Moment before, Moment after) {
    AtomicInteger next = new AtomicInteger();
    long start = System.nanoTime();
    List<CompletableFuture<Void>> callers = new ArrayList<>();
    for (Call call : calls) {
      callers.add(
          CompletableFuture.runAsync(
              () -> {
                try {
                  for (int i = next.getAndIncrement(); i < count; i = next.getAndIncrement()) {
                    before.at(i, start);
                    call.run();
                    after.at(i, System.nanoTime());
                  }
                } catch (Exception e) {
                  throw new CompletionException(e);
                }
              },
              task -> new Thread(task).start()));
    }
    callers.forEach(CompletableFuture::join);
  }

  private static long cpuNanos() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
  }

  private static void report(String name, double rate, long[] latencies) {
    System.out.printf(
        Locale.ROOT,
        "%s: %,.0f rows/s, p50 %.2f ms, p99 %.2f ms%n",
        name,
        rate,
        latencies[latencies.length / 2] / 1e6,
        latencies[latencies.length * 99 / 100] / 1e6);
  }
}
