package dev.millrace.exchange.rows;

/** Ranges that the settings of updaters have in common. */
final class UpdaterChecks {

  private UpdaterChecks() {}

  static void rates(String updater, float learningRate, float l2) {
    if (!(learningRate > 0 && learningRate <= Float.MAX_VALUE)) {
      throw new IllegalArgumentException(
          "%s has a learning rate of %s; it must be a finite number above 0"
              .formatted(updater, learningRate));
    }
    notNegative(updater, "an l2", l2);
  }

  static void notNegative(String updater, String what, float value) {
    if (!(value >= 0 && value <= Float.MAX_VALUE)) {
      throw new IllegalArgumentException(
          "%s has %s of %s; it must be 0 or a finite number above".formatted(updater, what, value));
    }
  }

  /** A share of what was before, in a running mean. */
  static void decay(String updater, String what, float value) {
    if (!(value >= 0 && value < 1)) {
      throw new IllegalArgumentException(
          "%s has %s of %s; it must be at least 0 and below 1".formatted(updater, what, value));
    }
  }
}
