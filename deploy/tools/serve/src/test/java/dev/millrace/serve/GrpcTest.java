package dev.millrace.serve;

import static dev.millrace.serve.ServerUnderTest.PATIENCE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.ByteString;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.TextFormat;
import dev.millrace.job.serve.Batching;
import dev.millrace.job.serve.Endpoint;
import dev.millrace.job.testing.TellingModels;
import dev.millrace.model.testing.Seeds;
import io.grpc.CallOptions;
import io.grpc.ChannelCredentials;
import io.grpc.ClientInterceptor;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.TlsChannelCredentials;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.TrustManagerFactory;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The protocol as gRPC, by a client that knows its messages by their descriptors. */
class GrpcTest {

  /** Messages with their fields: name, number, type; repeated ones with a star. */
  private static final String MESSAGES =
      """
      Named: name 1 STRING, version 2 STRING
      Truth: is 1 BOOL
      Slot: name 1 STRING, datatype 2 STRING, shape 3 INT64*
      Model: name 1 STRING, versions 2 STRING*, platform 3 STRING, inputs 4 Slot*, outputs 5 Slot*
      Contents: bools 1 BOOL*, ints 2 INT32*, longs 3 INT64*, floats 6 FLOAT*, doubles 7 DOUBLE*, texts 8 BYTES*
      Input: name 1 STRING, datatype 2 STRING, shape 3 INT64*, contents 5 Contents
      Parameter: text 3 STRING
      Entry: key 1 STRING, value 2 Parameter
      Output: name 1 STRING
      Request: model 1 STRING, version 2 STRING, id 3 STRING, parameters 4 Entry*, inputs 5 Input*, outputs 6 Output*, raw 7 BYTES*
      Answer: model 1 STRING, version 2 STRING, id 3 STRING, outputs 5 Input*, raw 6 BYTES*\
      """;

  private static final FileDescriptor FILE = descriptors();

  @TempDir private static Path directory;
  private static ServerUnderTest server;
  private static ManagedChannel channel;

  @BeforeAll
  static void start() throws IOException {
    FieldTensorsTest.publish(directory);
    server = start(directory);
    channel = channel(server);
  }

  /** Starts a server that speaks gRPC, too. */
  static ServerUnderTest start(Path models) throws IOException {
    return ServerUnderTest.start(
            models, endpoint(Optional.empty(), new Endpoint.Access.ThisMachine()))
        .ready();
  }

  static ManagedChannel channel(ServerUnderTest server) {
    return NettyChannelBuilder.forAddress("127.0.0.1", port(server)).usePlaintext().build();
  }

  @AfterAll
  static void stop() {
    channel.shutdownNow();
    server.close();
  }

  static Endpoint endpoint(Optional<Endpoint.Tls> tls, Endpoint.Access access) {
    return new Endpoint("127.0.0.1", 0, OptionalInt.empty(), OptionalInt.of(0), tls, access);
  }

  private static int port(ServerUnderTest server) {
    return server.server().grpcAddress().orElseThrow().getPort();
  }

  private static FileDescriptor descriptors() {
    StringBuilder text = new StringBuilder("syntax: 'proto3' name: 'test'");
    for (String line : MESSAGES.split("\n", -1)) {
      String[] parts = line.split(": ", 2);
      text.append(" message_type { name: '").append(parts[0]).append('\'');
      for (String field : parts[1].split(", ", -1)) {
        String[] words = field.replace("*", "").split(" ", -1);
        boolean scalar = words[2].equals(words[2].toUpperCase(Locale.ROOT));
        text.append(
            " field { name: '%s' number: %s label: LABEL_%s type: TYPE_%s %s }"
                .formatted(
                    words[0],
                    words[1],
                    field.endsWith("*") ? "REPEATED" : "OPTIONAL",
                    scalar ? words[2] : "MESSAGE",
                    scalar ? "" : "type_name: '" + words[2] + "'"));
      }
      text.append(" }");
    }
    FileDescriptorProto.Builder proto = FileDescriptorProto.newBuilder();
    try {
      TextFormat.merge(text, proto);
      return FileDescriptor.buildFrom(proto.build(), new FileDescriptor[0]);
    } catch (TextFormat.ParseException | DescriptorValidationException e) {
      throw new IllegalStateException(e);
    }
  }

