package dev.millrace.benchmark.spark;

import dev.millrace.benchmark.peer.Arguments;
import dev.millrace.benchmark.peer.QuietLogs;
import dev.millrace.benchmark.peer.Workload;
import dev.millrace.benchmark.peer.WorkloadFiles;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Measures DL4J on Spark in this process: {@code SparkMain SETTING WORKLOAD-DIRECTORY SECONDS}. The
 * last line on standard output is the figures, as JSON, like those of the other peers, and so are
 * the exit codes. The JVM needs the options of {@code src/main/jvm.options}.
 */
public final class SparkMain {

  private static final String USAGE = "give as-it-comes or tuned, WORKLOAD-DIRECTORY, SECONDS";

  private SparkMain() {}

  public static void main(String[] args) {
    QuietLogs.configure(SparkMain.class);
    int code = run(args);
    // Threads of Spark's may be left.
    System.exit(code);
  }

  private static int run(String[] args) {
    Setting setting;
    Duration time;
    Workload workload;
    try {
      Arguments.check(args, 3, USAGE);
      setting = Setting.named(args[0]);
      time = Arguments.seconds(args[2]);
      workload = WorkloadFiles.read(Path.of(args[1]));
    } catch (NoSuchFileException e) {
      System.err.println("There is no file " + e.getFile());
      return 2;
    } catch (IllegalArgumentException | IOException e) {
      System.err.println(e.getMessage());
      return 2;
    }
    try {
      System.out.println(SparkTraining.measure(setting, workload, time).toJson());
      return 0;
    } catch (Exception e) {
      // Scala throws checked ones too, undeclared.
      e.printStackTrace();
      return 1;
    }
  }
}
