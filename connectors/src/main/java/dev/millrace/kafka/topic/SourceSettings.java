package dev.millrace.kafka.topic;

import dev.millrace.kafka.KafkaCluster;
import java.io.Serializable;
import java.time.Duration;
import java.util.Objects;

/**
 * What to read, from where to where. {@link #of} has the defaults; the other methods return a copy
 * with one of them changed.
 *
 * @param cluster where the topics are
 * @param topics which ones
 * @param start where to begin without a checkpoint
 * @param bounded whether to end at the offsets that the partitions end with when the job starts
 * @param discovery how often to look for new partitions, and for new topics where they are given by
 *     a pattern; zero for never, and never if bounded
 * @param groupOrNull consumer group that offsets are committed to at every checkpoint, for
 *     monitoring and for {@link StartingOffsets#committed()}; null for none, and no offsets are
 *     committed
 * @param clientIdPrefix starts the client ids that brokers show in their logs and quotas
 * @param failOnLostRecords whether the job fails, or continues at the earliest record, when records
 *     that it has yet to read have been deleted from the topic
 * @param recreated what the job does about a topic that was deleted and made again
 */
public record SourceSettings(
    KafkaCluster cluster,
    Topics topics,
    StartingOffsets start,
    boolean bounded,
    Duration discovery,
    String groupOrNull,
    String clientIdPrefix,
    boolean failOnLostRecords,
    RecreatedTopic recreated)
    implements Serializable {

  /** The clients' name where a source has no consumer group to be named after. */
  private static final String NO_GROUP = "millrace";

  public SourceSettings {
    Objects.requireNonNull(cluster, "cluster");
    Objects.requireNonNull(topics, "topics");
    Objects.requireNonNull(start, "start");
    Objects.requireNonNull(recreated, "recreated");
    if (discovery.isNegative()) {
      throw new IllegalArgumentException(
          "Partitions are looked for every so often or, with 0, never; not every " + discovery);
    }
    if (groupOrNull != null && groupOrNull.isBlank()) {
      throw new IllegalArgumentException("A consumer group has a name, or there is none");
    }
    if (clientIdPrefix.isBlank()) {
      throw new IllegalArgumentException("A source needs a client id prefix");
    }
    if (groupOrNull == null && start instanceof StartingOffsets.Committed) {
      throw new IllegalArgumentException("Offsets are committed to a group, and there is none");
    }
  }

  /**
   * Reads from the earliest records, without end, without looking for new partitions and without a
   * consumer group; fails where records are lost, or a topic is another one.
   */
  public static SourceSettings of(KafkaCluster cluster, Topics topics) {
    return new SourceSettings(
        cluster,
        topics,
        StartingOffsets.earliest(),
        false,
        Duration.ZERO,
        null,
        NO_GROUP,
        true,
        RecreatedTopic.FAIL);
  }

  /**
   * Reads in a consumer group, which names the clients too; in none, and unnamed, where it is null.
   */
  public SourceSettings inGroup(String group) {
    return new SourceSettings(
        cluster,
        topics,
        start,
        bounded,
        discovery,
        group,
        group == null ? NO_GROUP : group,
        failOnLostRecords,
        recreated);
  }

  /** Begins there, where there is no checkpoint. */
  public SourceSettings startingAt(StartingOffsets offsets) {
    return new SourceSettings(
        cluster,
        topics,
        offsets,
        bounded,
        discovery,
        groupOrNull,
        clientIdPrefix,
        failOnLostRecords,
        recreated);
  }

  /** Ends at the offsets that the partitions end with when the job starts, if that is wanted. */
  public SourceSettings bounded(boolean ends) {
    return new SourceSettings(
        cluster,
        topics,
        start,
        ends,
        discovery,
        groupOrNull,
        clientIdPrefix,
        failOnLostRecords,
        recreated);
  }

  /** Looks for new partitions and topics so often; never where it is zero. */
  public SourceSettings discoveringEvery(Duration interval) {
    return new SourceSettings(
        cluster,
        topics,
        start,
        bounded,
        interval,
        groupOrNull,
        clientIdPrefix,
        failOnLostRecords,
        recreated);
  }

  /** Continues at the earliest record where records that are yet to be read have been deleted. */
  public SourceSettings failingOnLostRecords(boolean fails) {
    return new SourceSettings(
        cluster, topics, start, bounded, discovery, groupOrNull, clientIdPrefix, fails, recreated);
  }

  /** Does that about a topic that was deleted and made again. */
  public SourceSettings onRecreatedTopic(RecreatedTopic rule) {
    return new SourceSettings(
        cluster,
        topics,
        start,
        bounded,
        discovery,
        groupOrNull,
        clientIdPrefix,
        failOnLostRecords,
        rule);
  }
}
