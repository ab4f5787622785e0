package dev.millrace.benchmark.report;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.TreeMap;

/** Where and when something was measured. */
public final class Machine {

  private static final Path PROCESSORS = Path.of("/proc/cpuinfo");

  private final Instant begin = Instant.now();
  private final double loadBefore = load();

  /**
   * Describes the machine as JSON; the load after the measurement is that of the time of this call.
   */
  public ObjectNode describe() {
    ObjectNode machine = JsonNodeFactory.instance.objectNode();
    facts().forEach(machine::put);
    return machine;
  }

  /** One line of a page. */
  public String line() {
    Map<String, String> facts = facts();
    return "%s, %s cores, %s, JDK %s; %s; load before %s, after %s"
        .formatted(
            facts.get("processor"),
            facts.get("cores"),
            facts.get("system"),
            facts.get("java"),
            facts.get("begin"),
            facts.get("loadBefore"),
            facts.get("loadAfter"));
  }

  private Map<String, String> facts() {
    Map<String, String> facts = new TreeMap<>();
    facts.put("begin", begin.truncatedTo(ChronoUnit.MINUTES).toString());
    facts.put("end", Instant.now().truncatedTo(ChronoUnit.MINUTES).toString());
    facts.put("processor", processor());
    facts.put("cores", Integer.toString(Runtime.getRuntime().availableProcessors()));
    facts.put("system", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    facts.put("java", System.getProperty("java.version"));
    facts.put("loadBefore", Figures.ratio(loadBefore));
    facts.put("loadAfter", Figures.ratio(load()));
    return facts;
  }

  private static double load() {
    return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
  }

  private static String processor() {
    try {
      return Files.readAllLines(PROCESSORS).stream()
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse(System.getProperty("os.arch"));
    } catch (IOException e) {
      return System.getProperty("os.arch");
    }
  }
}
