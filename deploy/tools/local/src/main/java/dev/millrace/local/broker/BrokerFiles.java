package dev.millrace.local.broker;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import org.apache.flink.util.FileUtils;
import org.apache.kafka.common.Uuid;

/** The directory of a {@link LocalBroker}: its settings, its data and its log. */
record BrokerFiles(Path directory) {

  private static final int TAIL_LINES = 25;

  /** Settings to which others are added, where they would replace the rest. */
  private static final Set<String> LISTENERS =
      Set.of("listeners", "listener.security.protocol.map");

  Path settings() {
    return directory.resolve("server.properties");
  }

  Path log() {
    return directory.resolve("broker.log");
  }

  /** Returns where Kafka unpacks native code of its compression. */
  Path temporary() {
    return directory.resolve("tmp");
  }

  /** Returns the id of the cluster whose data is here, or a new one where there is none yet. */
  String clusterId() {
    Path file = data().resolve("meta.properties");
    if (!Files.exists(file)) {
      return Uuid.randomUuid().toString();
    }
    Properties known = new Properties();
    try (InputStream in = Files.newInputStream(file)) {
      known.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException("Can't read what the broker's data is in " + file, e);
    }
    return known.getProperty("cluster.id", "");
  }

  private Path data() {
    return directory.resolve("data");
  }

  /** A broker that was killed has left its own. */
  void emptyTemporary() {
    deleteTemporary();
    try {
      Files.createDirectories(temporary());
    } catch (IOException e) {
      throw new UncheckedIOException("Can't make the broker's directory " + temporary(), e);
    }
  }

  void deleteTemporary() {
    try {
      FileUtils.deleteDirectory(temporary().toFile());
    } catch (IOException e) {
      throw new UncheckedIOException("Can't delete the broker's directory " + temporary(), e);
    }
  }

  /** Writes the settings of a single node that is broker and controller, small. */
  void writeSettings(String host, int port, int controllerPort, Map<String, String> overrides) {
    Map<String, String> settings = new TreeMap<>();
    settings.put("process.roles", "broker,controller");
    settings.put("node.id", "1");
    settings.put("controller.quorum.voters", "1@127.0.0.1:" + controllerPort);
    settings.put(
        "listeners",
        "CLIENT://%s:%s,CONTROLLER://127.0.0.1:%s".formatted(host, port, controllerPort));
    settings.put("listener.security.protocol.map", "CLIENT:PLAINTEXT,CONTROLLER:PLAINTEXT");
    settings.put("inter.broker.listener.name", "CLIENT");
    settings.put("controller.listener.names", "CONTROLLER");
    settings.put("log.dirs", data().toString());
    for (String internal : List.of("offsets.topic", "share.coordinator.state.topic")) {
      settings.put(internal + ".replication.factor", "1");
      settings.put(internal + ".num.partitions", "1");
    }
    settings.put("share.coordinator.state.topic.min.isr", "1");
    settings.put("transaction.state.log.replication.factor", "1");
    settings.put("transaction.state.log.min.isr", "1");
    settings.put("transaction.state.log.num.partitions", "1");
    settings.put("group.initial.rebalance.delay.ms", "0");
    // A broker that was killed is let in again only when its session has ended: 9 s by default.
    settings.put("broker.session.timeout.ms", "3000");
    settings.put("broker.heartbeat.interval.ms", "500");
    settings.put("num.network.threads", "2");
    settings.put("num.io.threads", "2");
    // The default of 128 MB is a third of this broker's heap.
    settings.put("log.cleaner.dedupe.buffer.size", "8388608");
    overrides.forEach(
        (key, value) ->
            settings.merge(
                key, value, (usual, own) -> LISTENERS.contains(key) ? usual + "," + own : own));

    Properties properties = new Properties();
    properties.putAll(settings);
    try {
      Files.createDirectories(directory);
      // Kafka reads Latin-1: this escapes all else.
      try (OutputStream out = Files.newOutputStream(settings())) {
        properties.store(out, null);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("Can't write the broker's settings to " + settings(), e);
    }
  }

  /** The last lines of the log, as far as it can be read. */
  String logTail() {
    try {
      List<String> lines =
          new String(Files.readAllBytes(log()), StandardCharsets.UTF_8).lines().toList();
      return String.join("\n", lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size()));
    } catch (IOException e) {
      return "(no log: " + e.getMessage() + ")";
    }
  }
}
