package dev.millrace.deploy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.deploy.Images.ContainerRoot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * A service of a compose file as a container: its image's root, read-only, its volumes, its user
 * without any privilege, its own processes, and a network address of its own. Bubblewrap stands in
 * for the engine.
 */
final class ComposeService implements AutoCloseable {

  /** Docker mounts memory with these options, unless told otherwise. */
  private static final String OF_TMPFS = "noexec,nosuid,nodev,";

  private final String name;
  private final JsonNode definition;
  private final ContainerRoot image;
  private final UnaryOperator<List<String>> onItsHost;
  private final Path directory;
  private final Path composeFolder;
  private final List<String> mounts = new ArrayList<>();
  private final StringBuilder memories = new StringBuilder();
  private Process process;

  /**
   * Lays the volumes into the root, as an engine does before it makes the root read-only.
   *
   * @param onItsHost the command that runs a command where the service is
   * @param directory has volumes, and what the service prints
   * @param composeFolder that of the compose file
   * @param hosts names of all services, as in {@code /etc/hosts}
   */
  ComposeService(
      String name,
      JsonNode definition,
      ContainerRoot image,
      UnaryOperator<List<String>> onItsHost,
      Path directory,
      Path composeFolder,
      Path hosts)
      throws IOException {
    this.name = name;
    this.definition = definition;
    this.image = image;
    this.onItsHost = onItsHost;
    this.directory = directory;
    this.composeFolder = composeFolder;
    file(hosts, "/etc/hosts");
    for (JsonNode volume : definition.path("volumes")) {
      mountVolume(volume.asText().split(":", -1));
    }
    int number = 0;
    for (JsonNode memory : definition.path("tmpfs")) {
      mountMemory(memory.asText().split(":", 2), number++);
    }
  }

  private void mountVolume(String[] parts) throws IOException {
    boolean readOnly = parts.length == 3 && parts[2].equals("ro");
    if (parts[0].startsWith(".")) {
      file(composeFolder.resolve(parts[0]), parts[1]);
      return;
    }
    Path inRoot = image.root().resolve(parts[1].substring(1));
    Path volume = directory.resolve("volumes").resolve(parts[0]);
    if (!Files.exists(volume)) {
      Files.createDirectories(volume.getParent());
      // A new volume takes what the image has there, and its owner.
      Files.createDirectories(inRoot);
      Commands.output(List.of("cp", "-a", "-T", inRoot.toString(), volume.toString()));
    }
    Files.createDirectories(inRoot);
    mounts.addAll(List.of(readOnly ? "--ro-bind" : "--bind", volume.toString(), parts[1]));
  }

  private void file(Path file, String target) throws IOException {
    Path inRoot = image.root().resolve(target.substring(1));
    if (!Files.exists(inRoot)) {
      Files.createDirectories(inRoot.getParent());
      Files.createFile(inRoot);
    }
    mounts.addAll(List.of("--ro-bind", file.toRealPath().toString(), target));
  }

  /** Mounted where the service's processes see it alone, and so gone with them. */
  private void mountMemory(String[] parts, int number) throws IOException {
    Files.createDirectories(image.root().resolve(parts[0].substring(1)));
    Path mounted = Files.createDirectories(directory.resolve("tmpfs").resolve(name + number));
    memories.append(
        "mount -t tmpfs -o %s tmpfs %s && "
            .formatted(OF_TMPFS + (parts.length == 2 ? parts[1] : ""), mounted));
    mounts.addAll(List.of("--bind", mounted.toString(), parts[0]));
  }

  /** Starts it, by the file's command. */
  void start() throws IOException {
    List<String> command = new ArrayList<>(List.of("sh", "-c", memories + "exec \"$@\"", "sh"));
    command.addAll(List.of("bwrap", "--die-with-parent", "--as-pid-1", "--hostname", name));
    command.addAll(List.of("--unshare-pid", "--unshare-ipc", "--unshare-uts"));
    boolean readOnly = definition.path("read_only").asBoolean();
    command.addAll(List.of(readOnly ? "--ro-bind" : "--bind", image.root().toString(), "/"));
    command.addAll(List.of("--dev", "/dev", "--proc", "/proc"));
    command.addAll(mounts);
    // For setpriv, which drops them.
    for (String capability : List.of("CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP")) {
      command.addAll(List.of("--cap-add", capability));
    }
    command.addAll(asItsUser(image.command(words(definition.path("command")))));
    process =
        new ProcessBuilder(onItsHost.apply(command))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()))
            .start();
    process.getOutputStream().close();
  }

  private List<String> asItsUser(List<String> words) {
    String[] user = image.user();
    List<String> command =
        new ArrayList<>(
            List.of(
                "setpriv",
                "--reuid=" + user[0],
                "--regid=" + user[1],
                "--clear-groups",
                // Or it is lost with the change of users.
                "--pdeathsig=KILL",
                "--inh-caps=-all",
                "--bounding-set=-all"));
    if (words(definition.path("security_opt")).contains("no-new-privileges:true")) {
      command.add("--no-new-privs");
    }
    command.addAll(List.of("env", "-i", "-C", image.workingDirectory()));
    Map<String, String> environment = new LinkedHashMap<>(image.environment());
    definition
        .path("environment")
        .properties()
        .forEach(variable -> environment.put(variable.getKey(), variable.getValue().asText()));
    environment.forEach((key, value) -> command.add(key + "=" + value));
    command.addAll(words);
    return command;
  }

  /** The file writes a dollar twice that isn't for Compose itself. */
  private static List<String> words(JsonNode command) {
    return command.isTextual()
        ? List.of(command.asText().split(" ", -1))
        : command.valueStream().map(word -> word.asText().replace("$$", "$")).toList();
  }

  /** Runs a command in the container, as {@code docker compose exec} does. */
  Commands.Ended exec(String... words) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of("nsenter", "--target", String.valueOf(first().orElseThrow().pid())));
    command.addAll(List.of("--mount", "--net", "--pid", "--uts", "--ipc"));
    command.addAll(asItsUser(List.of(words)));
    return Commands.run(command);
  }

  /** Returns the container's first process, which is Bubblewrap's child. */
  private Optional<ProcessHandle> first() {
    return process.children().findFirst();
  }

  /** Whether the file's check of its health succeeds. */
  boolean isHealthy() throws IOException {
    requireAlive();
    return first().isPresent()
        && exec("/bin/sh", "-c", definition.at("/healthcheck/test").asText()).status() == 0;
  }

  private void requireAlive() {
    if (!process.isAlive()) {
      throw new IllegalStateException(
          "%s has ended with %s; it has printed to %s".formatted(name, process.exitValue(), log()));
    }
  }

  /** Waits for its end, and returns its status. */
  int awaitEnd() throws InterruptedException {
    return process.waitFor();
  }

  /** Kills the process that it is there for, as a lack of memory would. */
  void kill() throws InterruptedException {
    java().destroyForcibly();
    process.waitFor();
  }

  private ProcessHandle java() {
    return process
        .descendants()
        .filter(handle -> handle.info().command().orElse("").endsWith("/java"))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException(name + " runs no JVM"));
  }

  /** Returns how much of this machine's memory its JVM has. */
  long megabytes() throws IOException {
    return Files.readAllLines(Path.of("/proc", String.valueOf(java().pid()), "status")).stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) / 1024)
        .sum();
  }

  Path log() {
    return directory.resolve(name + ".log");
  }

  @Override
  public void close() {
    if (process != null) {
      // With the first process of their namespace all others end.
      first().ifPresent(ProcessHandle::destroyForcibly);
      process.destroyForcibly().onExit().join();
    }
  }
}
