package dev.millrace.exchange.savepoint;

import dev.millrace.model.io.InputErrors;
import dev.millrace.model.io.Reason;
import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.flink.core.fs.UnsupportedFileSystemSchemeException;

/** A savepoint or checkpoint can't be used; the message names it, says why, and what to do. */
public final class SavepointException extends IOException {

  private final boolean none;

  SavepointException(String message) {
    this(message, null, false);
  }

  private SavepointException(String message, Throwable cause, boolean none) {
    super(message, cause);
    this.none = none;
  }

  /** Says that nothing can be written beside a savepoint. */
  static SavepointException unwritable(Object directory, Exception cause) {
    return new SavepointException(
        ("Another model is written beside the savepoint that it comes from, and to %s nothing can be"
                + " written: %s. Let this user write there, or copy the savepoint")
            .formatted(directory, Reason.of(cause)),
        cause,
        false);
  }

  /** Says that a path leads to none. */
  static SavepointException none(String path) {
    return new SavepointException(
        ("There is no savepoint or checkpoint at %s: it must be a directory with a file _metadata"
                + " in it, or that file")
            .formatted(path),
        null,
        true);
  }

  /** Whether there is none at that path, so that something else may be there. */
  public boolean saysThereIsNone() {
    return none;
  }

  /** Says that {@code what} of a savepoint can't be read, and tells the cause's own message. */
  static SavepointException unreadable(String savepoint, String what, Throwable cause) {
    Throwable root = cause;
    // What is below a scheme that isn't known tells of Hadoop.
    while (root.getCause() != null && !(root instanceof UnsupportedFileSystemSchemeException)) {
      root = root.getCause();
    }
    String why = root instanceof Error error ? InputErrors.reason(error) : reason(root);
    String remedy =
        root instanceof FileNotFoundException
            ? "; a checkpoint names its files by absolute paths, so it can't be moved, and its job"
                + " deletes what newer ones don't need: take a savepoint, which can be moved whole"
            : "";
    return new SavepointException(
        "%s of %s can't be read: %s%s".formatted(what, savepoint, why, remedy), cause, false);
  }

  private static String reason(Throwable root) {
    if (root instanceof UnsupportedFileSystemSchemeException) {
      return "Flink has no file system here for what its path begins with";
    }
    String told = String.valueOf(root.getMessage());
    if (told.startsWith("Unexpected magic number")) {
      return "it is no savepoint of Flink's, or it is damaged";
    }
    return told.contains("is not a valid file URI")
        ? "it is neither a path nor a URI of a file"
        : Reason.naming(root);
  }
}
