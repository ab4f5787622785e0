package dev.millrace.local.cluster;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/**
 * Where the parts of a cluster listen, on the loopback interface. All others are chosen by the
 * system.
 *
 * @param rest Flink's web page and REST interface; a second JobManager takes the next one
 * @param rpc the JobManager's; not used where there are several
 * @param metrics the first of those that Prometheus reads, one for each Flink process
 */
public record Ports(int rest, int rpc, int metrics, int zooKeeper, int broker) {

  private static final int FIRST = 15_000;
  private static final int LAST = 32_000;

  /** The ports as everybody knows them. */
  public static final Ports USUAL = new Ports(8081, 6123, 9249, 2181, 9092);

  /** Some that are free now, below those that outgoing connections are given. */
  public static Ports free() {
    while (true) {
      int first = ThreadLocalRandom.current().nextInt(FIRST, LAST);
      // Each JobManager has a REST port of its own.
      if (IntStream.range(first, first + 5).allMatch(port -> problem(port).isEmpty())) {
        return new Ports(first, first + 2, first + 5, first + 3, first + 4);
      }
    }
  }

  /** Whether a server can listen there now; a reason where not. */
  static Optional<String> problem(int port) {
    try {
      new ServerSocket(port, 1, InetAddress.getLoopbackAddress()).close();
      return Optional.empty();
    } catch (IOException | IllegalArgumentException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }
}
