package dev.millrace.deploy;

import java.util.Locale;

/** What long runs measure, for whoever reads their output. */
final class Figures {

  private Figures() {}

  static void tell(String figure) {
    System.out.printf(Locale.ROOT, "%s%n", figure);
  }
}
