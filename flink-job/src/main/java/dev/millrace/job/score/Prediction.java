package dev.millrace.job.score;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.model.ModelVersion;
import dev.millrace.model.Partition;

/**
 * What one version of the model says of one example.
 *
 * @param version of the model
 * @param outputs class probabilities, label scores or values, as the target has it; of all steps of
 *     a sequence, where each has some
 * @param key of the example's record, null for none
 * @param id of the example, null for none
 * @param partition that the example came from
 * @param offset in that partition
 * @param appended the record's time in milliseconds since the epoch, negative where it has none
 */
record Prediction(
    ModelVersion version,
    float[] outputs,
    byte[] key,
    String id,
    Partition partition,
    long offset,
    long appended) {

  /**
   * Returns what the prediction is written under: the key of the example's record, or the place of
   * one without, which a compacted topic would refuse for ever.
   */
  byte[] writtenKey() {
    return key == null
        ? (partition.topic() + "-" + partition.number() + "-" + offset).getBytes(UTF_8)
        : key;
  }

  /** Milliseconds from the record to {@code now}; 0 where clocks disagree. */
  long latency(long now) {
    return Math.max(0, now - appended);
  }

  boolean hasLatency() {
    return appended >= 0;
  }
}
