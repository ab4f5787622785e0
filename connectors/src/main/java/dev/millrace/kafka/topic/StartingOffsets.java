package dev.millrace.kafka.topic;

import java.io.Serializable;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer.PartitionOffsetsRetriever;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.TopicPartition;

/**
 * Where a job that starts without a checkpoint begins to read. Offsets are looked up once, when a
 * partition is discovered or, for the earliest, given to a reader, and are part of every checkpoint
 * from then on: a partition that was quiet until a failure goes on from there too, and not from a
 * later beginning or end.
 */
public sealed interface StartingOffsets extends Serializable {

  static StartingOffsets earliest() {
    return new Earliest();
  }

  static StartingOffsets latest() {
    return new Latest();
  }

  /** Starts at what the consumer group has committed; at the earliest record where it hasn't. */
  static StartingOffsets committed() {
    return new Committed();
  }

  /** The first record that is not older than {@code time}; the end where there is none. */
  static StartingOffsets at(Instant time) {
    return new At(time);
  }

  Map<TopicPartition, Long> find(
      Collection<TopicPartition> partitions, PartitionOffsetsRetriever offsets);

  record Earliest() implements StartingOffsets {
    @Override
    public Map<TopicPartition, Long> find(
        Collection<TopicPartition> partitions, PartitionOffsetsRetriever offsets) {
      // A marker, of which SplitBounds makes an offset: records may age out before a reader begins,
      // and partitions that are discovered later have it too, whatever is found here.
      return OffsetsInitializer.earliest().getPartitionOffsets(partitions, offsets);
    }
  }

  record Latest() implements StartingOffsets {
    @Override
    public Map<TopicPartition, Long> find(
        Collection<TopicPartition> partitions, PartitionOffsetsRetriever offsets) {
      return offsets.endOffsets(partitions);
    }
  }

  record Committed() implements StartingOffsets {
    @Override
    public Map<TopicPartition, Long> find(
        Collection<TopicPartition> partitions, PartitionOffsetsRetriever offsets) {
      Map<TopicPartition, Long> found = new HashMap<>(offsets.beginningOffsets(partitions));
      offsets
          .committedOffsets(partitions)
          .forEach((partition, offset) -> found.computeIfPresent(partition, (p, old) -> offset));
      return found;
    }
  }

  record At(Instant time) implements StartingOffsets {
    @Override
    public Map<TopicPartition, Long> find(
        Collection<TopicPartition> partitions, PartitionOffsetsRetriever offsets) {
      Map<TopicPartition, Long> found = new HashMap<>(offsets.endOffsets(partitions));
      Map<TopicPartition, Long> times = new HashMap<>();
      partitions.forEach(partition -> times.put(partition, time.toEpochMilli()));
      Map<TopicPartition, OffsetAndTimestamp> first = offsets.offsetsForTimes(times);
      first.forEach(
          (partition, record) -> {
            if (record != null) {
              found.put(partition, record.offset());
            }
          });
      return found;
    }
  }
}
