package dev.millrace.benchmark.peer;

/** Warnings alone, on standard error: standard output is for the figures. */
public final class QuietLogs {

  private QuietLogs() {}

  /** To be called before anything logs; a configuration that the caller of the JVM names stays. */
  public static void configure() {
    String key = "log4j2.configurationFile";
    if (System.getProperty(key) == null) {
      System.setProperty(key, "classpath:dev/millrace/benchmark/peer/quiet.properties");
    }
  }
}
