package dev.millrace.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ConnectionsTest {

  private static final Duration SHORT = Duration.ofMillis(200);
  private static final Duration LONG = Duration.ofHours(1);
  private static final String REQUEST = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
  private static final String HELD = REQUEST.replace("/ ", "/held ");

  private final Queue<Cut> cuts = new ConcurrentLinkedQueue<>();
  private final List<Socket> sockets = new ArrayList<>();
  private final Server server = new Server();
  private final ServerConnector connector;
  private Connections connections;
  private final AtomicInteger held = new AtomicInteger();

  ConnectionsTest() {
    HttpConnectionFactory http = new HttpConnectionFactory();
    connector = new ServerConnector(server, 1, 1, http);
    connector.setHost("127.0.0.1");
    server.addConnector(connector);
  }

  /** A request for /held isn't answered. */
  private final class Answers extends Handler.Abstract {

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
      if (Request.getPathInContext(request).equals("/held")) {
        held.incrementAndGet();
      } else {
        response.write(true, ByteBuffer.wrap("hello".getBytes(US_ASCII)), callback);
      }
      return true;
    }
  }

  private void start(ConnectionLimits limits) throws Exception {
    connections = new Connections(limits, cuts::add);
    connections.watch(connector.getConnectionFactory(HttpConnectionFactory.class), server);
    connections.setHandler(new Answers());
    server.setHandler(connections);
    server.start();
  }

  @AfterEach
  void stop() throws Exception {
    for (Socket socket : sockets) {
      socket.close();
    }
    server.stop();
  }

  private Socket connect(String sent) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), connector.getLocalPort());
    socket.setSoTimeout(20_000);
    sockets.add(socket);
    send(socket, sent);
    return socket;
  }

  private static void send(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(US_ASCII));
    socket.getOutputStream().flush();
  }

  private static boolean isAnswered(Socket socket) throws IOException {
    byte[] reply = new byte[1_000];
    int length = socket.getInputStream().read(reply);
    return length > 0 && new String(reply, 0, length, US_ASCII).startsWith("HTTP/1.1 200");
  }

  private static boolean isClosed(Socket socket) {
    try {
      return socket.getInputStream().read() < 0;
    } catch (IOException e) {
      return !(e instanceof SocketTimeoutException);
    }
  }

  /** A byte each 20 ms would keep it for ever, by the time between two bytes alone. */
  @Test
  void headersThatTakeTooLongEndTheConnectionWhateverComesMeanwhile() throws Exception {
    start(new ConnectionLimits(100, 100, SHORT, LONG));
    Socket socket = connect("GET / HTTP/1.1\r\nX: ");

    await()
        .pollInterval(Duration.ofMillis(20))
        .until(
            () -> {
              try {
                send(socket, "a");
                return false;
              } catch (IOException e) {
                return true;
              }
            });

    assertThat(cuts).containsExactly(Cut.HEADERS);
    assertThat(connections.count()).isZero();
  }

  @Test
  void aConnectionThatSendsNothingIsClosed() throws Exception {
    start(new ConnectionLimits(100, 100, SHORT, LONG));

    assertThat(isClosed(connect(""))).isTrue();
    assertThat(cuts).containsExactly(Cut.HEADERS);
  }

  /** The time of headers begins with their first byte; until then it is an idle connection. */
  @Test
  void aConnectionMayBeIdleBetweenTwoRequestsAndNotSlowInTheSecond() throws Exception {
    start(new ConnectionLimits(100, 100, Duration.ofSeconds(1), LONG));
    Socket socket = connect(REQUEST);
    assertThat(isAnswered(socket)).isTrue();
    // Another one's end says that the time for headers has passed twice.
    assertThat(isClosed(connect(""))).isTrue();
    assertThat(isClosed(connect(""))).isTrue();

    send(socket, REQUEST);
    assertThat(isAnswered(socket)).isTrue();
    send(socket, "GET / HTTP");

    assertThat(isClosed(socket)).isTrue();
    assertThat(cuts).containsExactly(Cut.HEADERS, Cut.HEADERS, Cut.HEADERS);
  }

  @Test
  void aRequestThatIsNeverDoneEndsItsConnection() throws Exception {
    start(new ConnectionLimits(100, 100, SHORT, SHORT));

    assertThat(isClosed(connect(HELD))).isTrue();
    assertThat(cuts).containsExactly(Cut.REQUEST);
  }

  @Test
  void aNewConnectionTakesThePlaceOfThatWhichHasWaitedLongest() throws Exception {
    start(new ConnectionLimits(2, 2, LONG, LONG));
    Socket answered = connect(HELD);
    await().until(() -> held.get() == 1);
    Socket slow = connect("GET / HTTP/1.1\r\nX: ");
    await().until(() -> connections.count() == 2);

    assertThat(isAnswered(connect(REQUEST))).isTrue();

    assertThat(isClosed(slow)).isTrue();
    assertThat(cuts).containsExactly(Cut.ROOM);
    // What is being answered keeps its place.
    assertThat(isAnswered(connect(REQUEST))).isTrue();
    answered.setSoTimeout(1);
    assertThat(isClosed(answered)).isFalse();
  }

  @Test
  void aNewConnectionIsClosedWhereAllOthersAreBeingAnswered() throws Exception {
    start(new ConnectionLimits(1, 1, LONG, LONG));
    connect(HELD);
    await().until(() -> held.get() == 1);

    assertThat(isClosed(connect(""))).isTrue();

    assertThat(cuts).containsExactly(Cut.ROOM);
  }

  @Test
  void oneAddressTakesItsPartAlone() throws Exception {
    start(new ConnectionLimits(100, 1, LONG, LONG));
    Socket first = connect("GET / HT");
    await().until(() -> connections.count() == 1);

    assertThat(isAnswered(connect(REQUEST))).isTrue();

    assertThat(isClosed(first)).isTrue();
    assertThat(cuts).containsExactly(Cut.ROOM);
  }
}
