package dev.millrace.job.submission;

import dev.millrace.model.io.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.flink.runtime.client.JobInitializationException;

/** Finds, in a chain of causes, the one that tells a person something. */
public final class Failures {

  private static final String OWN = "dev.millrace.";

  private Failures() {}

  /** The outermost message that Millrace wrote where there is one, or else the first cause. */
  public static String explain(Throwable failure) {
    List<Throwable> chain = chain(failure);
    Optional<String> unclaimed = unclaimedState(chain);
    if (unclaimed.isPresent()) {
      return unclaimed.get();
    }
    Throwable told =
        chain.stream().filter(Reason::isOwn).findFirst().orElse(chain.get(chain.size() - 1));
    if (Reason.isOwn(told)) {
      return told.getMessage();
    }
    String words = Reason.naming(told);
    return words.equals(told.getMessage()) ? "An error that isn't expected: " + told : words;
  }

  /**
   * The messages of the first cause and of the exception around it that says more than wrapping.
   */
  static String explainDeepest(Throwable failure) {
    List<Throwable> chain = chain(failure);
    Optional<String> unclaimed = unclaimedState(chain);
    if (unclaimed.isPresent()) {
      return unclaimed.get();
    }
    Throwable first = chain.get(chain.size() - 1);
    String what = Reason.naming(first);
    for (int i = chain.size() - 2; i >= 0; i--) {
      String around = chain.get(i).getMessage();
      if (chain.get(i) instanceof JobInitializationException) {
        break;
      }
      if (around != null && !around.contains(String.valueOf(first.getMessage()))) {
        return around + " " + what;
      }
    }
    return what;
  }

  /** Flink's own words are of ids, and of its command line alone. */
  private static Optional<String> unclaimedState(List<Throwable> chain) {
    return chain.stream()
        .map(Throwable::getMessage)
        .filter(message -> message != null && message.contains("--allowNonRestoredState"))
        .filter(message -> message.startsWith("Failed to rollback to checkpoint/savepoint "))
        .findFirst()
        .map(
            any ->
                "The savepoint has state of a part that this job hasn't, so what that part knew"
                    + " would be lost. Resume with the options that it was taken with (millrace"
                    + " inspect shows its operators), or leave it behind with"
                    + " --allowNonRestoredState");
  }

  static boolean isOwn(Throwable failure) {
    return failure.getClass().getName().startsWith(OWN);
  }

  static List<Throwable> chain(Throwable failure) {
    List<Throwable> chain = new ArrayList<>();
    for (Throwable t = failure; t != null && !chain.contains(t); t = t.getCause()) {
      chain.add(t);
    }
    return chain;
  }
}
