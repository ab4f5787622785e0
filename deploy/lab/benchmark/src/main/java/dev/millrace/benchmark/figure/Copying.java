package dev.millrace.benchmark.figure;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CompletableFuture;

/** The plainest ways to get 40 MB from here to there, in MB/s. */
final class Copying {

  private static final int BYTES = 40_000_000;
  private static final int TIMES = 50;
  private static final int CHUNK = 1 << 17;

  private Copying() {}

  /** Copies within a process. */
  static double arrays() {
    byte[] from = new byte[BYTES];
    byte[] to = new byte[BYTES];
    for (int i = 0; i < 5; i++) {
      System.arraycopy(from, 0, to, 0, BYTES);
    }
    long start = System.nanoTime();
    for (int i = 0; i < TIMES; i++) {
      from[i] = (byte) i;
      System.arraycopy(from, 0, to, 0, BYTES);
    }
    return rate(start);
  }

  /** Copies over a TCP connection, by one thread at either end. */
  static double loopback() throws IOException {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      CompletableFuture<Void> sender =
          CompletableFuture.runAsync(() -> send(server.getLocalPort()));
      try (Socket socket = server.accept();
          InputStream in = socket.getInputStream()) {
        byte[] chunk = new byte[CHUNK];
        long start = System.nanoTime();
        long received = 0;
        for (int read = in.read(chunk); read >= 0; read = in.read(chunk)) {
          received += read;
        }
        if (received != (long) BYTES * TIMES) {
          throw new IOException("Of %s bytes %s arrived".formatted((long) BYTES * TIMES, received));
        }
        sender.join();
        return rate(start);
      }
    }
  }

  /** Copies over two TCP connections at once, as two processes send to each other: each way. */
  static double loopbackBothWays() throws IOException {
    CompletableFuture<Double> there =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return loopback();
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    double back = loopback();
    return (there.join() + back) / 2;
  }

  private static void send(int port) {
    byte[] chunk = new byte[CHUNK];
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        OutputStream out = socket.getOutputStream()) {
      for (long left = (long) BYTES * TIMES; left > 0; left -= CHUNK) {
        out.write(chunk, 0, (int) Math.min(CHUNK, left));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static double rate(long start) {
    return (double) BYTES * TIMES / 1e6 * 1e9 / (System.nanoTime() - start);
  }
}
