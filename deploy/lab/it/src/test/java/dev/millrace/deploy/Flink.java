package dev.millrace.deploy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Flink's own command line, run as users run it. */
record Flink(Path conf) {

  private static final Pattern JOB = Pattern.compile("JobID ([0-9a-f]{32})");
  private static final Pattern JAVA_NOTE = Pattern.compile("NOTE: Picked up JDK_JAVA_OPTIONS.*\\R");
  private static final Pattern SAVEPOINT = Pattern.compile("Savepoint completed. Path: (\\S+)");

  /**
   * What a command has printed.
   *
   * @param output standard output and error
   */
  record Answer(int exitCode, String output) {

    String job() {
      return group(JOB);
    }

    String savepoint() {
      return group(SAVEPOINT);
    }

    private String group(Pattern pattern) {
      Matcher matcher = pattern.matcher(output);
      if (exitCode != 0 || !matcher.find()) {
        throw new AssertionError("flink ended with %s:%n%s".formatted(exitCode, output));
      }
      return matcher.group(1);
    }
  }

  Answer run(String... arguments) throws IOException, InterruptedException {
    return run(List.of(arguments));
  }

  Answer run(List<String> arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Distribution.script("flink").toString());
    command.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("FLINK_CONF_DIR", conf.toString());
    // Maven has built it, and runs this test.
    builder.environment().put("MILLRACE_BUILD", "never");
    builder.environment().put("JDK_JAVA_OPTIONS", "-XX:TieredStopAtLevel=1");
    Process process = builder.start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Answer(process.waitFor(), JAVA_NOTE.matcher(output).replaceFirst(""));
  }
}
