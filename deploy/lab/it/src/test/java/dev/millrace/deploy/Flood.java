package dev.millrace.deploy;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.millrace.example.testing.Mutation;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Clients that mean no good to a server, until they are told to end. */
final class Flood implements AutoCloseable {

  private static final int BODY = 16 << 20;

  /** Threads that send malformed requests. */
  private static final int SENDERS = 8;

  /** Before a client comes again: those that send bodies are to leave a processor to the server. */
  private static final int PAUSE_MILLIS = 100;

  private final int port;
  private final List<Thread> threads = new ArrayList<>();
  private final AtomicInteger bodies = new AtomicInteger();
  private final AtomicInteger malformed = new AtomicInteger();
  private volatile boolean ended;

  Flood(int port) {
    this.port = port;
  }

  /** One connection that sends bytes. */
  private interface Client {

    void send(Socket socket) throws IOException, InterruptedException;
  }

  private void start(Client client) {
    Thread thread =
        new Thread(
            () -> {
              try {
                while (!ended) {
                  once(client);
                  TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
                }
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            },
            "flood");
    thread.setDaemon(true);
    threads.add(thread);
    thread.start();
  }

  private void once(Client client) throws InterruptedException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(60_000);
      client.send(socket);
    } catch (IOException e) {
      // The server has closed it.
    }
  }

  /** Connections whose headers come byte by byte. */
  Flood slow(int connections) {
    for (int i = 0; i < connections; i++) {
      start(
          socket -> {
            OutputStream out = socket.getOutputStream();
            out.write("GET /v2 HTTP/1.1\r\nHost: localhost\r\nX: ".getBytes(US_ASCII));
            while (!ended) {
              out.write('a');
              TimeUnit.MILLISECONDS.sleep(500);
            }
          });
    }
    return this;
  }

  /** Bodies of the greatest length whose last byte is long in coming. */
  Flood bodies(int connections) {
    byte[] part = new byte[1 << 16];
    Arrays.fill(part, (byte) ' ');
    for (int i = 0; i < connections; i++) {
      start(
          socket -> {
            OutputStream out = socket.getOutputStream();
            out.write(head(BODY).getBytes(US_ASCII));
            for (int left = BODY - 1; left > 0; left -= part.length) {
              out.write(part, 0, Math.min(left, part.length));
            }
            bodies.incrementAndGet();
            socket.getInputStream().readAllBytes();
          });
    }
    return this;
  }

  /** Requests for predictions with a few bytes wrong, up to a number. */
  Flood malformed(int count, long seed) {
    byte[] right = request();
    for (int i = 0; i < SENDERS; i++) {
      Random random = new Random(seed + i);
      start(
          socket -> {
            // A connection has several, one after the other, until the server closes it.
            while (malformed.get() < count) {
              socket.getOutputStream().write(Mutation.of(right, random));
              malformed.incrementAndGet();
              if (random.nextBoolean()) {
                socket.shutdownOutput();
                socket.getInputStream().readAllBytes();
                return;
              }
            }
          });
    }
    return this;
  }

  static byte[] request() {
    String body =
        "{\"inputs\":[{\"name\":\"features\",\"shape\":[1,4],\"datatype\":\"FP32\",\"data\":[5,3,1,0]}]}";
    return (head(body.length()) + body).getBytes(US_ASCII);
  }

  private static String head(int length) {
    return "POST /v2/models/model/infer HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: %s\r\n\r\n"
        .formatted(length);
  }

  /** Bodies that were sent but for their last byte. */
  int bodies() {
    return bodies.get();
  }

  int malformed() {
    return malformed.get();
  }

  @Override
  public void close() {
    ended = true;
    threads.forEach(Thread::interrupt);
  }
}
