package dev.millrace.kafka.record;

import java.util.Map;

/** A deserializer that says of each record where it is from. */
public interface Placing {

  /**
   * Tells it of the ids of topics, by name, before it is opened; they are filled in as topics come.
   */
  void place(Map<String, String> topicIds);
}
