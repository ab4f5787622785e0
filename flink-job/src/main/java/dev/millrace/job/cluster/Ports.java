package dev.millrace.job.cluster;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Optional;

/**
 * Where the parts of a cluster listen, on the loopback interface. All others are chosen by the
 * system.
 *
 * @param rest Flink's web page and REST interface; a second JobManager takes the next one
 * @param rpc the JobManager's; not used where there are several
 * @param metrics the first of those that Prometheus reads, one for each Flink process
 */
public record Ports(int rest, int rpc, int metrics, int zooKeeper, int broker) {

  /** As everybody knows them. */
  public static final Ports USUAL = new Ports(8081, 6123, 9249, 2181, 9092);

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
