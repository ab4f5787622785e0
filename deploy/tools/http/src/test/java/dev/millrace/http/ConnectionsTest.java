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
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
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

  /** How long what is to come is waited for, however busy the machine is. */
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private static final Duration HEADERS = Duration.ofSeconds(1);
  private static final Duration LONG = Duration.ofHours(1);
  private static final String REQUEST = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
  private static final String HELD = REQUEST.replace("/ ", "/held ");

  private final Queue<Cut> cuts = new ConcurrentLinkedQueue<>();
  private final List<Socket> sockets = new ArrayList<>();
  private final Server server = new Server();
  private final ServerConnector connector;
  private Connections connections;
  private final AtomicInteger held = new AtomicInteger();
  private final AtomicLong now = new AtomicLong();

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

  /** Begins with a clock that is moved by hand. */
  private void start(ConnectionLimits limits) throws Exception {
    start(limits, now::incrementAndGet);
  }

  private void start(ConnectionLimits limits, LongSupplier nanoTime) throws Exception {
    connections = new Connections(limits, cuts::add, nanoTime);
    connections.watch(connector.getConnectionFactory(HttpConnectionFactory.class), server);
    connections.setHandler(new Answers());
    server.setHandler(connections);
    server.start();
  }

  /** Lets time pass, and has the server look what has taken too long. */
  private void pass(Duration time) {
    now.addAndGet(time.toNanos());
    connections.look();
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
    socket.setSoTimeout((int) PATIENCE.toMillis());
    sockets.add(socket);
    send(socket, sent);
    return socket;
  }

  private static void send(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(US_ASCII));
    socket.getOutputStream().flush();
  }

  /** Reads one answer, or to the end. */
  private static boolean isAnswered(Socket socket) throws IOException {
    StringBuilder reply = new StringBuilder();
    while (reply.indexOf("hello") < 0) {
      int next = socket.getInputStream().read();
      if (next < 0) {
        return false;
      }
      reply.append((char) next);
    }
    return reply.indexOf("HTTP/1.1 200") == 0;
  }

  private static boolean isClosed(Socket socket) {
    try {
      return socket.getInputStream().read() < 0;
    } catch (IOException e) {
      return !(e instanceof SocketTimeoutException);
    }
  }

  /** Bytes that come would keep it for ever, by the time between two of them alone. */
  @Test
  void headersThatTakeTooLongEndTheConnectionWhateverComesMeanwhile() throws Exception {
    start(new ConnectionLimits(100, 100, HEADERS, LONG));
    Socket socket = connect("GET / HTTP/1.1\r\nX: ");
    await().atMost(PATIENCE).until(() -> connections.count() == 1);

    pass(HEADERS.dividedBy(2));
    assertThat(cuts).isEmpty();
    send(socket, "a");
    pass(HEADERS.dividedBy(2));

    assertThat(isClosed(socket)).isTrue();
    assertThat(cuts).containsExactly(Cut.HEADERS);
    assertThat(connections.count()).isZero();
  }

  @Test
  void aConnectionThatSendsNothingIsClosed() throws Exception {
    start(new ConnectionLimits(100, 100, HEADERS, LONG));
    Socket socket = connect("");
    await().atMost(PATIENCE).until(() -> connections.count() == 1);

    pass(HEADERS);

    assertThat(isClosed(socket)).isTrue();
    assertThat(cuts).containsExactly(Cut.HEADERS);
  }

  /** Nobody tells it to look. */
  @Test
  void aServerLooksForThemAgainAndAgain() throws Exception {
    start(new ConnectionLimits(100, 100, Duration.ofMillis(200), LONG), System::nanoTime);

    assertThat(isClosed(connect(""))).isTrue();
    assertThat(cuts).containsExactly(Cut.HEADERS);
  }

  /** The time of headers begins with their first byte; until then it is an idle connection. */
  @Test
  void aConnectionMayBeIdleBetweenTwoRequestsAndNotSlowInTheSecond() throws Exception {
    start(new ConnectionLimits(100, 100, HEADERS, LONG));
    Socket socket = connect(REQUEST);
    assertThat(isAnswered(socket)).isTrue();
    pass(HEADERS.multipliedBy(2));

    send(socket, REQUEST);
    assertThat(isAnswered(socket)).isTrue();
    assertThat(cuts).isEmpty();
    send(socket, "GET / HTTP");

    // Their time begins at the first look behind the bytes, and ends at the next.
    await()
        .atMost(PATIENCE)
        .until(
            () -> {
              pass(HEADERS);
              return !cuts.isEmpty();
            });
    assertThat(isClosed(socket)).isTrue();
    assertThat(cuts).containsExactly(Cut.HEADERS);
  }

  @Test
  void aRequestThatIsNeverDoneEndsItsConnection() throws Exception {
    start(new ConnectionLimits(100, 100, HEADERS, LONG));
    Socket socket = connect(HELD);
    await().atMost(PATIENCE).until(() -> held.get() == 1);

    pass(LONG);

    assertThat(isClosed(socket)).isTrue();
    assertThat(cuts).containsExactly(Cut.REQUEST);
  }

  @Test
  void aNewConnectionTakesThePlaceOfThatWhichHasWaitedLongest() throws Exception {
    start(new ConnectionLimits(2, 2, LONG, LONG));
    Socket answered = connect(HELD);
    await().atMost(PATIENCE).until(() -> held.get() == 1);
    Socket slow = connect("GET / HTTP/1.1\r\nX: ");
    await().atMost(PATIENCE).until(() -> connections.count() == 2);

    assertThat(isAnswered(connect(REQUEST))).isTrue();

    assertThat(isClosed(slow)).isTrue();
    assertThat(cuts).containsExactly(Cut.ROOM);
    // What is being answered keeps its place. The last one does until its server has seen its end.
    await()
        .atMost(PATIENCE)
        .ignoreExceptionsInstanceOf(IOException.class)
        .until(() -> isAnswered(connect(REQUEST)));
    answered.setSoTimeout(1);
    assertThat(isClosed(answered)).isFalse();
  }

  @Test
  void aNewConnectionIsClosedWhereAllOthersAreBeingAnswered() throws Exception {
    start(new ConnectionLimits(1, 1, LONG, LONG));
    connect(HELD);
    await().atMost(PATIENCE).until(() -> held.get() == 1);

    assertThat(isClosed(connect(""))).isTrue();

    assertThat(cuts).containsExactly(Cut.ROOM);
  }

  @Test
  void oneAddressTakesItsPartAlone() throws Exception {
    start(new ConnectionLimits(100, 1, LONG, LONG));
    Socket first = connect("GET / HT");
    await().atMost(PATIENCE).until(() -> connections.count() == 1);

    assertThat(isAnswered(connect(REQUEST))).isTrue();

    assertThat(isClosed(first)).isTrue();
    assertThat(cuts).containsExactly(Cut.ROOM);
  }
}
