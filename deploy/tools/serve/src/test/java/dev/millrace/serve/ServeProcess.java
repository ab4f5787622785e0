package dev.millrace.serve;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.cli.MillraceCli;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The command {@code millrace serve} as a process of its own, and a client of it. */
final class ServeProcess implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Pattern ADDRESS = Pattern.compile("at (http://127\\.0\\.0\\.1:\\d+)/v2");

  private final Process process;
  private final Path output;
  private final Caller caller = Caller.plain();
  private final URI address;

  private ServeProcess(Process process, Path output) {
    this.process = process;
    this.output = output;
    // A test that fails while it waits for the server leaves none behind.
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    this.address = URI.create(said());
  }

  /**
   * Starts a server on a port of chance, and returns once it listens.
   *
   * @param work the directory that it keeps from start to start
   * @param options further words of the command
   */
  static ServeProcess start(Path work, List<String> javaOptions, List<String> options)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        // What Flink needs opened, and where temporary files and native code lie.
        .filter(argument -> argument.matches("(--add-opens|-Djava.io|-Dorg.bytedeco).*"))
        .forEach(command::add);
    command.addAll(javaOptions);
    command.addAll(
        List.of("-cp", System.getProperty("java.class.path"), MillraceCli.class.getName()));
    command.addAll(List.of("serve", "--port", "0", "--work-dir", work.toString()));
    command.addAll(options);
    Path output = Files.createTempFile("serve-", ".out");
    return new ServeProcess(
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start(),
        output);
  }

  private String said() {
    return await()
        .atMost(PATIENCE)
        .until(
            () -> {
              String text = output();
              assertThat(process.isAlive()).as(text).isTrue();
              Matcher matcher = ADDRESS.matcher(text);
              return matcher.find() ? Optional.of(matcher.group(1)) : Optional.<String>empty();
            },
            Optional::isPresent)
        .orElseThrow();
  }

  /** Returns what it has said so far. */
  String output() throws IOException {
    return Files.readString(output);
  }

  URI address() {
    return address;
  }

  boolean isReady() throws IOException, InterruptedException {
    return Caller.send(caller.get(address.resolve("/v2/health/ready"))).status() == 200;
  }

  ServeProcess ready() {
    await()
        .atMost(PATIENCE)
        .until(
            () -> {
              assertThat(process.isAlive()).as(output()).isTrue();
              return isReady();
            });
    return this;
  }

  /** Asks for predictions of a record, or of an array of them. */
  Reply predict(String records) throws IOException, InterruptedException {
    Reply reply =
        Caller.send(
            caller.post(
                address.resolve("/v2/models/model/predict"), Api.JSON, records.getBytes(UTF_8)));
    assertThat(reply.status()).as(reply.body()).isEqualTo(200);
    return reply;
  }

  /** Ends it as a power cut would. */
  void kill() throws InterruptedException {
    process.destroyForcibly();
    assertThat(process.waitFor(PATIENCE.toMinutes(), TimeUnit.MINUTES)).isTrue();
  }

  /** Asks it to end, and returns its exit code. */
  int stop() throws InterruptedException {
    process.destroy();
    assertThat(process.waitFor(PATIENCE.toMinutes(), TimeUnit.MINUTES)).isTrue();
    return process.exitValue();
  }

  @Override
  public void close() throws IOException {
    caller.close();
    process.destroyForcibly().onExit().join();
    Files.deleteIfExists(output);
  }
}
