package dev.millrace.local.broker;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;

/**
 * A real single-node Kafka broker in a JVM of its own, for the demo and for tests. It listens on
 * 127.0.0.1 only and keeps everything in one directory. It ends with this process, however that
 * ends.
 *
 * <p>Thread-safe.
 */
public final class LocalBroker implements AutoCloseable {

  private static final Duration START_LIMIT = Duration.ofSeconds(60);
  private static final Duration STOP_LIMIT = Duration.ofSeconds(15);
  private static final String LOOPBACK = "127.0.0.1";
  private static final Duration POLL = Duration.ofMillis(25);

  /** How often ports are drawn: other processes may take them before the broker does. */
  private static final int ATTEMPTS = 3;

  private final String classPath;
  private final BrokerFiles files;
  private final String clusterId;
  private final String host;
  private final int port;
  private final Thread hook = new Thread(this::stop, "local-broker-stop");
  private Process process;

  private LocalBroker(String classPath, BrokerFiles files, String host, int port) {
    this.classPath = classPath;
    this.files = files;
    this.clusterId = files.clusterId();
    this.host = host;
    this.port = port;
  }

  /**
   * Starts a broker and returns when it answers, in about two seconds on an idle machine.
   *
   * @param classPath of the broker
   * @param directory where the broker keeps data, settings and log; what an earlier broker left in
   *     it is still there
   * @throws LocalBrokerException if it doesn't come up within a minute, or three times when other
   *     processes take its ports; nothing is left running then
   */
  public static LocalBroker start(String classPath, Path directory) {
    return start(classPath, directory, Map.of());
  }

  /**
   * Starts a broker with settings of the server that replace or add to the usual ones. Listeners
   * are added, with their protocols.
   */
  public static LocalBroker start(
      String classPath, Path directory, Map<String, String> serverSettings) {
    return start(classPath, directory, LOOPBACK, serverSettings);
  }

  /**
   * Starts a broker on another address of this machine than the loopback's: for tests with a
   * network.
   */
  public static LocalBroker start(
      String classPath, Path directory, String host, Map<String, String> serverSettings) {
    BrokerFiles files = new BrokerFiles(directory.toAbsolutePath());
    for (int attempt = 1; ; attempt++) {
      int port = freePort(0);
      int controllerPort = freePort(port);
      files.writeSettings(host, port, controllerPort, serverSettings);
      LocalBroker broker = new LocalBroker(withOwnCode(classPath), files, host, port);
      try {
        broker.launch();
      } catch (LocalBrokerException e) {
        // The broker listens seconds later, and another process may be there by then.
        if (attempt < ATTEMPTS && !(isFree(port) && isFree(controllerPort))) {
          continue;
        }
        throw e;
      }
      Runtime.getRuntime().addShutdownHook(broker.hook);
      return broker;
    }
  }

  /**
   * The command line of a broker that somebody else starts and ends, on a port that is known;
   * writes its settings.
   */
  public static List<String> detachedCommand(String classPath, Path directory, int port) {
    new BrokerFiles(directory.toAbsolutePath())
        .writeSettings(LOOPBACK, port, freePort(port), Map.of());
    return detachedCommand(classPath, directory);
  }

  /** Returns the command line of a broker that has been started so before. */
  public static List<String> detachedCommand(String classPath, Path directory) {
    BrokerFiles files = new BrokerFiles(directory.toAbsolutePath());
    files.emptyTemporary();
    List<String> command =
        new ArrayList<>(command(withOwnCode(classPath), files, files.clusterId()));
    command.add(BrokerMain.DETACHED);
    return command;
  }

  public String bootstrapServers() {
    return host + ":" + port;
  }

  /** Returns where the broker writes what it has to say. */
  public Path log() {
    return files.log();
  }

  public synchronized boolean isRunning() {
    return process.isAlive();
  }

  /** Stops the broker in good order; kills it if that takes too long. */
  public synchronized void stop() {
    try {
      process.getOutputStream().close();
    } catch (IOException e) {
      process.destroy();
    }
    if (!ended(STOP_LIMIT)) {
      kill();
    }
    files.deleteTemporary();
  }

  /** Stops the broker as a power cut would. */
  public synchronized void kill() {
    process.destroyForcibly();
    ended(STOP_LIMIT);
  }

