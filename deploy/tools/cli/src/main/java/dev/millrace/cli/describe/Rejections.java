package dev.millrace.cli.describe;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Records of a sample that a job with the proposed options would reject, by the field that is the
 * reason.
 *
 * <p>Not thread-safe.
 */
public final class Rejections {

  private static final Pattern FIELD = Pattern.compile("field \"(.*?)\"(?:: | is )(?s:.*)");

  private final Map<String, Rejected> byField = new LinkedHashMap<>();
  private long records;
  private long rejected;

  /** Records that are rejected for one field, or for none. */
  private record Rejected(long count, String first) {

    String text() {
      return String.format(
          Locale.ROOT,
          "%,d %s rejected, the first is %s",
          count,
          count == 1 ? "record is" : "records are",
          first);
    }
  }

  /** Counts a record that is an example. */
  public void accept() {
    records++;
  }

  /**
   * Counts a record that is none.
   *
   * @param place in words, such as {@code line 7}
   * @param fields names of the fields that there are
   */
  public void reject(String place, String reason, Collection<String> fields) {
    records++;
    rejected++;
    Matcher matcher = FIELD.matcher(reason);
    String field = matcher.matches() && fields.contains(matcher.group(1)) ? matcher.group(1) : "";
    byField.merge(
        field,
        new Rejected(1, place + ": " + Yaml.printable(reason)),
        (one, other) -> new Rejected(one.count() + 1, one.first()));
  }

  /** Returns how many records were looked at. */
  public long records() {
    return records;
  }

  /** Returns how many of them are rejected. */
  public long count() {
    return rejected;
  }

  /** The first record that is rejected, and why; only where there is one. */
  public String first() {
    return byField.values().iterator().next().first();
  }

  /** Returns what to say at a field; empty where there is nothing. */
  String of(String field) {
    return byField.containsKey(field) ? byField.get(field).text() : "";
  }

  /**
   * Returns what to say of the records whose reason isn't one field; empty where there are none.
   */
  String ofNone() {
    return of("");
  }
}
