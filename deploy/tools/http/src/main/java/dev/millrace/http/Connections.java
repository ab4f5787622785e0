package dev.millrace.http;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Bounds what clients take of a server: how many connections are open, and how long a request may
 * take to be sent, answered and its answer taken. A server accepts always: where there are too many
 * connections, the one that has waited longest without a request is closed for the new one, and so
 * slow clients keep nobody out. Jetty's own limits stop accepting, and its times are between two
 * bytes.
 *
 * <p>Is told of connections by a {@link HttpConnectionFactory}, and of requests as the outermost
 * handler. Thread-safe.
 */
public final class Connections extends Handler.Wrapper implements Connection.Listener {

  private static final Logger LOG = LoggerFactory.getLogger(Connections.class);

  private static final Duration MOST_BETWEEN_LOOKS = Duration.ofSeconds(1);
  private static final Duration BETWEEN_LOGS = Duration.ofMinutes(1);

  /**
   * The bytes of an address of IPv6 that tell whose it is: who has one address has all of its 64
   * bits.
   */
  private static final int NETWORK_BYTES = 8;

  /** What a connection is doing. */
  private enum Phase {
    HEADERS,
    REQUEST,
    IDLE
  }

  /** An open connection. */
  private final class Open {

    private final Connection connection;
    private final Object address;
    private Phase phase = Phase.HEADERS;
    private long since = nanoTime.getAsLong();

    /** Bytes that had come when it became idle. */
    private long bytes;

    Open(Connection connection) {
      this.connection = connection;
      this.address = address(connection);
    }

    private static Object address(Connection connection) {
      if (!(connection.getEndPoint().getRemoteSocketAddress()
          instanceof InetSocketAddress remote)) {
        return "none";
      }
      InetAddress address = remote.getAddress();
      byte[] bytes = address.getAddress();
      return ByteBuffer.wrap(
          bytes.length > NETWORK_BYTES ? Arrays.copyOf(bytes, NETWORK_BYTES) : bytes);
    }

    void enter(Phase next) {
      phase = next;
      since = nanoTime.getAsLong();
    }
  }

  private final ConnectionLimits limits;
  private final Consumer<Cut> listener;
  private final LongSupplier nanoTime;

  // Guarded by this.
  private final Map<Connection, Open> open = new HashMap<>();
  private final Map<Cut, Integer> unlogged = new EnumMap<>(Cut.class);
  private long lastLog;

  /**
   * @param listener hears of each connection that is closed
   */
  public Connections(ConnectionLimits limits, Consumer<Cut> listener) {
    this(limits, listener, System::nanoTime);
  }

  Connections(ConnectionLimits limits, Consumer<Cut> listener, LongSupplier nanoTime) {
    this.limits = limits;
    this.listener = listener;
    this.nanoTime = nanoTime;
    this.lastLog = nanoTime.getAsLong() - BETWEEN_LOGS.toNanos();
  }

  /** Bounds the connections of a factory of a server, which hasn't been started. */
  public void watch(HttpConnectionFactory factory, Server server) {
    factory.addEventListener(this);
    Duration pause = limits.headers().dividedBy(4);
    Repeated.add(
        server, pause.compareTo(MOST_BETWEEN_LOOKS) < 0 ? pause : MOST_BETWEEN_LOOKS, this::look);
  }

  @Override
  public void onOpened(Connection connection) {
    Open begun = new Open(connection);
    Optional<Open> closed;
    synchronized (this) {
      open.put(connection, begun);
      closed = tooMany(begun);
      closed.ifPresent(one -> open.remove(one.connection));
    }
    closed.ifPresent(one -> cut(one, Cut.ROOM));
  }

  /** The one to close, of those of this address or of all. */
  private Optional<Open> tooMany(Open begun) {
    List<Open> sameAddress =
        open.values().stream().filter(one -> one.address.equals(begun.address)).toList();
    if (sameAddress.size() > limits.mostOfAddress()) {
      return Optional.of(longest(sameAddress, begun));
    }
    return open.size() > limits.most()
        ? Optional.of(longest(open.values(), begun))
        : Optional.empty();
  }

  private static Open longest(Iterable<Open> of, Open begun) {
    Open longest = begun;
    for (Open one : of) {
      if (one.phase != Phase.REQUEST && one.since - longest.since < 0) {
        longest = one;
      }
    }
    return longest;
  }

  @Override
  public synchronized void onClosed(Connection connection) {
    open.remove(connection);
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    Connection connection = request.getConnectionMetaData().getConnection();
    enter(connection, Phase.REQUEST);
    Request.addCompletionListener(request, failure -> enter(connection, Phase.IDLE));
    return super.handle(request, response, callback);
  }

  private synchronized void enter(Connection connection, Phase phase) {
    Open one = open.get(connection);
    if (one != null) {
      one.enter(phase);
      one.bytes = connection.getBytesIn();
    }
  }

  /** Cuts what has taken too long. */
  void look() {
    overdue().forEach(this::cut);
    log();
  }

  private synchronized Map<Open, Cut> overdue() {
    long now = nanoTime.getAsLong();
    Map<Open, Cut> overdue = new HashMap<>();
    for (Open one : open.values()) {
      switch (one.phase) {
        case HEADERS -> {
          if (now - one.since > limits.headers().toNanos()) {
            overdue.put(one, Cut.HEADERS);
          }
        }
        case REQUEST -> {
          if (now - one.since > limits.request().toNanos()) {
            overdue.put(one, Cut.REQUEST);
          }
        }
        case IDLE -> {
          if (one.connection.getBytesIn() > one.bytes) {
            one.enter(Phase.HEADERS);
          }
        }
      }
    }
    overdue.keySet().forEach(one -> open.remove(one.connection));
    return overdue;
  }

  /** Cuts a connection, not under the lock: Jetty has locks of its own. */
  private void cut(Open one, Cut why) {
    synchronized (this) {
      unlogged.merge(why, 1, Integer::sum);
    }
    listener.accept(why);
    one.connection.getEndPoint().close(new IOException("It was closed: " + why.reason()));
  }

  /** Logs what was cut; whoever sends much doesn't fill the disk. */
  private void log() {
    List<String> lines = new ArrayList<>();
    synchronized (this) {
      long now = nanoTime.getAsLong();
      if (unlogged.isEmpty() || now - lastLog < BETWEEN_LOGS.toNanos()) {
        return;
      }
      lastLog = now;
      unlogged.forEach((why, count) -> lines.add("%s: %s".formatted(count, why.reason())));
      unlogged.clear();
    }
    LOG.warn("Connections were closed: {}", String.join("; ", lines));
  }

  /** Returns how many are open. */
  public synchronized int count() {
    return open.size();
  }
}
