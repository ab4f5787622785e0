package dev.millrace.api;

import dev.millrace.job.options.InvalidOptionsException;
import java.util.ArrayList;
import java.util.List;

/** A job that Millrace makes as a whole: what is said of a part of a program's has no effect. */
final class WholeJob {

  private WholeJob() {}

  /**
   * Requires that nothing of it is said.
   *
   * @param limit what {@code records} is called
   * @param records of a stream that are kept
   * @param unless that is said
   * @throws InvalidOptionsException if it is, with all of it
   */
  static void require(String uidPrefix, String limit, int records, int unless) {
    List<String> problems = new ArrayList<>();
    if (!uidPrefix.isEmpty()) {
      problems.add(
          ("uidPrefix is '%s', which tells several parts of a program's job apart, and this job is"
                  + " Millrace's alone; leave it out")
              .formatted(uidPrefix));
    }
    if (records != unless) {
      problems.add(
          ("%s is %s records of a program's stream, and this job reads topics, which it holds back;"
                  + " leave it out")
              .formatted(limit, records));
    }
    if (!problems.isEmpty()) {
      throw new InvalidOptionsException(problems);
    }
  }
}
