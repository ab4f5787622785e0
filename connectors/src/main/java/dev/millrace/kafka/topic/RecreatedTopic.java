package dev.millrace.kafka.topic;

import java.util.Locale;

/**
 * What a job does about a topic that was deleted and made again under its name: another topic, in
 * which the offsets of the old one mean nothing.
 */
public enum RecreatedTopic {
  /** It fails for good. */
  FAIL,
  /** It reads the new topic from its beginning. */
  EARLIEST,
  /** It goes on at the offsets of the old one: the new one holds the same records. */
  CONTINUE;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
