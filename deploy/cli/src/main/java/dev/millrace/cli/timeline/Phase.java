package dev.millrace.cli.timeline;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.millrace.job.report.Palette;
import java.util.Locale;

/**
 * What a replica's time goes into, in the order in which it does from contribution to contribution.
 */
enum Phase {
  WAIT("wait", Palette.colour(1)),
  EXCHANGE("exchange", Palette.colour(2)),
  APPLY("apply", Palette.colour(5)),
  /** Before the fits, where examples are waited for; when exactly isn't known. */
  OTHER("other", "#8886"),
  FIT("local fit", Palette.colour(0)),
  ENCODE("encode", Palette.colour(3));

  private final String title;
  private final String colour;

  Phase(String title, String colour) {
    this.title = title;
    this.colour = colour;
  }

  String title() {
    return title;
  }

  String colour() {
    return colour;
  }

  /** The name in JSON. */
  @JsonValue
  String key() {
    return name().toLowerCase(Locale.ROOT);
  }
}
