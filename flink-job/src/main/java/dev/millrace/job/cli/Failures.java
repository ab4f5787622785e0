package dev.millrace.job.cli;

import java.util.ArrayList;
import java.util.List;

/** Finds, in a chain of causes, the one that tells a person something. */
final class Failures {

  private static final String OWN = "dev.millrace.";

  private Failures() {}

  /** The message of Millrace's own exception where there is one, or else of the first cause. */
  static String explain(Throwable failure) {
    List<Throwable> chain = chain(failure);
    Throwable told =
        chain.stream()
            .filter(cause -> cause.getClass().getName().startsWith(OWN))
            .filter(cause -> cause.getMessage() != null)
            .findFirst()
            .orElse(chain.get(chain.size() - 1));
    boolean speaksForItself = told.getClass().getName().startsWith(OWN);
    return speaksForItself ? told.getMessage() : told.toString();
  }

  private static List<Throwable> chain(Throwable failure) {
    List<Throwable> chain = new ArrayList<>();
    for (Throwable t = failure; t != null && !chain.contains(t); t = t.getCause()) {
      chain.add(t);
    }
    return chain;
  }
}