  static DynamicMessage message(String type, Object... fields) {
    Descriptor descriptor = FILE.findMessageTypeByName(type);
    DynamicMessage.Builder builder = DynamicMessage.newBuilder(descriptor);
    for (int i = 0; i < fields.length; i += 2) {
      builder.setField(descriptor.findFieldByName((String) fields[i]), fields[i + 1]);
    }
    return builder.build();
  }

  static Object get(DynamicMessage message, String field) {
    return message.getField(message.getDescriptorForType().findFieldByName(field));
  }

  private static DynamicMessage call(
      ManagedChannel to, String method, DynamicMessage request, String answer) {
    return ClientCalls.blockingUnaryCall(
        to,
        MethodDescriptor.<DynamicMessage, DynamicMessage>newBuilder()
            .setType(MethodDescriptor.MethodType.UNARY)
            .setFullMethodName("inference.GRPCInferenceService/" + method)
            .setRequestMarshaller(marshaller(request.getDescriptorForType()))
            .setResponseMarshaller(marshaller(FILE.findMessageTypeByName(answer)))
            .build(),
        CallOptions.DEFAULT.withDeadlineAfter(1, TimeUnit.MINUTES),
        request);
  }

  static DynamicMessage infer(ManagedChannel to, DynamicMessage request) {
    return call(to, "ModelInfer", request, "Answer");
  }

