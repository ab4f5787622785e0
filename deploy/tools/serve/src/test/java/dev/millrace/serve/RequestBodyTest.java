package dev.millrace.serve;

import static dev.millrace.serve.ServerUnderTest.PATIENCE;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Over real connections. A body has 10,000 bytes of its own, and 100,000 are for what is more. */
class RequestBodyTest {

  private static final int EACH = 10_000;
  private static final int MOST = 100_000;
  private static final int MAX_BODY = 90_000;

  /** A request of which the bytes are there only when the test lets them. */
  private final class HeldRequest extends Request.Wrapper {

    HeldRequest(Request request) {
      super(request);
    }

    @Override
    public Content.Chunk read() {
      reading.countDown();
      try {
        letRead.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      return super.read();
    }
  }

  private final CountDownLatch reading = new CountDownLatch(1);
  private volatile CountDownLatch letRead = new CountDownLatch(0);
  private volatile Duration time = PATIENCE;

  /** Ends a body whose time is over. */
  private volatile Thread end;

  private final BodyBudget budget = new BodyBudget(EACH, MOST);
  private final Server server = new Server();
  private final ServerConnector connector = new ServerConnector(server, 1, 1);

  @BeforeEach
  void start() throws Exception {
    connector.setHost("127.0.0.1");
    server.addConnector(connector);
    server.setHandler(new Reading());
    server.start();
  }

  @AfterEach
  void stop() throws Exception {
    server.stop();
  }

  /** Answers with the length of what has come, or with the status of its refusal. */
  private final class Reading extends Handler.Abstract {

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // Each outcome of it answers the request.
    public boolean handle(Request request, Response response, Callback callback) {
      try {
        new RequestBody(new HeldRequest(request), MAX_BODY, budget)
            .read(time.toNanos(), this::end)
            .whenComplete(
                (body, failure) -> {
                  if (failure == null) {
                    answer(response, callback, 200, "" + body.length());
                  } else {
                    refuse(response, callback, failure);
                  }
                });
      } catch (RefusedRequestException e) {
        refuse(response, callback, e);
      }
      return true;
    }

    private void end(Runnable task) {
      end = new Thread(task, "end");
      end.start();
    }

    private void refuse(Response response, Callback callback, Throwable failure) {
      Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
      if (cause instanceof RefusedRequestException refused) {
        answer(response, callback, refused.status(), refused.getMessage());
      } else if (cause instanceof TimeoutException) {
        answer(response, callback, 408, "late");
      } else {
        callback.failed(failure);
      }
    }

    private void answer(Response response, Callback callback, int status, String text) {
      response.setStatus(status);
      response.getHeaders().put("Connection", "close");
      response.write(true, ByteBuffer.wrap(text.getBytes(US_ASCII)), callback);
    }
  }

  /** Sends some bytes of a body that is to be longer, perhaps. */
  private Socket send(String length, int bytes) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), connector.getLocalPort());
    socket.setSoTimeout((int) PATIENCE.toMillis());
    socket
        .getOutputStream()
        .write(
            "POST / HTTP/1.1\r\nHost: x\r\n%s\r\n\r\n%s"
                .formatted(length, "x".repeat(bytes))
                .getBytes(US_ASCII));
    socket.getOutputStream().flush();
    return socket;
  }

  private static String told(int length) {
    return "Content-Length: " + length;
  }

  /** Reads all that comes. A server that closes before it has read all resets the connection. */
  private static String reply(Socket socket) throws IOException {
    ByteArrayOutputStream reply = new ByteArrayOutputStream();
    try {
      socket.getInputStream().transferTo(reply);
    } catch (SocketException e) {
      // What came before is the reply.
    }
    return reply.toString(US_ASCII);
  }

  @Test
  void aLengthThatIsOnlyClaimedTakesNothing() throws Exception {
    try (Socket first = send(told(MAX_BODY), 5_000);
        Socket second = send(told(MAX_BODY), 5_000);
        Socket third = send(told(MAX_BODY), MAX_BODY)) {
      assertThat(reply(third)).startsWith("HTTP/1.1 200").endsWith("\r\n" + MAX_BODY);
      assertThat(first.isConnected() && second.isConnected()).isTrue();
    }
  }

  @Test
  void whatHasNoRoomIsRefusedBeforeItIsReadAndSmallOnesAreNot() throws Exception {
    try (Socket held = send(told(MAX_BODY), MAX_BODY - 1)) {
      await().atMost(PATIENCE).until(() -> budget.taken() == MAX_BODY - EACH);

      try (Socket large = send(told(MAX_BODY), 0);
          Socket small = send(told(EACH), EACH)) {
        assertThat(reply(large)).startsWith("HTTP/1.1 503").contains("(100000 bytes) already");
        assertThat(reply(small)).startsWith("HTTP/1.1 200");
      }
      held.getOutputStream().write('x');
      assertThat(reply(held)).startsWith("HTTP/1.1 200");
    }
    await().atMost(PATIENCE).until(() -> budget.taken() == 0);
  }

  @Test
  void aBodyThatHasNoRoomWhileItComesIsRefusedAndGivesBackWhatItHad() throws Exception {
    try (Socket held = send(told(MAX_BODY), MAX_BODY - 1)) {
      await().atMost(PATIENCE).until(() -> budget.taken() == MAX_BODY - EACH);
      try (Socket chunked = send("Transfer-Encoding: chunked", 0)) {
        chunked
            .getOutputStream()
            .write("C350\r\n%s\r\n".formatted("x".repeat(50_000)).getBytes(US_ASCII));
        assertThat(reply(chunked)).startsWith("HTTP/1.1 503");
      }
      await().atMost(PATIENCE).until(() -> budget.taken() == MAX_BODY - EACH);
      assertThat(held.isConnected()).isTrue();
    }
    // Whoever goes away gives back, too.
    await().atMost(PATIENCE).until(() -> budget.taken() == 0);
  }

  @Test
  void aBodyWhoseTimeEndsWhileItIsReadIsAnsweredWhenNobodyReads() throws Exception {
    letRead = new CountDownLatch(1);
    time = Duration.ofMillis(100);
    try (Socket socket = sendUntilItIsRead()) {
      await().atMost(PATIENCE).until(() -> end != null && end.getState() == Thread.State.BLOCKED);

      letRead.countDown();

      assertThat(reply(socket)).startsWith("HTTP/1.1 408");
    }
  }

  /** On a slow machine a body's time may be over before anybody reads it: it sends another then. */
  private Socket sendUntilItIsRead() throws IOException {
    while (true) {
      end = null;
      Socket socket = send(told(MAX_BODY), 5_000);
      await()
          .atMost(PATIENCE)
          .until(() -> reading.getCount() == 0 || (end != null && !end.isAlive()));
      if (reading.getCount() == 0) {
        return socket;
      }
      socket.close();
    }
  }
}
