package dev.millrace.job.join;

/** Which of the two a record is. */
public enum Side {
  FEATURES,
  LABEL
}
