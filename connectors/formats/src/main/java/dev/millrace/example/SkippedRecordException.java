package dev.millrace.example;

/** The bytes of a record are what they should be, and say nothing to learn from: a delete. */
public final class SkippedRecordException extends InvalidExampleException {

  public SkippedRecordException(String reason) {
    super(reason);
  }
}
