package dev.millrace.serve;

import static dev.millrace.serve.ServerUnderTest.PATIENCE;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.millrace.job.serve.Endpoint;
import dev.millrace.job.serve.Limits;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A port for gRPC, without a model. A call has 100 bytes of its own, and 100,000 are for what is
 * more.
 */
class GrpcMemoryTest {

  private static final int OWN = 100;
  private static final int MOST = 100_000;
  private static final int LARGE = 60_000;

  // Types of HTTP/2's frames.
  private static final int DATA = 0;
  private static final int HEADERS = 1;
  private static final int SETTINGS = 4;
  private static final int PING = 6;
  private static final int NO_TYPE = 99;

  private static final String INFER = "inference.GRPCInferenceService/ModelInfer";

  private static final MethodDescriptor.Marshaller<byte[]> BYTES =
      new MethodDescriptor.Marshaller<>() {
        @Override
        public InputStream stream(byte[] value) {
          return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
          try {
            return stream.readAllBytes();
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        }
      };

  private static final MethodDescriptor<byte[], byte[]> METHOD =
      MethodDescriptor.<byte[], byte[]>newBuilder(BYTES, BYTES)
          .setType(MethodDescriptor.MethodType.UNARY)
          .setFullMethodName(INFER)
          .build();

  private final BodyBudget bodies = new BodyBudget(100 * OWN, MOST);
  private Front front;
  private ManagedChannel channel;

  private void start(Duration timeout) throws IOException {
    start(timeout, 1000);
  }

  private void start(Duration timeout, int maxConnections) throws IOException {
    Limits limits = new Limits(90_000, 256, timeout, maxConnections, Duration.ZERO);
    front =
        Front.find()
            .orElseThrow()
            .start(
                GrpcTest.endpoint(Optional.empty(), new Endpoint.Access.ThisMachine()),
                limits,
                new PredictionService(
                    "model",
                    new AccessToken(),
                    new Readiness(Optional::empty),
                    null,
                    null,
                    bodies,
                    new ServerMetrics()));
    channel =
        NettyChannelBuilder.forAddress("127.0.0.1", front.address().getPort())
            .usePlaintext()
            .build();
  }

  @AfterEach
  void stop() {
    channel.shutdownNow();
    front.stop();
  }

  /** A call that has sent its message and doesn't end it. */
  private final class OpenCall extends ClientCall.Listener<byte[]> {

    private final CompletableFuture<Status> end = new CompletableFuture<>();
    private final ClientCall<byte[], byte[]> call = channel.newCall(METHOD, CallOptions.DEFAULT);

    OpenCall(int bytes) {
      call.start(this, new Metadata());
      call.sendMessage(new byte[bytes]);
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      end.complete(status);
    }
  }

  private void awaitTaken(long bytes) {
    await().atMost(PATIENCE).until(() -> bodies.taken() == bytes);
  }

  @Test
  void messagesTakeNoMoreThanThereIsForAllAndSmallOnesAreTaken() throws Exception {
    start(PATIENCE);
    OpenCall held = new OpenCall(LARGE);
    awaitTaken(LARGE - OWN);

    Status refused = new OpenCall(LARGE).end.get(1, TimeUnit.MINUTES);

    assertThat(refused.getCode()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(refused.getDescription()).contains("(100000 bytes) already; ask again later");
    awaitTaken(LARGE - OWN);
    assertThatThrownBy(() -> infer(CallOptions.DEFAULT)).hasMessageContaining("no model \"\"");
    assertThat(held.end).isNotDone();
    held.call.cancel("The test ends", null);
    awaitTaken(0);
  }

  private byte[] infer(CallOptions options) {
    return ClientCalls.blockingUnaryCall(channel, METHOD, options, new byte[0]);
  }

  @Test
  void aMessageThatNeverEndsTakesWhatHasComeOfIt() throws Exception {
    start(PATIENCE);
    try (Socket socket = connect()) {
      byte[] first = ByteBuffer.allocate(10_000).put((byte) 0).putInt(LARGE).array();
      send(socket, DATA, 0, 1, first);
      awaitTaken(first.length - 5 - OWN);
      send(socket, DATA, 0, 1, new byte[10_000]);
      awaitTaken(2 * first.length - 5 - OWN);
    }
    awaitTaken(0);
  }

  /**
   * A stream whose answer isn't taken keeps its connection from being idle. A client that is slow
   * itself may have no answer, and asks again.
   */
  @Test
  void aConnectionWhoseAnswerNobodyTakesEnds() throws Exception {
    start(Duration.ofMillis(300));

    await()
        .atMost(PATIENCE)
        .ignoreExceptionsInstanceOf(IOException.class)
        .until(
            () -> {
              try (Socket socket = connect()) {
                send(socket, DATA, 1, 1, new byte[5]);
                return reads(socket, HEADERS) && !reads(socket, NO_TYPE);
              }
            });
  }

  @Test
  void oneAddressHasHalfOfTheConnections() throws Exception {
    start(PATIENCE, 4);
    try (Socket first = connect("127.0.0.1");
        Socket second = connect("127.0.0.1")) {
      assertThat(isAnswered(first)).isTrue();
      assertThat(isAnswered(second)).isTrue();

      assertThat(isRefused("127.0.0.1")).isTrue();
      try (Socket other = connect("127.0.0.2")) {
        assertThat(isAnswered(other)).isTrue();
      }
    }
  }

  /** A connection that ends while its client still writes is reset. */
  private boolean isRefused(String address) throws IOException {
    try (Socket socket = connect(address)) {
      return !reads(socket, HEADERS);
    } catch (SocketException e) {
      return true;
    }
  }

  private static boolean isAnswered(Socket socket) throws IOException {
    send(socket, DATA, 1, 1, new byte[5]);
    return reads(socket, HEADERS);
  }

  /** Reads up to a frame of a type, and answers pings; false where the connection ends before. */
  private static boolean reads(Socket socket, int type) throws IOException {
    InputStream in = socket.getInputStream();
    for (int first = in.read(); first >= 0; first = in.read()) {
      ByteBuffer head = ByteBuffer.allocate(9).put((byte) first).put(in.readNBytes(8));
      byte[] payload = in.readNBytes(head.getInt(0) >>> 8);
      if (head.get(3) == type) {
        return true;
      }
      if (head.get(3) == PING && head.get(4) == 0) {
        send(socket, PING, 1, 0, payload);
      }
    }
    return false;
  }

  /** Begins a call over HTTP/2 by hand, with no room for an answer. */
  private Socket connect() throws IOException {
    return connect("127.0.0.1");
  }

  private Socket connect(String from) throws IOException {
    Socket socket =
        new Socket(
            InetAddress.getLoopbackAddress(),
            front.address().getPort(),
            InetAddress.getByName(from),
            0);
    socket.setSoTimeout((int) PATIENCE.toMillis());
    socket.getOutputStream().write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(US_ASCII));
    send(socket, SETTINGS, 0, 0, new byte[] {0, 4, 0, 0, 0, 0});
    ByteArrayOutputStream headers = new ByteArrayOutputStream();
    // POST, http, and those that stand in HPACK's table with another value, or not at all.
    headers.writeBytes(new byte[] {(byte) 0x83, (byte) 0x86, 0x04});
    text(headers, "/inference.GRPCInferenceService/ServerLive");
    headers.write(0x01);
    text(headers, "localhost");
    headers.writeBytes(new byte[] {0x0f, 0x10});
    text(headers, "application/grpc");
    headers.write(0x00);
    text(headers, "te");
    text(headers, "trailers");
    send(socket, HEADERS, 4, 1, headers.toByteArray());
    return socket;
  }

  private static void text(ByteArrayOutputStream to, String text) {
    to.write(text.length());
    to.writeBytes(text.getBytes(US_ASCII));
  }

  private static void send(Socket socket, int type, int flags, int stream, byte[] payload)
      throws IOException {
    ByteBuffer frame = ByteBuffer.allocate(9 + payload.length);
    frame.putInt(payload.length << 8 | type).put((byte) flags).putInt(stream).put(payload);
    socket.getOutputStream().write(frame.array());
  }

  @Test
  void aCompressedMessageIsRefused() throws Exception {
    start(PATIENCE);

    assertThatThrownBy(() -> infer(CallOptions.DEFAULT.withCompression("gzip")))
        .hasMessageContaining("UNIMPLEMENTED")
        .hasMessageContaining("gzip");
  }
}
