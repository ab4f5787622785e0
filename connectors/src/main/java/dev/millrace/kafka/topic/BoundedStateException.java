package dev.millrace.kafka.topic;

import dev.millrace.kafka.KafkaAccessException;
import org.apache.flink.runtime.throwable.ThrowableAnnotation;
import org.apache.flink.runtime.throwable.ThrowableType;
import org.apache.kafka.common.TopicPartition;

/**
 * A job without an end was to go on from the state of one that ends. Partitions that had ended
 * aren't in that state any more, and nobody would read on in them. Trying again doesn't help.
 */
@ThrowableAnnotation(ThrowableType.NonRecoverableError)
public final class BoundedStateException extends KafkaAccessException {

  BoundedStateException(TopicPartition one) {
    super(
        ("The state to go on from is of a job that ends: %s was read to an end, and partitions that"
                + " had come to theirs aren't in it any more, so a job without an end would never"
                + " read on in them. Let the job end, too, or begin without that state")
            .formatted(one));
  }
}
