package dev.millrace.job.common;

import dev.millrace.exchange.savepoint.SavedStates;
import dev.millrace.job.options.Problems;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.configuration.StateRecoveryOptions;

/**
 * The savepoint that a job is to go on from.
 *
 * @param leavesBehind whether state of parts that the job hasn't is left behind, as Flink's {@code
 *     --allowNonRestoredState} has it
 */
public record Resumption(SavedStates states, boolean leavesBehind) {

  /** Looks at a savepoint before the job is submitted. */
  @FunctionalInterface
  public interface Check {

    /**
     * Looks.
     *
     * @return what a person should know
     * @throws IOException if it can't be read
     */
    List<String> of(Resumption resumption) throws IOException;

    private List<String> tried(Resumption resumption, Consumer<String> unread) {
      try {
        return of(resumption);
      } catch (IOException e) {
        unread.accept(e.getMessage());
        return List.of();
      }
    }
  }

  /**
   * Has a savepoint looked at, where there is one; one that can't be read from here, the job itself
   * looks at when it starts.
   *
   * @param flink says whether there is one
   * @param unread told why it can't be read
   * @return what a person should know
   */
  public static List<String> check(
      ReadableConfig flink, Problems problems, Consumer<String> unread, Check... checks) {
    String savepoint = flink.get(StateRecoveryOptions.SAVEPOINT_PATH);
    List<String> told = new ArrayList<>();
    if (savepoint == null) {
      return told;
    }
    try {
      Resumption resumption =
          new Resumption(
              SavedStates.open(savepoint),
              flink.get(StateRecoveryOptions.SAVEPOINT_IGNORE_UNCLAIMED_STATE));
      for (Check check : checks) {
        problems.attempt(() -> told.addAll(check.tried(resumption, unread)));
      }
    } catch (IOException e) {
      unread.accept(e.getMessage());
    }
    return told;
  }

  /** Returns where it is. */
  public String path() {
    return states.path();
  }
}
