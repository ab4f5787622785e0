package dev.millrace.job.submission;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Finds, in a chain of causes, the one that tells a person something. */
public final class Failures {

  private static final String OWN = "dev.millrace.";

  private Failures() {}

  /** The message of Millrace's own exception where there is one, or else of the first cause. */
  public static String explain(Throwable failure) {
    List<Throwable> chain = chain(failure);
    Throwable told =
        chain.stream()
            .filter(Failures::isOwn)
            .filter(cause -> cause.getMessage() != null)
            .findFirst()
            .orElse(chain.get(chain.size() - 1));
    return speaksForItself(told) ? told.getMessage() : told.toString();
  }

  /** Whether Millrace wrote the message: in an exception of its own, or in a plain IOException. */
  private static boolean speaksForItself(Throwable failure) {
    StackTraceElement[] frames = failure.getStackTrace();
    return isOwn(failure)
        || (failure.getClass() == IOException.class
            && frames.length > 0
            && frames[0].getClassName().startsWith(OWN));
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
