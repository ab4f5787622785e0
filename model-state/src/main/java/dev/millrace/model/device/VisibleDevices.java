package dev.millrace.model.device;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What CUDA calls the devices that a cluster names. It numbers the entries of {@code
 * CUDA_VISIBLE_DEVICES} anew: of 2,3 the device 3 is its 1. Flink's discovery script asks the
 * driver, which doesn't know that variable.
 *
 * @param entries of the variable; null where it isn't set and numbers stay what they are
 * @param count how many devices the engine sees
 */
public record VisibleDevices(List<String> entries, int count) {

  /** The variable's name. */
  public static final String VARIABLE = "CUDA_VISIBLE_DEVICES";

  private static final Logger LOG = LoggerFactory.getLogger(VisibleDevices.class);

  private static final String ORDER_VARIABLE = "CUDA_DEVICE_ORDER";
  private static final String DRIVERS_ORDER = "PCI_BUS_ID";

  /**
   * CUDA's numbers of the devices that a request allows in this process, by its environment. Logs a
   * warning where CUDA may number them in another order than the driver.
   *
   * @param count how many devices the engine sees
   * @throws UnusableEngineException if one of them isn't visible to the engine
   */
  public static NavigableSet<Integer> allowed(DeviceRequest request, int count) {
    NavigableSet<Integer> allowed = of(System.getenv(VARIABLE), count).numbersOf(request.names());
    if (allowed.size() < count && !DRIVERS_ORDER.equals(System.getenv(ORDER_VARIABLE))) {
      LOG.warn(
          "{} isn't {}: where GPUs are of several kinds, CUDA may number them in another order than"
              + " the driver, and the GPUs {} be others than Flink's",
          ORDER_VARIABLE,
          DRIVERS_ORDER,
          allowed);
    }
    return allowed;
  }

  /**
   * Reads the variable.
   *
   * @param variableOrNull value of {@code CUDA_VISIBLE_DEVICES}
   */
  static VisibleDevices of(String variableOrNull, int count) {
    if (variableOrNull == null) {
      return new VisibleDevices(null, count);
    }
    // CUDA reads the entries up to the first that is no device: it sees that many.
    List<String> entries =
        Arrays.stream(variableOrNull.split(",", -1)).map(String::strip).limit(count).toList();
    return new VisibleDevices(entries, count);
  }

  /**
   * CUDA's numbers of these devices; of all that it sees where none is named.
   *
   * @throws UnusableEngineException if one of them isn't visible to the engine
   */
  NavigableSet<Integer> numbersOf(Collection<String> names) {
    if (names.isEmpty()) {
      return IntStream.range(0, count).boxed().collect(Collectors.toCollection(TreeSet::new));
    }
    return names.stream().map(this::numberOf).collect(Collectors.toCollection(TreeSet::new));
  }

  private int numberOf(String name) {
    for (int number = 0; number < count; number++) {
      if (entries == null
          ? name.equals(Integer.toString(number))
          : isSame(entries.get(number), name)) {
        return number;
      }
    }
    throw new UnusableEngineException(
        "Flink gives this process the GPU '%s', and the engine can't find it: it sees %s, and %s. %s"
            .formatted(
                name,
                count,
                entries == null
                    ? VARIABLE + " is not set"
                    : VARIABLE + " is '" + String.join(",", entries) + "'",
                advice(name)));
  }

  /** UUIDs may be shortened in the variable. */
  private static boolean isSame(String entry, String name) {
    return entry.equals(name) || (isUuid(entry) && name.startsWith(entry));
  }

  private String advice(String name) {
    boolean namedDifferently =
        entries != null && !isUuid(name) && entries.stream().anyMatch(VisibleDevices::isUuid);
    return namedDifferently
        ? "Name devices in the variable by the numbers that nvidia-smi shows, not by UUIDs, or have"
            + " the discovery script print UUIDs"
        : "Let the variable name every GPU that Flink's discovery script finds, or leave it unset";
  }

  private static boolean isUuid(String name) {
    return name.startsWith("GPU-") || name.startsWith("MIG-");
  }
}
