package dev.millrace.kafka.source;

import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;

/** A partition that is being read, with the labels of its last records. */
final class LaggedSplit extends KafkaPartitionSplit {

  private final KafkaPartitionSplit split;
  private final byte[] labels;

  /** {@code labels} never change. */
  LaggedSplit(KafkaPartitionSplit split, byte[] labels) {
    super(
        split.getTopicPartition(),
        split.getStartingOffset(),
        split.getStoppingOffset().orElse(NO_STOPPING_OFFSET));
    this.split = split;
    this.labels = labels;
  }

  /** Returns the labels as {@link dev.millrace.example.LabelLags#save} gave them. */
  byte[] labels() {
    return labels;
  }

  /** The partition alone. */
  KafkaPartitionSplit split() {
    return split;
  }
}
