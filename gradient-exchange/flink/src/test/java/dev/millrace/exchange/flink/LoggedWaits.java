package dev.millrace.exchange.flink;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Property;

/** What {@link WaitWatch} says in the log while it is open. */
public final class LoggedWaits implements AutoCloseable {

  /** A wait is told when it has lasted for as long, or twice as long at most. */
  public static final Duration INTERVAL = WaitWatch.INTERVAL;

  private final List<String> told = new ArrayList<>();
  private final Logger logger = (Logger) LogManager.getLogger(WaitWatch.class);
  private final Appender appender = new Appender();
  private final Level before = logger.getLevel();

  public LoggedWaits() {
    appender.start();
    logger.addAppender(appender);
    logger.setLevel(Level.WARN);
  }

  public List<String> told() {
    return told;
  }

  @Override
  public void close() {
    logger.removeAppender(appender);
    logger.setLevel(before);
    appender.stop();
  }

  private final class Appender extends AbstractAppender {

    Appender() {
      super("waits", null, null, true, Property.EMPTY_ARRAY);
    }

    @Override
    public void append(LogEvent event) {
      told.add(event.getMessage().getFormattedMessage());
    }
  }
}
