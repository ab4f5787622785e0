package dev.millrace.kafka.topic;

import java.util.Collection;
import java.util.stream.Collectors;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;

/**
 * A topic that has another id than it had.
 *
 * @param reached where the old one was read to; empty where that isn't known
 */
public record TopicChange(
    String topic, String was, String is, Collection<KafkaPartitionSplit> reached) {

  /** Whether two ids are of two topics. One that isn't known is as any other. */
  public static boolean differ(String was, String is) {
    return !was.isEmpty() && !is.isEmpty() && !was.equals(is);
  }

  /** Says what has happened, without a full stop. */
  public String text() {
    return "The topic '%s' was deleted and made again: its id was %s, and is %s now%s"
        .formatted(topic, was, is, reached.isEmpty() ? "" : ". The old one was read " + places());
  }

  private String places() {
    return reached.stream()
        .map(
            split ->
                split.getStartingOffset() < 0
                    ? "not at all in %s".formatted(split.getTopicPartition())
                    : "to offset %s of %s"
                        .formatted(split.getStartingOffset(), split.getTopicPartition()))
        .collect(Collectors.joining(", "));
  }
}
