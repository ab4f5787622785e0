package dev.millrace.cli.console;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps the whole story of a failure for those who read logs. Loaded only when there is one. */
public final class FailureLog {

  private static final Logger LOG = LoggerFactory.getLogger(FailureLog.class);

  private FailureLog() {}

  public static void write(Throwable failure) {
    LOG.error("The run failed", failure);
  }
}
