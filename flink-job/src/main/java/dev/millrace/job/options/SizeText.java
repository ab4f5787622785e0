package dev.millrace.job.options;

import java.util.List;
import org.apache.flink.configuration.MemorySize;

/** Sizes as options have them, which Flink writes with the digits of the process's locale. */
public final class SizeText {

  private static final List<String> UNITS = List.of("bytes", "kb", "mb", "gb", "tb");
  private static final int STEP = 1_024;

  private SizeText() {}

  /** The size in the largest unit of which it is a whole number, such as {@code 64 kb}. */
  public static String of(MemorySize size) {
    long number = size.getBytes();
    int unit = 0;
    while (number != 0 && number % STEP == 0 && unit + 1 < UNITS.size()) {
      number /= STEP;
      unit++;
    }
    return number + " " + UNITS.get(unit);
  }
}
