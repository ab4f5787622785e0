package dev.millrace.job.common;

import dev.millrace.model.io.InvalidModelException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.flink.configuration.Configuration;

/**
 * A part of jobs that has state of its own, and that an option adds.
 *
 * @param name in words
 * @param option that adds it
 * @param isThere whether a job of some options has it
 * @param operators that have its state
 */
public record JobPart(
    String name, String option, Predicate<Configuration> isThere, List<OperatorName> operators) {

  /**
   * Finds the parts that a savepoint's job had and this one hasn't. Flink would refuse the
   * savepoint for them.
   *
   * @return what is left behind, where that is allowed
   * @throws InvalidModelException if there are any, and it isn't
   */
  public static List<String> requireAll(
      List<JobPart> parts, Resumption resumption, Configuration options) {
    List<String> removed = new ArrayList<>();
    for (JobPart part : parts) {
      if (!part.isThere.test(options) && part.hasState(resumption)) {
        removed.add(part.text(resumption));
      }
    }
    if (!removed.isEmpty() && !resumption.leavesBehind()) {
      throw new InvalidModelException(String.join("\n", removed));
    }
    return removed;
  }

  private boolean hasState(Resumption resumption) {
    return operators.stream()
        .map(OperatorName::uid)
        // A sink is a writer of its name, and may have a committer.
        .flatMap(uid -> Stream.of(uid, "Sink Committer: " + uid))
        .anyMatch(resumption.states()::has);
  }

  private String text(Resumption resumption) {
    return resumption.leavesBehind()
        ? "The savepoint's job had %s (%s), and this one hasn't: what it knew is left behind"
            .formatted(name, option)
        : ("%s is of a job with %s (%s), and this one has none, so what that part knew would be"
                + " lost. Give %s again, or leave it behind with --allowNonRestoredState")
            .formatted(resumption.path(), name, option, option);
  }
}
