package dev.millrace.kafka.source;

import dev.millrace.kafka.KafkaAccessException;
import dev.millrace.kafka.topic.TopicChange;
import org.apache.flink.runtime.throwable.ThrowableAnnotation;
import org.apache.flink.runtime.throwable.ThrowableType;

/**
 * A topic isn't the one that was read before. Trying again doesn't bring that back, so Flink fails
 * the job at once, whatever its restart strategy.
 */
@ThrowableAnnotation(ThrowableType.NonRecoverableError)
public final class RecreatedTopicException extends KafkaAccessException {

  RecreatedTopicException(TopicChange change) {
    super(
        change.text()
            + ". Have the input read topics that are made again from their beginning or, if this"
            + " one holds the same records at the same offsets, continue there");
  }
}
