package dev.millrace.kafka.topic;

import dev.millrace.kafka.KafkaAccessException;
import java.util.Collection;
import java.util.Map;

/** Tells of topics as they are now. */
public interface TopicLookup extends AutoCloseable {

  /**
   * Looks at topics by name; those that aren't there are left out.
   *
   * @throws KafkaAccessException if that isn't possible now
   */
  Map<String, TopicFacts> of(Collection<String> names);

  @Override
  void close();
}
