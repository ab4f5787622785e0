package dev.millrace.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Locale;

/** What long runs measure, for whoever reads their output. */
final class Figures {

  private Figures() {}

  /**
   * Prints how long something took, and asserts that it took no longer than an idle machine may.
   */
  static void requireWithin(Duration limit, Duration taken, String what) {
    tell("Training again %s: %.1f s".formatted(what, taken.toMillis() / 1000.0));
    assertThat(taken).as(what).isLessThan(limit);
  }

  static void tell(String figure) {
    System.out.printf(Locale.ROOT, "%s%n", figure);
  }
}
