package dev.millrace.deploy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What a JVM holds after a garbage collection.
 *
 * @param heapKb objects that can be reached
 * @param metaspaceKb classes
 * @param rssKb memory of the process, as the system counts it
 * @param files open files and sockets
 */
record Footprint(long heapKb, long metaspaceKb, long threads, long rssKb, long files) {

  private static final Pattern OBJECTS = Pattern.compile("Total\\s+\\d+\\s+(\\d+)");
  private static final Pattern METASPACE = Pattern.compile("Metaspace\\s+used (\\d+)K");
  private static final Pattern THREADS = Pattern.compile("Threads:\\s+(\\d+)");
  private static final Pattern RSS = Pattern.compile("VmRSS:\\s+(\\d+) kB");

  /** Collects garbage in that process, and looks. */
  static Footprint of(long pid) throws IOException, InterruptedException {
    // What it finalizes or finds weakly held goes with the next collection.
    jcmd(pid, "GC.run");
    // Collects, and counts what it can reach: what is used of the heap has grown again by the time
    // that one asks for it.
    String objects = jcmd(pid, "GC.class_histogram");
    String status = Files.readString(Path.of("/proc/" + pid + "/status"));
    String heap = jcmd(pid, "GC.heap_info");
    try (Stream<Path> files = Files.list(Path.of("/proc/" + pid + "/fd"))) {
      return new Footprint(
          number(OBJECTS, objects) / 1024,
          number(METASPACE, heap),
          number(THREADS, status),
          number(RSS, status),
          files.count());
    }
  }

  private static long number(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    if (!matcher.find()) {
      throw new AssertionError("No %s in%n%s".formatted(pattern, text));
    }
    return Long.parseLong(matcher.group(1));
  }

  private static String jcmd(long pid, String command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                String.valueOf(pid),
                command)
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException("jcmd %s: %s".formatted(command, output));
    }
    return output;
  }
}
