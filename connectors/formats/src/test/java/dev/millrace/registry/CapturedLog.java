package dev.millrace.registry;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Property;

/** Captures what a class writes into the log until this is closed, from any thread. */
final class CapturedLog extends AbstractAppender implements AutoCloseable {

  private final List<String> written = new CopyOnWriteArrayList<>();
  private final Logger log;

  CapturedLog(Class<?> of) {
    super("captured", null, null, false, Property.EMPTY_ARRAY);
    log = (Logger) LogManager.getLogger(of);
    start();
    log.addAppender(this);
  }

  @Override
  public void append(LogEvent event) {
    written.add(event.getMessage().getFormattedMessage() + " " + event.getThrown());
  }

  /** Returns messages with their exceptions. */
  List<String> written() {
    return written;
  }

  @Override
  public void close() {
    log.removeAppender(this);
    stop();
  }
}
