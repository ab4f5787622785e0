package dev.millrace.api;

import dev.millrace.job.options.InvalidOptionsException;
import java.util.List;

/** What operators of the same job are told apart by. */
final class UidPrefix {

  private UidPrefix() {}

  /**
   * Checks one.
   *
   * @throws InvalidOptionsException if it can't be one
   */
  static void require(String prefix) {
    if (!prefix.matches("[\\w.-]*")) {
      throw new InvalidOptionsException(
          List.of(
              ("The prefix of uids is '%s'; it must be letters, digits, points, hyphens and"
                      + " underscores")
                  .formatted(prefix)));
    }
  }
}
