package dev.millrace.chaos;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What has become of a model that was trained under faults.
 *
 * @param records in the topic
 * @param lost how many of them the model doesn't have, at least
 * @param doubled how many it has once more, at least
 * @param finite whether all of its values are numbers
 * @param unpublished how many the latest published model lacks, of those that the savepoint has
 * @param others what the workload finds wrong, a sentence each
 */
public record ChaosVerdict(
    int faults,
    long records,
    long lost,
    long doubled,
    boolean finite,
    long unpublished,
    List<String> others) {

  /** Whether all is as it should be. */
  public boolean isGood() {
    return problems().isEmpty();
  }

  /** Returns what isn't as it should be, a sentence each; none where all is. */
  public List<String> problems() {
    List<String> problems = new ArrayList<>();
    if (faults == 0) {
      problems.add("No fault was caused in that time; give it more, with --duration");
    }
    if (lost > 0) {
      problems.add(String.format(Locale.ROOT, "%,d records are not in the model", lost));
    }
    if (doubled > 0) {
      problems.add(
          String.format(Locale.ROOT, "%,d records are in the model more than once", doubled));
    }
    if (!finite) {
      problems.add("The model has values that are no numbers");
    }
    if (unpublished > 0) {
      problems.add(
          String.format(
              Locale.ROOT,
              "The latest published model lacks %,d records that the savepoint has",
              unpublished));
    }
    problems.addAll(others);
    return problems;
  }

  /** The last line that a run prints. */
  public String line() {
    return "faults %s, records %s, lost %s, doubled %s".formatted(faults, records, lost, doubled);
  }
}