  /**
   * Starts the broker on the same port with the same data; stops it before if it is running.
   *
   * @throws LocalBrokerException as {@link #start}
   */
  public synchronized void restart() {
    stop();
    launch();
  }

  @Override
  public void close() {
    stop();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The JVM is going down already, and the hook finds nothing left to stop.
    }
  }

  private static List<String> command(String classPath, BrokerFiles files, String clusterId) {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-Xmx384m",
        "-XX:+UseSerialGC",
        // The second compiler would take from the job's processors more than it gives back.
        "-XX:TieredStopAtLevel=1",
        "-XX:-UsePerfData",
        "-Djava.io.tmpdir=" + files.temporary(),
        "-Dlog4j2.configurationFile=classpath:dev/millrace/local/broker/broker-log4j2.properties",
        "-cp",
        classPath,
        BrokerMain.class.getName(),
        files.settings().toString(),
        clusterId);
  }

  private synchronized void launch() {
    List<String> command = command(classPath, files, clusterId);
    files.emptyTemporary();
    try {
      process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(files.log().toFile()))
              .start();
    } catch (IOException e) {
      throw new LocalBrokerException("Can't start a JVM for the broker: " + command.get(0), e);
    }
    try {
      awaitAnswer();
    } catch (RuntimeException e) {
      kill();
      throw e;
    }
  }

  private void awaitAnswer() {
    long deadline = System.nanoTime() + START_LIMIT.toNanos();
    while (!accepts()) {
      if (ended(POLL)) {
        throw hasEnded();
      }
      if (System.nanoTime() > deadline) {
        throw new LocalBrokerException(
            "The broker was not up after %s s. The end of its log %s:%n%s"
                .formatted(START_LIMIT.toSeconds(), files.log(), files.logTail()));
      }
    }
    awaitCluster(Duration.ofNanos(Math.max(1, deadline - System.nanoTime())));
  }

  /**
   * Waits until the broker answers that was started here. Another one may have taken its port: each
   * directory has a cluster of its own.
   */
  private void awaitCluster(Duration limit) {
    Map<String, Object> settings =
        Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers());
    Admin admin = Admin.create(settings);
    try {
      CompletableFuture<String> answer =
          admin.describeCluster().clusterId().toCompletionStage().toCompletableFuture();
      CompletableFuture.anyOf(answer, process.onExit()).get(limit.toNanos(), TimeUnit.NANOSECONDS);
      if (!process.isAlive()) {
        throw hasEnded();
      }
      if (!answer.join().equals(clusterId)) {
        throw new LocalBrokerException(
            "Another broker has taken %s, where this one was to listen"
                .formatted(bootstrapServers()));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw doesNotAnswer(e);
    } catch (ExecutionException | TimeoutException e) {
      throw doesNotAnswer(e);
    } finally {
      // Else it would wait for an answer of whoever has the port.
      admin.close(Duration.ZERO);
    }
  }

  private LocalBrokerException hasEnded() {
    return new LocalBrokerException(
        "The broker ended with status %s before it was up. The end of its log %s:%n%s"
            .formatted(process.exitValue(), files.log(), files.logTail()));
  }

  private LocalBrokerException doesNotAnswer(Exception cause) {
    return new LocalBrokerException(
        "The broker doesn't answer on %s. The end of its log %s:%n%s"
            .formatted(bootstrapServers(), files.log(), files.logTail()),
        cause);
  }

  /** Clients that find nobody listening complain in the log; a bare socket doesn't. */
  private boolean accepts() {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(host, port), 1000);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private boolean ended(Duration limit) {
    try {
      return process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      process.destroyForcibly().onExit().join();
      Thread.currentThread().interrupt();
      return true;
    }
  }

  private static String withOwnCode(String classPath) {
    try {
      return classPath
          + File.pathSeparator
          + Path.of(BrokerMain.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException("Not the place of a jar or of classes", e);
    }
  }

  /**
   * Finds a port below those that outgoing connections are given, so that none of them takes it.
   */
  private static int freePort(int other) {
    while (true) {
      int candidate = ThreadLocalRandom.current().nextInt(15_000, 32_000);
      if (candidate != other && isFree(candidate)) {
        return candidate;
      }
    }
  }

  private static boolean isFree(int port) {
    try {
      new ServerSocket(port, 1, InetAddress.getLoopbackAddress()).close();
      return true;
    } catch (IOException taken) {
      return false;
    }
  }
}
