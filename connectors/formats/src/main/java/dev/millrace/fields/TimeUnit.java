package dev.millrace.fields;

import java.util.Locale;

/** What a number that is a time counts since the epoch. */
public enum TimeUnit {
  SECONDS,
  MILLISECONDS,
  MICROSECONDS;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
