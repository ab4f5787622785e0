package dev.millrace.simulate.task;

/** Ends what a task is at when it is cancelled. */
final class CancelledTaskException extends RuntimeException {

  private static final long serialVersionUID = 1;

  CancelledTaskException() {
    super("The task is cancelled", null, false, false);
  }
}
