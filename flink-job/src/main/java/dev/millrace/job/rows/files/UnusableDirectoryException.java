package dev.millrace.job.rows.files;

/** Rows can't be published in a directory, whatever is tried again. */
final class UnusableDirectoryException extends RuntimeException {

  private static final long serialVersionUID = 1;

  private UnusableDirectoryException(String message) {
    super(message);
  }

  static UnusableDirectoryException ofAnother(RowDirectory directory) {
    return new UnusableDirectoryException(
        ("%s has rows of another job, or of one that this job doesn't go on from. Give rows a"
                + " directory that isn't there yet")
            .formatted(directory));
  }

  static UnusableDirectoryException lacks(RowDirectory directory, String file) {
    return new UnusableDirectoryException(
        ("%s hasn't %s any more, which the savepoint's rows are in: a later version was merged, or"
                + " somebody deleted it. Give rows a directory that isn't there yet: all are"
                + " written there")
            .formatted(directory, file));
  }
}