  private static MethodDescriptor.Marshaller<DynamicMessage> marshaller(Descriptor descriptor) {
    return new MethodDescriptor.Marshaller<>() {
      @Override
      public InputStream stream(DynamicMessage value) {
        return new ByteArrayInputStream(value.toByteArray());
      }

      @Override
      public DynamicMessage parse(InputStream stream) {
        try {
          return DynamicMessage.parseFrom(descriptor, stream);
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    };
  }

  @Test
  void aServerTellsOfItselfAndItsModel() {
    DynamicMessage named = message("Named", "name", "model");

    assertThat(get(call(channel, "ServerLive", message("Named"), "Truth"), "is")).isEqualTo(true);
    assertThat(get(call(channel, "ServerReady", message("Named"), "Truth"), "is")).isEqualTo(true);
    assertThat(get(call(channel, "ModelReady", named, "Truth"), "is")).isEqualTo(true);
    assertThat(get(call(channel, "ServerMetadata", message("Named"), "Named"), "name"))
        .isEqualTo("millrace");
    DynamicMessage model = call(channel, "ModelMetadata", named, "Model");
    assertThat(get(model, "versions")).isEqualTo(List.of("1.3"));
    assertThat(get(model, "platform")).isEqualTo("millrace_dl4j");
    assertThat(get(model, "inputs"))
        .asInstanceOf(InstanceOfAssertFactories.LIST)
        .hasSize(5)
        .contains(message("Slot", "name", "amount", "datatype", "FP64", "shape", List.of(-1L)));
    assertThat(get(model, "outputs"))
        .asInstanceOf(InstanceOfAssertFactories.LIST)
        .containsExactly(
            message("Slot", "name", "values", "datatype", "FP32", "shape", List.of(-1L, 2L)));
  }

  /** Data as bytes, and element by element. */
  @Test
  void recordsAndTensorsArePredictedAlikeToTheBit() throws Exception {
    long seed = Seeds.next();
    List<JsonNode> records = FieldTensorsTest.records(new Random(seed), 50);
    List<Float> expected = new ArrayList<>();
    server
        .post("/v2/models/model/predict", ServerUnderTest.JSON.writeValueAsString(records))
        .json()
        .path("predictions")
        .forEach(one -> one.path("values").forEach(value -> expected.add(value.floatValue())));

    DynamicMessage raw = call(channel, "ModelInfer", request(records, true), "Answer");
    DynamicMessage typed = call(channel, "ModelInfer", request(records, false), "Answer");

    assertThat(expected).as("seed %s", seed).hasSize(100);
    assertThat(get(raw, "id")).isEqualTo("r-1");
    assertThat(get(raw, "version")).isEqualTo("1.3");
    assertThat(floats((ByteString) ((List<?>) get(raw, "raw")).get(0)))
        .as("seed %s", seed)
        .isEqualTo(expected);
    DynamicMessage output = (DynamicMessage) ((List<?>) get(typed, "outputs")).get(0);
    assertThat(get(output, "shape")).isEqualTo(List.of(50L, 2L));
    assertThat(get((DynamicMessage) get(output, "contents"), "floats"))
        .as("seed %s", seed)
        .isEqualTo(expected);
    assertThat(server.metric("millrace_serve_requests_total{api=\"grpc_infer\",status=\"200\"}"))
        .isGreaterThanOrEqualTo(2);
  }

  static List<Float> floats(ByteString bytes) {
    FloatBuffer buffer =
        bytes.asReadOnlyByteBuffer().order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer();
    List<Float> floats = new ArrayList<>();
    while (buffer.hasRemaining()) {
      floats.add(buffer.get());
    }
    return floats;
  }

  static DynamicMessage request(List<JsonNode> records, boolean raw) {
    List<DynamicMessage> inputs = new ArrayList<>();
    List<ByteString> all = new ArrayList<>();
    for (String[] input :
        new String[][] {
          {"amount", "FP64"},
          {"shop.country", "BYTES"},
          {"code", "INT64"},
          {"new", "BOOL"},
          {"at", "BYTES"}
        }) {
      List<Long> shape = List.of((long) records.size(), 1L);
      all.add(ByteString.copyFrom(FieldTensorsTest.bytes(records, input[0])));
      inputs.add(
          raw
              ? message("Input", "name", input[0], "datatype", input[1], "shape", shape)
              : message(
                  "Input",
                  "name",
                  input[0],
                  "datatype",
                  input[1],
                  "shape",
                  shape,
                  "contents",
                  contents(records, input[0])));
    }
    return message(
        "Request",
        "model",
        "model",
        "id",
        "r-1",
        "parameters",
        List.of(message("Entry", "key", "missing", "value", message("Parameter", "text", "none"))),
        "inputs",
        inputs,
        "raw",
        raw ? all : List.of());
  }

  private static DynamicMessage contents(List<JsonNode> records, String name) {
    List<JsonNode> values =
        records.stream().map(record -> record.at("/" + name.replace('.', '/'))).toList();
    return switch (name) {
      case "amount" ->
          message(
              "Contents",
              "doubles",
              values.stream()
                  .map(value -> value.isNumber() ? value.doubleValue() : Double.NaN)
                  .toList());
      case "code" ->
          message("Contents", "longs", values.stream().map(JsonNode::longValue).toList());
      case "new" ->
          message("Contents", "bools", values.stream().map(JsonNode::booleanValue).toList());
      default ->
          message(
              "Contents",
              "texts",
              values.stream()
                  .map(value -> value.isTextual() ? value.textValue() : "none")
                  .map(text -> ByteString.copyFrom(text, UTF_8))
                  .toList());
    };
  }

  @Test
  void whatIsWrongIsRefusedWithItsStatus() {
    List<Long> one = List.of(1L);
    assertRefused(
        message("Request", "model", "other"), Status.Code.NOT_FOUND, "There is no model \"other\"");
    assertRefused(
        message("Request", "model", "model"), Status.Code.INVALID_ARGUMENT, "inputs has no tensor");
    assertRefused(
        message(
            "Request",
            "model",
            "model",
            "inputs",
            List.of(
                message(
                    "Input",
                    "name",
                    "amount",
                    "datatype",
                    "FP64",
                    "shape",
                    one,
                    "contents",
                    message("Contents", "ints", List.of(3))))),
        Status.Code.INVALID_ARGUMENT,
        "fill the field of its datatype");
    assertRefused(
        message(
            "Request",
            "model",
            "model",
            "inputs",
            List.of(message("Input", "name", "amount", "datatype", "FP64", "shape", one)),
            "raw",
            List.of(ByteString.copyFrom(new byte[7]))),
        Status.Code.INVALID_ARGUMENT,
        "inputs[0] has 7 bytes, and 1 elements of FP64 have 8");
    assertRefused(
        message("Request", "model", "model", "id", "x".repeat(2 << 20)),
        Status.Code.RESOURCE_EXHAUSTED,
        "exceeds maximum");
  }

  private static void assertRefused(DynamicMessage request, Status.Code code, String message) {
    assertThatThrownBy(() -> call(channel, "ModelInfer", request, "Answer"))
        .isInstanceOfSatisfying(
            StatusRuntimeException.class,
            e -> assertThat(e.getStatus().getCode()).as("%s", e).isEqualTo(code))
        .hasMessageContaining(message);
  }

  /** Both wait until a batch of two is full, which the newest model predicts for. */
  @Test
  void whoAsksForAVersionIsAnsweredByNoOther(@TempDir Path models) throws Exception {
    TellingModels.publish(models, 1);
    try (ServerUnderTest batching =
        ServerUnderTest.start(
                models,
                endpoint(Optional.empty(), new Endpoint.Access.ThisMachine()),
                new Batching(1, 2, Duration.ofHours(1), 100),
                ServerUnderTest.LIMITS)
            .ready()) {
      ManagedChannel to = channel(batching);
      try {
        CompletableFuture<DynamicMessage> first =
            CompletableFuture.supplyAsync(() -> infer(to, one("1.1")));
        await().atMost(PATIENCE).until(() -> batching.metric("millrace_serve_queue_rows") == 1);
        TellingModels.publish(models, 2);
        await().atMost(PATIENCE).until(() -> batching.metric("millrace_serve_model_round") == 2);

        assertThat(get(infer(to, one("")), "version")).isEqualTo("1.2");
        assertThatThrownBy(first::join)
            .hasMessageContaining("NOT_FOUND")
            .hasMessageContaining("the one that is served is 1.2");
      } finally {
        to.shutdownNow();
      }
    }
  }

  /** Asks for a prediction of one feature. */
  private static DynamicMessage one(String version) {
    DynamicMessage input =
        message(
            "Input",
            "name",
            "features",
            "datatype",
            "FP32",
            "shape",
            List.of(1L, 1L),
            "contents",
            message("Contents", "floats", List.of(5f)));
    return message("Request", "model", "model", "version", version, "inputs", List.of(input));
  }

  @Test
  void tokenAndCertificateAreThoseOfHttp(@TempDir Path files) throws Exception {
    Path token = Files.writeString(files.resolve("token"), "secret");
    Path store = SelfSigned.make(files.resolve("store"));
    Path password = Files.writeString(files.resolve("password"), SelfSigned.PASSWORD);
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(KeyStore.getInstance(store.toFile(), SelfSigned.PASSWORD.toCharArray()));
    ChannelCredentials credentials =
        TlsChannelCredentials.newBuilder().trustManager(trust.getTrustManagers()).build();
    try (ServerUnderTest locked =
        ServerUnderTest.start(
            directory,
            endpoint(
                Optional.of(new Endpoint.Tls.Store(store, password)),
                new Endpoint.Access.Token(token)))) {
      ManagedChannel trusting =
          NettyChannelBuilder.forAddress("127.0.0.1", port(locked), credentials).build();
      try {
        assertThat(get(call(trusting, "ServerLive", message("Named"), "Truth"), "is"))
            .isEqualTo(true);
        assertThatThrownBy(() -> call(trusting, "ServerMetadata", message("Named"), "Named"))
            .hasMessageContaining("UNAUTHENTICATED")
            .hasMessageContaining("doesn't show this server's token");
        Metadata shown = new Metadata();
        shown.put(
            Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer secret");
        ClientInterceptor showing = MetadataUtils.newAttachHeadersInterceptor(shown);
        ManagedChannel admitted =
            NettyChannelBuilder.forAddress("127.0.0.1", port(locked), credentials)
                .intercept(showing)
                .build();
        assertThat(get(call(admitted, "ServerMetadata", message("Named"), "Named"), "name"))
            .isEqualTo("millrace");
        admitted.shutdownNow();
      } finally {
        trusting.shutdownNow();
      }
    }
  }
}
