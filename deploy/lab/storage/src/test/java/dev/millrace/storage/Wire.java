package dev.millrace.storage;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What is between clients and a server of HTTP: passes requests on byte by byte, so that signatures
 * stay valid, and does to them what a test asks for.
 */
public final class Wire implements Closeable {

  private static final Pattern LENGTH = Pattern.compile("(?im)^content-length:\\s*(\\d+)\\s*$");
  private static final String SLOW_DOWN =
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <Error><Code>SlowDown</Code><Message>Please reduce your request rate.</Message></Error>\
      """;

  /** What happens to the requests whose first line matches, so many times. */
  private record Fault(Pattern request, AtomicInteger left, long bytesBefore, boolean throttles) {

    boolean takes(String line) {
      return request.matcher(line).find() && left.getAndUpdate(n -> n > 0 ? n - 1 : n) > 0;
    }
  }

  private static final Fault NONE = new Fault(Pattern.compile(""), new AtomicInteger(), 0, false);

  private final ServerSocket socket;
  private final int target;
  private final Set<Closeable> open = ConcurrentHashMap.newKeySet();
  private final AtomicInteger faulted = new AtomicInteger();
  private volatile Fault fault = NONE;
  private volatile boolean dead;

  private Wire(ServerSocket socket, int target) {
    this.socket = socket;
    this.target = target;
  }

  static Wire to(int port) throws IOException {
    Wire wire = new Wire(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), port);
    daemon("accept", wire::accept);
    return wire;
  }

  int port() {
    return socket.getLocalPort();
  }

  /** The next requests whose first line, such as {@code PUT /a/b}, matches get 503 SlowDown. */
  public void throttle(String request, int times) {
    begin(new Fault(Pattern.compile(request), new AtomicInteger(times), 0, true));
  }

  /**
   * At the next request that matches the server dies, once it has got so many bytes of its body:
   * that connection and all others are cut, and no further one is taken until {@link #heal}.
   */
  public void dieDuring(String request, long bytes) {
    begin(new Fault(Pattern.compile(request), new AtomicInteger(1), bytes, false));
  }

  private void begin(Fault next) {
    faulted.set(0);
    fault = next;
  }

  /** Nothing is disturbed any more. */
  public void heal() {
    fault = NONE;
    dead = false;
  }

  /** How many requests the last fault has met. */
  public int faulted() {
    return faulted.get();
  }

  private void accept() {
    try {
      while (true) {
        Socket client = socket.accept();
        if (dead) {
          client.close();
          continue;
        }
        Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
        client.setTcpNoDelay(true);
        server.setTcpNoDelay(true);
        open.add(client);
        open.add(server);
        if (dead) {
          // It died after the first look, and may have cut all but these two.
          cutAll();
          continue;
        }
        daemon("requests", () -> requestsUntilTheEnd(client, server));
        daemon("answers", () -> answers(client, server));
      }
    } catch (IOException e) {
      // Closed.
    }
  }

  private void answers(Socket client, Socket server) {
    try {
      try {
        server.getInputStream().transferTo(client.getOutputStream());
      } finally {
        client.shutdownOutput();
      }
    } catch (IOException e) {
      // One of the two has ended it.
    }
  }

  /** To the last byte that the client sends: it may not have read yet why nobody listens. */
  private void requestsUntilTheEnd(Socket client, Socket server) {
    try (client;
        server) {
      try {
        requests(client, server);
      } catch (IOException e) {
        client.getInputStream().transferTo(OutputStream.nullOutputStream());
      }
    } catch (IOException e) {
      // One of the two has ended it.
    } finally {
      open.remove(client);
      open.remove(server);
    }
  }

  private void requests(Socket client, Socket server) throws IOException {
    InputStream in = client.getInputStream();
    OutputStream out = server.getOutputStream();
    while (true) {
      String head = head(in);
      Fault now = fault;
      boolean met = now.takes(head.substring(0, head.indexOf('\r')));
      if (met) {
        faulted.incrementAndGet();
      }
      if (met && now.throttles) {
        slowDown(client);
        throw new EOFException("Answered");
      }
      out.write(head.getBytes(ISO_8859_1));
      out.flush();
      if (met) {
        pass(in, out, Math.min(now.bytesBefore, bodyOf(head)));
        dead = true;
        cutAll();
        return;
      }
      pass(in, out, bodyOf(head));
    }
  }

  /** Answers at once, as a store does that is asked too often, and ends the connection. */
  private static void slowDown(Socket client) throws IOException {
    OutputStream out = client.getOutputStream();
    out.write(
        ("HTTP/1.1 503 Slow Down\r\nContent-Type: application/xml\r\nContent-Length: %s\r\n"
                + "Connection: close\r\n\r\n%s")
            .formatted(SLOW_DOWN.length(), SLOW_DOWN)
            .getBytes(ISO_8859_1));
    client.shutdownOutput();
  }

  private static String head(InputStream in) throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    int last = 0;
    while (last != 0x0D0A0D0A) {
      int next = in.read();
      if (next < 0) {
        throw new EOFException();
      }
      head.write(next);
      last = last << 8 | next;
    }
    return head.toString(ISO_8859_1);
  }

  private static long bodyOf(String head) {
    Matcher length = LENGTH.matcher(head);
    return length.find() ? Long.parseLong(length.group(1)) : 0;
  }

  private static void pass(InputStream in, OutputStream out, long bytes) throws IOException {
    byte[] buffer = new byte[8192];
    long left = bytes;
    while (left > 0) {
      int read = in.read(buffer, 0, (int) Math.min(buffer.length, left));
      if (read < 0) {
        throw new EOFException();
      }
      out.write(buffer, 0, read);
      out.flush();
      left -= read;
    }
  }

  private void cutAll() throws IOException {
    for (Closeable one : open) {
      one.close();
    }
  }

  private static void daemon(String name, Runnable work) {
    Thread thread = new Thread(work, "wire-" + name);
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() throws IOException {
    dead = true;
    socket.close();
    cutAll();
  }
}
