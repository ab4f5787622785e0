package dev.millrace.benchmark.stack;

import dev.millrace.local.cluster.ClusterFiles;
import dev.millrace.local.cluster.LocalCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What {@code millrace cluster start} starts: JobManager, TaskManagers and a Kafka broker, each a
 * process of its own, on free ports of the loopback interface.
 */
public final class Cluster implements AutoCloseable {

  private static final Duration LIMIT = Duration.ofMinutes(3);

  private final Checkout checkout;
  private final Path directory;
  private final ChildProcess commands;
  private final int restPort;
  private final int brokerPort;

  /** Ends it where the benchmark is ended. */
  private final Thread atExit = new Thread(this::stop);

  private Cluster(Checkout checkout, Path directory, int restPort, int brokerPort) {
    this.checkout = checkout;
    this.directory = directory;
    this.commands = new ChildProcess(directory, Map.of());
    this.restPort = restPort;
    this.brokerPort = brokerPort;
  }

  /**
   * Starts one, and returns when all of it is there.
   *
   * @param taskManagers processes that train
   * @param slots replicas that each of them can train
   * @param settings of Flink, that win over the shipped ones
   */
  public static Cluster start(
      Checkout checkout,
      Path directory,
      int taskManagers,
      int slots,
      Map<String, String> settings) {
    return start(checkout, directory, taskManagers, slots, settings, List.of());
  }

  /** Starts one with two JobManagers, of which either may be killed, as {@link #start} does. */
  public static Cluster startHighlyAvailable(
      Checkout checkout,
      Path directory,
      int taskManagers,
      int slots,
      Map<String, String> settings) {
    return start(checkout, directory, taskManagers, slots, settings, List.of("--ha"));
  }

  private static Cluster start(
      Checkout checkout,
      Path directory,
      int taskManagers,
      int slots,
      Map<String, String> settings,
      List<String> more) {
    List<Integer> ports = freePorts(5);
    Cluster cluster = new Cluster(checkout, directory, ports.get(0), ports.get(4));
    List<String> command =
        new ArrayList<>(
            List.of(
                checkout.millrace(),
                "cluster",
                "start",
                "--work-dir",
                directory.toString(),
                "--taskmanagers",
                Integer.toString(taskManagers),
                "--slots",
                Integer.toString(slots),
                "--broker"));
    List<String> names =
        List.of("--rest-port", "--rpc-port", "--metrics-port", "--zookeeper-port", "--broker-port");
    for (int i = 0; i < names.size(); i++) {
      command.add(names.get(i));
      command.add(ports.get(i).toString());
    }
    command.addAll(more);
    settings.forEach((key, value) -> command.addAll(List.of("-D", key + "=" + value)));
    Runtime.getRuntime().addShutdownHook(cluster.atExit);
    cluster.commands.run("cluster-start", LIMIT, command);
    return cluster;
  }

  private static List<Integer> freePorts(int count) {
    List<ServerSocket> sockets = new ArrayList<>();
    try {
      for (int i = 0; i < count; i++) {
        sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
      }
      List<Integer> ports = sockets.stream().map(ServerSocket::getLocalPort).toList();
      for (ServerSocket socket : sockets) {
        socket.close();
      }
      return ports;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns its processes, to be looked at, killed and started again. */
  public LocalCluster processes() {
    return new LocalCluster(
        checkout.installation(), new ClusterFiles(directory.resolve("cluster")));
  }

  public String bootstrapServers() {
    return "127.0.0.1:" + brokerPort;
  }

  String rest() {
    return "http://127.0.0.1:" + restPort;
  }

  Checkout checkout() {
    return checkout;
  }

  /** Flink's configuration of it. */
  Path configuration() {
    return directory.resolve("cluster/conf");
  }

  Path directory() {
    return directory;
  }

  /** Runs Flink's own commands against it. */
  ChildProcess client() {
    return new ChildProcess(
        directory, Map.of("FLINK_CONF_DIR", configuration().toString(), "MILLRACE_BUILD", "never"));
  }

  @Override
  public void close() {
    Runtime.getRuntime().removeShutdownHook(atExit);
    stop();
  }

  private void stop() {
    commands.run(
        "cluster-stop",
        LIMIT,
        List.of(checkout.millrace(), "cluster", "stop", "--work-dir", directory.toString()));
  }
}
