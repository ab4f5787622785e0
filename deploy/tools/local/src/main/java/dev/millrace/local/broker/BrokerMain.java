package dev.millrace.local.broker;

import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;

/**
 * The main class of a {@link LocalBroker}'s JVM: formats the storage, unless that was done before,
 * and runs the broker in the same JVM, which saves the start of another one. It exits when its
 * standard input ends, which it does however the parent process goes, {@code kill -9} included.
 *
 * <p>The broker is called by name: it is on the class path of this JVM alone, and no dependency of
 * this module.
 */
final class BrokerMain {

  /** How long an orderly stop may take before the JVM is halted. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private BrokerMain() {}

  /** Stands in the place of the third argument: the broker outlives the process that started it. */
  static final String DETACHED = "detached";

  /**
   * Runs until the broker stops.
   *
   * @param args the server.properties file, the cluster id and, where the broker is to outlive its
   *     parent, {@value #DETACHED}
   */
  public static void main(String[] args) throws ReflectiveOperationException {
    if (args.length < 3 || !args[2].equals(DETACHED)) {
      daemon("parent-watch", BrokerMain::exitWithParent);
    }
    String[] format = {
      "format", "--ignore-formatted", "--cluster-id", args[1], "--config", args[0]
    };
    Object status =
        Class.forName("kafka.tools.StorageTool")
            .getMethod("execute", String[].class, PrintStream.class)
            .invoke(null, format, System.out);
    if (!status.equals(0)) {
      System.exit(1);
    }
    Class.forName("kafka.Kafka")
        .getMethod("main", String[].class)
        .invoke(null, (Object) new String[] {args[0]});
  }

  private static void exitWithParent() {
    try {
      while (System.in.read() >= 0) {
        // The parent writes nothing; what counts is that the pipe is open.
      }
    } catch (IOException brokenPipe) {
      // The same as its end.
    }
    daemon("halt", BrokerMain::haltAfterPatience);
    System.exit(0);
  }

  private static void haltAfterPatience() {
    try {
      Thread.sleep(PATIENCE.toMillis());
    } catch (InterruptedException e) {
      // Nobody interrupts it; halting early would be right all the same.
    }
    Runtime.getRuntime().halt(2);
  }

  private static void daemon(String name, Runnable body) {
    Thread thread = new Thread(body, name);
    thread.setDaemon(true);
    thread.start();
  }
}
