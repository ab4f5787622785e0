package dev.millrace.simulate;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** What many runs were, added up in the order of their seeds, whichever came first. */
final class Totals {

  private static final double MICROS_OF_HOUR = 3.6e9;

  private final MessageDigest digest;
  private final Map<Long, byte[]> ahead = new HashMap<>();
  private final Map<Fault.Kind, Long> byKind = new EnumMap<>(Fault.Kind.class);
  private final Map<String, Long> looked = new TreeMap<>();
  private long next;
  private long runs;
  private double hours;
  private long faults;
  private long events;
  private long records;
  private long lost;
  private long doubled;

  /**
   * Makes an empty one.
   *
   * @param first seed
   */
  Totals(long first) {
    next = first;
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java has SHA-256", e);
    }
  }

  /** Adds a run. */
  synchronized void add(Run.Result result) {
    runs++;
    hours += result.micros() / MICROS_OF_HOUR;
    faults += result.faults();
    events += result.events();
    records += result.records();
    lost += result.lost();
    doubled += result.doubled();
    result.byKind().forEach((kind, count) -> byKind.merge(kind, (long) count, Long::sum));
    result.looked().forEach((invariant, count) -> looked.merge(invariant, count, Long::sum));
    ahead.put(result.seed(), result.hash());
    for (byte[] hash = ahead.remove(next); hash != null; hash = ahead.remove(next)) {
      digest.update(hash);
      next++;
    }
  }

  /** Returns how far it is, in words. */
  synchronized String progress(double seconds) {
    return String.format(
        Locale.ROOT,
        "%,d runs, %,.1f simulated hours, %,d faults; %.2f hours, %.0f faults and %,.0f events a"
            + " second",
        runs,
        hours,
        faults,
        hours / seconds,
        faults / seconds,
        events / seconds);
  }

  /** Returns how often each kind of fault struck, and each invariant was looked at. */
  synchronized String details() {
    StringBuilder text = new StringBuilder();
    byKind.forEach(
        (kind, count) ->
            text.append(
                String.format(
                    Locale.ROOT,
                    "  %,9d %s%n",
                    count,
                    kind.name().toLowerCase(Locale.ROOT).replace('_', ' '))));
    looked.forEach(
        (invariant, count) ->
            text.append(String.format(Locale.ROOT, "  %,9d looks at: %s%n", count, invariant)));
    return text.toString();
  }

  /** Returns the one line that it ends with. */
  synchronized String line() {
    return String.format(
        Locale.ROOT,
        "runs %d, simulated hours %.1f, faults %d, records %d, lost %d, doubled %d, trace %s",
        runs,
        hours,
        faults,
        records,
        lost,
        doubled,
        HexFormat.of().formatHex(digest.digest()));
  }
}
