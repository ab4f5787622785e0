package dev.millrace.model.io;

import java.util.ServiceConfigurationError;

/**
 * The errors that an input can make by its depth, its size or the names in it. They leave the
 * process as it was, so whoever reads what others wrote refuses that input and goes on. Limits of
 * our own come before: this is for what is left over.
 */
public final class InputErrors {

  private InputErrors() {}

  /**
   * Says why an input is refused, as a clause about it.
   *
   * @throws Error the error itself, where the process can't go on after it
   */
  public static String reason(Error error) {
    if (error instanceof StackOverflowError) {
      return "it is nested too deeply";
    }
    if (error instanceof OutOfMemoryError && !isOfClasses(error)) {
      return "it doesn't fit into memory (%s); give the process more, or publish a smaller model"
          .formatted(error.getMessage());
    }
    if (error instanceof LinkageError
        || error instanceof AssertionError
        || error instanceof ServiceConfigurationError) {
      return "it needs what this process can't load or compute (%s)".formatted(error);
    }
    throw error;
  }

  /** Memory for classes is used up for good, and Flink ends the process then. */
  private static boolean isOfClasses(Error error) {
    String message = String.valueOf(error.getMessage());
    return message.startsWith("Metaspace") || message.startsWith("Compressed class space");
  }
}
