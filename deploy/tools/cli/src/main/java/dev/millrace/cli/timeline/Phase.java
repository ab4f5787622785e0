package dev.millrace.cli.timeline;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/**
 * What a replica's time goes into, in the order in which it does from contribution to contribution.
 */
enum Phase {
  WAIT("wait"),
  EXCHANGE("exchange"),
  APPLY("apply"),
  /** The time before the fits, where examples are waited for; when exactly isn't known. */
  OTHER("other"),
  FIT("local fit"),
  ENCODE("encode");

  private final String title;

  Phase(String title) {
    this.title = title;
  }

  String title() {
    return title;
  }

  /** The name in JSON. */
  @JsonValue
  String key() {
    return name().toLowerCase(Locale.ROOT);
  }
}
