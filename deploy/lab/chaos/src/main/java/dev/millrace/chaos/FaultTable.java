package dev.millrace.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Recoveries by kind, as a table of Markdown. */
public final class FaultTable {

  private final Map<FaultKind, List<Duration>> times = new EnumMap<>(FaultKind.class);

  public void add(Recovery recovery) {
    times.computeIfAbsent(recovery.kind(), any -> new ArrayList<>()).add(recovery.time());
  }

  public int count() {
    return times.values().stream().mapToInt(List::size).sum();
  }

  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add("| fault | count | median, s | worst, s |");
    lines.add("| --- | ---: | ---: | ---: |");
    times.forEach(
        (kind, all) -> {
          List<Duration> sorted = all.stream().sorted().toList();
          lines.add(
              "| %s | %s | %s | %s |"
                  .formatted(
                      kind.title(),
                      sorted.size(),
                      seconds(median(sorted)),
                      seconds(sorted.get(sorted.size() - 1))));
        });
    return lines;
  }

  private static Duration median(List<Duration> sorted) {
    int half = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(half)
        : sorted.get(half - 1).plus(sorted.get(half)).dividedBy(2);
  }

  static String seconds(Duration time) {
    return String.format(Locale.ROOT, "%.1f", time.toMillis() / 1e3);
  }
}
