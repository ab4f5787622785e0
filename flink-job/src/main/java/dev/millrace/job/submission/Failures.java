package dev.millrace.job.submission;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.runtime.client.JobInitializationException;

/** Finds, in a chain of causes, the one that tells a person something. */
public final class Failures {

  private static final String OWN = "dev.millrace.";

  private Failures() {}

  /** The outermost message that Millrace wrote where there is one, or else the first cause. */
  public static String explain(Throwable failure) {
    List<Throwable> chain = chain(failure);
    Throwable told =
        chain.stream()
            .filter(Failures::speaksForItself)
            .findFirst()
            .orElse(chain.get(chain.size() - 1));
    return speaksForItself(told) ? told.getMessage() : told.toString();
  }

  /**
   * The messages of the first cause and of the exception around it that says more than wrapping.
   */
  static String explainDeepest(Throwable failure) {
    List<Throwable> chain = chain(failure);
    Throwable first = chain.get(chain.size() - 1);
    String what =
        first instanceof FileSystemException
            ? first.toString()
            : String.valueOf(first.getMessage());
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

  /** Whether Millrace wrote the message: in an exception of its own, or in a plain IOException. */
  private static boolean speaksForItself(Throwable failure) {
    StackTraceElement[] frames = failure.getStackTrace();
    boolean wroteIt =
        isOwn(failure)
            || (failure.getClass() == IOException.class
                && frames.length > 0
                && frames[0].getClassName().startsWith(OWN));
    return wroteIt && failure.getMessage() != null;
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
