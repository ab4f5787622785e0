package dev.millrace.deploy;

import static org.awaitility.Awaitility.await;

import dev.millrace.local.cluster.Ports;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** A server that speaks S3, as a process that can be killed. Its objects are files. */
final class ObjectStore implements AutoCloseable {

  private static final String BUCKET = "millrace";
  private static final String USER = "millrace";
  private static final String SECRET = "of-the-tests";
  private static final Duration LIMIT = Duration.ofMinutes(1);

  private final Path directory;
  private final int port = Ports.free().rest();
  private Process process;

  private ObjectStore(Path directory) {
    this.directory = directory;
  }

  /** Starts one, with an empty bucket, whose files are in {@code directory}. */
  static ObjectStore start(Path directory) throws IOException {
    ObjectStore store = new ObjectStore(directory);
    Files.createDirectories(store.objects());
    Files.write(
        store.properties(),
        List.of(
            "s3proxy.endpoint=http://127.0.0.1:" + store.port,
            "s3proxy.authorization=aws-v2-or-v4",
            "s3proxy.identity=" + USER,
            "s3proxy.credential=" + SECRET,
            "jclouds.provider=filesystem",
            "jclouds.identity=none",
            "jclouds.credential=none",
            "jclouds.filesystem.basedir=" + directory.resolve("buckets")));
    store.startAgain();
    return store;
  }

  /** Starts it where it was, with the objects that it had. */
  void startAgain() throws IOException {
    process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Xmx256m",
                "-Djava.io.tmpdir=" + directory,
                // What goes to standard error it logs, so its log goes elsewhere.
                "-Dorg.slf4j.simpleLogger.logFile=" + directory.resolve("server.log"),
                "-cp",
                Files.readString(Distribution.objectStoreClassPath()).strip(),
                "org.gaul.s3proxy.Main",
                "--properties",
                properties().toString())
            .redirectErrorStream(true)
            .redirectOutput(
                ProcessBuilder.Redirect.appendTo(directory.resolve("server.out").toFile()))
            .start();
    await().atMost(LIMIT).until(this::answers);
  }

  private boolean answers() {
    if (!process.isAlive()) {
      throw new IllegalStateException("The object store has ended; see " + directory);
    }
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  /** Ends it as a power cut would. */
  void kill() {
    process.destroyForcibly().onExit().join();
  }

  /** What Flink's plugin needs to reach it. */
  Map<String, String> configuration() {
    return configuration(SECRET);
  }

  /** The same with another secret key. */
  Map<String, String> configuration(String secret) {
    return Map.of(
        "s3.endpoint",
        "http://127.0.0.1:" + port,
        "s3.path.style.access",
        "true",
        "s3.access-key",
        USER,
        "s3.secret-key",
        secret);
  }

  /** As jobs and commands name a place in its bucket. */
  static String uri(String path) {
    return "s3://%s/%s".formatted(BUCKET, path);
  }

  /** Where the bucket's objects are files. */
  Path objects() {
    return directory.resolve("buckets").resolve(BUCKET);
  }

  private Path properties() {
    return directory.resolve("s3proxy.properties");
  }

  @Override
  public void close() {
    process.destroy();
    process.onExit().join();
  }
}
