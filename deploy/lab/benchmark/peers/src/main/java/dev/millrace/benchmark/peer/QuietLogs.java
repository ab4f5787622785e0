package dev.millrace.benchmark.peer;

/** Warnings alone, on standard error: standard output is for the figures. */
public final class QuietLogs {

  private QuietLogs() {}

  /**
   * Takes the {@code quiet.properties} beside the class. To be called before anything logs; a
   * configuration that the caller of the JVM names stays.
   */
  public static void configure(Class<?> main) {
    String key = "log4j2.configurationFile";
    if (System.getProperty(key) == null) {
      String directory = main.getPackageName().replace('.', '/');
      System.setProperty(key, "classpath:" + directory + "/quiet.properties");
    }
  }
}
