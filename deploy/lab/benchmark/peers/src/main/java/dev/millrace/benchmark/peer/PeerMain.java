package dev.millrace.benchmark.peer;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Measures one peer in this process; the last line on standard output is the figures, as JSON.
 *
 * <p>{@code PeerMain PEER WORKLOAD-DIRECTORY SECONDS} gives examples and seconds, and {@code
 * PeerMain accuracy PEER WORKLOAD-DIRECTORY HOLD-OUT-DIRECTORY TARGET MAX-PASSES} the time to an
 * accuracy. How many threads a network computes with is the caller's to set, as {@code
 * OMP_NUM_THREADS}.
 *
 * <p>Exit codes: 0 for figures, 2 for arguments or workloads that cannot be used, with one line on
 * standard error, and 1 for what else fails.
 */
public final class PeerMain {

  private static final String USAGE =
      "give PEER WORKLOAD-DIRECTORY SECONDS, or accuracy PEER WORKLOAD-DIRECTORY"
          + " HOLD-OUT-DIRECTORY TARGET MAX-PASSES";

  private PeerMain() {}

  public static void main(String[] args) throws InterruptedException {
    QuietLogs.configure(PeerMain.class);
    int code = run(args, System.out, System.err);
    // Threads of DL4J's may be left.
    System.exit(code);
  }

  static int run(String[] args, PrintStream out, PrintStream err) throws InterruptedException {
    Measurement measurement;
    try {
      boolean accuracy = args.length > 0 && args[0].equals("accuracy");
      measurement = accuracy ? accuracy(args) : examples(args);
    } catch (NoSuchFileException e) {
      err.println("There is no file " + e.getFile());
      return 2;
    } catch (IllegalArgumentException | IOException e) {
      err.println(e.getMessage());
      return 2;
    }
    try {
      out.println(measurement.json());
      return 0;
    } catch (RuntimeException e) {
      e.printStackTrace(err);
      return 1;
    }
  }

  private static Measurement examples(String[] args) throws IOException {
    Arguments.check(args, 3, USAGE);
    Peer peer = Peers.named(args[0]);
    Duration time = Arguments.seconds(args[2]);
    Workload workload = WorkloadFiles.read(Path.of(args[1]));
    return () -> peer.measure(workload, Arguments.warmUp(time), time).toJson();
  }

  private static Measurement accuracy(String[] args) throws IOException {
    Arguments.check(args, 6, USAGE);
    Training training = Peers.accuracyOf(args[1]);
    double target = Arguments.number("TARGET", args[4], 1);
    int mostPasses = (int) Math.ceil(Arguments.number("MAX-PASSES", args[5], Integer.MAX_VALUE));
    Workload workload = WorkloadFiles.read(Path.of(args[2]));
    Examples holdOut = WorkloadFiles.readExamples(Path.of(args[3]));
    return () -> TimeToAccuracy.measure(training, workload, holdOut, target, mostPasses).toJson();
  }

  /** What is left to do when the arguments are known to be good. */
  @FunctionalInterface
  private interface Measurement {

    String json() throws InterruptedException;
  }
}
