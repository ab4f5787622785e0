package dev.millrace.deploy;

import static org.awaitility.Awaitility.await;

import dev.millrace.local.cluster.Installation;
import dev.millrace.local.cluster.Ports;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Flink's SQL gateway as a process, and its client, run as users run it. */
final class SqlGateway implements AutoCloseable {

  private static final Duration LIMIT = Duration.ofMinutes(2);

  private final Installation installation;
  private final Path conf;
  private final Path directory;
  private final String address;
  private final Process process;

  /**
   * Starts one for a cluster.
   *
   * @param conf directory of the cluster's configuration
   * @param directory for logs and temporary files
   */
  SqlGateway(Installation installation, Path conf, Path directory) throws IOException {
    this.installation = installation;
    this.conf = conf;
    this.directory = Files.createDirectories(directory);
    int port = Ports.free().rest();
    this.address = "127.0.0.1:" + port;
    this.process =
        start(
            "gateway",
            "org.apache.flink.table.gateway.SqlGateway",
            "-Dsql-gateway.endpoint.rest.address=127.0.0.1",
            "-Dsql-gateway.endpoint.rest.port=" + port,
            // Or it takes that of the cluster's configuration, which is the JobManager's.
            "-Dsql-gateway.endpoint.rest.bind-port=" + port);
    try {
      await().atMost(LIMIT).until(this::isUp);
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  private boolean isUp() throws IOException {
    if (!process.isAlive()) {
      throw new IllegalStateException("The gateway has ended; it has printed to " + out("gateway"));
    }
    Path log = directory.resolve("gateway.log");
    return Files.exists(log) && Files.readString(log).contains("Rest endpoint listening");
  }

  /** Has the client run a script; the file that it prints to. */
  Client run(String name, String script) throws IOException {
    Path file = Files.writeString(directory.resolve(name + ".sql"), script);
    return new Client(
        start(
            name,
            "org.apache.flink.table.client.SqlClient",
            "gateway",
            "-e",
            address,
            "-f",
            file.toString()),
        out(name));
  }

  /** A client that runs, or has ended. */
  record Client(Process process, Path output) {

    String printed() throws IOException {
      return Files.readString(output);
    }

    void awaitEnd() throws InterruptedException {
      if (!process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
        process.destroy();
        throw new AssertionError("The client doesn't end; it has printed to " + output);
      }
    }
  }

  private Process start(String name, String main, String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-XX:TieredStopAtLevel=1",
            "-Xmx512m",
            "--add-opens=java.base/java.util=ALL-UNNAMED",
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "-Djava.io.tmpdir=" + directory,
            "-Duser.home=" + directory,
            "-Dlog.file=" + directory.resolve(name + ".log"),
            "-Dlog4j2.configurationFile=" + conf.resolve("log4j.properties").toUri(),
            "-cp",
            installation.flinkClassPath(),
            main));
    command.addAll(List.of(arguments));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
            .redirectOutput(out(name).toFile());
    builder.environment().put("FLINK_CONF_DIR", conf.toString());
    builder
        .environment()
        .put("MILLRACE_ENGINES", installation.home().resolve("engines").toString());
    return builder.start();
  }

  private Path out(String name) {
    return directory.resolve(name + ".out");
  }

  @Override
  public void close() {
    process.destroy();
    process.onExit().join();
  }
}
