package dev.millrace.kafka;

import java.io.Serializable;
import java.time.Duration;
import java.util.Objects;

/**
 * What to read, from where to where.
 *
 * @param cluster where the topics are
 * @param topics which ones
 * @param start where to begin without a checkpoint
 * @param bounded whether to end at the offsets that the partitions end with when the job starts
 * @param discovery how often to look for new partitions, and for new topics where they are given by
 *     a pattern; zero for never, and never if bounded
 * @param groupId consumer group that offsets are committed to at every checkpoint, for monitoring
 *     and for {@link StartingOffsets#committed()}
 * @param clientIdPrefix starts the client ids that brokers show in their logs and quotas
 * @param failOnLostRecords whether the job fails, or goes on with the earliest record, when records
 *     that it has yet to read have been deleted from the topic
 */
public record SourceSettings(
    KafkaCluster cluster,
    Topics topics,
    StartingOffsets start,
    boolean bounded,
    Duration discovery,
    String groupId,
    String clientIdPrefix,
    boolean failOnLostRecords)
    implements Serializable {

  public SourceSettings {
    Objects.requireNonNull(cluster, "cluster");
    Objects.requireNonNull(topics, "topics");
    Objects.requireNonNull(start, "start");
    if (discovery.isNegative()) {
      throw new IllegalArgumentException(
          "Partitions are looked for every so often or, with 0, never; not every " + discovery);
    }
    if (groupId.isBlank() || clientIdPrefix.isBlank()) {
      throw new IllegalArgumentException("A source needs a group id and a client id prefix");
    }
  }
}
