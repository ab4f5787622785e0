package dev.millrace.deploy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Images that buildah builds, in a store of their own. It needs root, and no engine. What
 * registries have is made here: {@code containers/} of this module says how.
 */
final class Images implements AutoCloseable {

  private static final List<String> TOOLS =
      List.of("buildah", "bwrap", "mmdebstrap", "setpriv", "nsenter", "ip");

  /**
   * What Temurin's and Flink's images have for their scripts; Debian 12 is the last with Java 17.
   */
  private static final String PACKAGES = "openjdk-17-jre-headless,ca-certificates,wget";

  private final Path directory;
  private final Path base;
  private final List<String> containers = new ArrayList<>();

  /**
   * Takes a directory for the store.
   *
   * @param kept where the base is kept from one run to the next: it takes minutes to make
   */
  Images(Path directory, Path kept) {
    this.directory = directory;
    this.base = kept.toAbsolutePath();
  }

  /** Returns the tools that this machine doesn't have. */
  static List<String> missingTools() {
    String path = System.getenv().getOrDefault("PATH", "") + ":/usr/sbin:/sbin";
    return TOOLS.stream()
        .filter(
            tool ->
                Stream.of(path.split(File.pathSeparator, -1))
                    .noneMatch(folder -> Files.isExecutable(Path.of(folder, tool))))
        .toList();
  }

  /** Makes what stands in for Temurin's image; its name is {@code localhost/base}. */
  void makeBase() throws IOException {
    Path tar = base.resolve("base.tar");
    if (!Files.exists(tar)) {
      Files.createDirectories(base);
      Path begun = base.resolve("begun.tar");
      Files.deleteIfExists(begun);
      Commands.output(
          List.of(
              "mmdebstrap",
              "--variant=minbase",
              "--include=" + PACKAGES,
              "--dpkgopt=path-exclude=/usr/share/doc/*",
              "--dpkgopt=path-exclude=/usr/share/locale/*",
              "bookworm",
              begun.toString()));
      Files.move(begun, tar);
    }
    build("base", standIn("base").resolve("Dockerfile"), base, Map.of());
  }

  /** Returns a folder of what stands in for images of registries. */
  static Path standIn(String name) {
    return Path.of("containers", name).toAbsolutePath();
  }

  /** Builds an image as {@code docker build} does. */
  void build(String name, Path dockerfile, Path context, Map<String, String> arguments)
      throws IOException {
    List<String> command =
        new ArrayList<>(List.of("bud", "--isolation", "chroot", "-q", "-t", "localhost/" + name));
    arguments.forEach((key, value) -> command.addAll(List.of("--build-arg", key + "=" + value)));
    command.addAll(List.of("-f", dockerfile.toString(), context.toString()));
    buildah(command);
  }

  /** Returns the size of all layers. */
  String size(String name) throws IOException {
    return new ObjectMapper()
        .readTree(buildah(List.of("images", "--json", full(name))))
        .at("/0/size")
        .asText();
  }

  /** Makes a container of an image, whose root can still be written to. */
  ContainerRoot container(String name) throws IOException {
    String container = buildah(List.of("from", "--pull-never", full(name)));
    containers.add(container);
    JsonNode config =
        new ObjectMapper()
            .readTree(buildah(List.of("inspect", "--type", "image", full(name))))
            .at("/OCIv1/config");
    return new ContainerRoot(Path.of(buildah(List.of("mount", container))), config);
  }

  private static String full(String name) {
    return "localhost/" + name;
  }

  private String buildah(List<String> arguments) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                "buildah",
                "--log-level",
                "error",
                "--root",
                directory.resolve("store").toString(),
                "--runroot",
                directory.resolve("run").toString(),
                "--storage-driver",
                "overlay"));
    command.addAll(arguments);
    return Commands.output(command);
  }

  @Override
  public void close() throws IOException {
    for (String container : containers) {
      buildah(List.of("rm", container));
    }
    buildah(List.of("rmi", "--all", "--force"));
  }

  /**
   * The root of a container.
   *
   * @param config of its image
   */
  record ContainerRoot(Path root, JsonNode config) {

    /** Returns the numbers of the image's user and group. */
    String[] user() {
      String[] numbers = config.path("User").asText("0").split(":", -1);
      return new String[] {numbers[0], numbers[numbers.length - 1]};
    }

    String workingDirectory() {
      return config.path("WorkingDir").asText("/");
    }

    Map<String, String> environment() {
      Map<String, String> variables = new LinkedHashMap<>();
      config
          .path("Env")
          .forEach(
              variable -> {
                String[] parts = variable.asText().split("=", 2);
                variables.put(parts[0], parts[1]);
              });
      return variables;
    }

    /**
     * Returns what the image runs, with other words than its own behind its entrypoint if given.
     */
    List<String> command(List<String> instead) {
      List<String> command = new ArrayList<>();
      config.path("Entrypoint").forEach(word -> command.add(word.asText()));
      if (instead.isEmpty()) {
        config.path("Cmd").forEach(word -> command.add(word.asText()));
      }
      command.addAll(instead);
      return command;
    }
  }
}
