package dev.millrace.model;

import java.io.Serializable;
import java.util.Objects;

/** One partition of one topic: the unit in which records are ordered and counted. */
public record Partition(String topic, int number) implements Comparable<Partition>, Serializable {

  public Partition {
    Objects.requireNonNull(topic, "topic");
  }

  @Override
  public int compareTo(Partition other) {
    int byTopic = topic.compareTo(other.topic);
    return byTopic != 0 ? byTopic : Integer.compare(number, other.number);
  }

  @Override
  public String toString() {
    return topic + "-" + number;
  }
}
