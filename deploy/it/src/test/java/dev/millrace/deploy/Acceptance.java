package dev.millrace.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Locale;

/** What is required of an idle machine alone: {@code mvn -Pacceptance verify}. */
final class Acceptance {

  private static final boolean REQUIRED = Boolean.getBoolean("millrace.acceptance");

  private Acceptance() {}

  static boolean isRequired() {
    return REQUIRED;
  }

  /** Tells how long something took, and where it is required that it took no longer. */
  static void requireWithin(Duration limit, Duration taken, String what) {
    tell("Training again %s: %.1f s".formatted(what, taken.toMillis() / 1000.0));
    if (REQUIRED) {
      assertThat(taken).as(what).isLessThan(limit);
    }
  }

  static void tell(String figure) {
    System.out.printf(Locale.ROOT, "%s%n", figure);
  }
}
