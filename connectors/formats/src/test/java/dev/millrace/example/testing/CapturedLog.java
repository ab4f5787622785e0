package dev.millrace.example.testing;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Property;

/**
 * Captures what a class writes into the log until this is closed, from any thread: warnings, and
 * what else is logged of it.
 */
public final class CapturedLog extends AbstractAppender implements AutoCloseable {

  private final List<String> messages = new CopyOnWriteArrayList<>();
  private final Logger log;
  private final Level before;

  public CapturedLog(Class<?> of) {
    super("captured", null, null, false, Property.EMPTY_ARRAY);
    log = (Logger) LogManager.getLogger(of);
    before = log.getLevel();
    start();
    log.addAppender(this);
    if (!log.isWarnEnabled()) {
      log.setLevel(Level.WARN);
    }
  }

  @Override
  public void append(LogEvent event) {
    String thrown = event.getThrown() == null ? "" : " " + event.getThrown();
    messages.add(event.getMessage().getFormattedMessage() + thrown);
  }

  /** Returns messages with their exceptions. */
  public List<String> messages() {
    return messages;
  }

  @Override
  public void close() {
    log.removeAppender(this);
    log.setLevel(before);
    stop();
  }
}
