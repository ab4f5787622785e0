package dev.millrace.kafka.models;

import dev.millrace.kafka.KafkaAccessException;
import dev.millrace.kafka.KafkaCluster;
import dev.millrace.kafka.topic.CompactedTopic;
import java.time.Duration;
import java.util.regex.Pattern;

/**
 * A compacted topic of one partition that holds the newest published archive, in blocks.
 *
 * <p>A job has two slots, {@code a} and {@code b}, and people who put a model back have {@code c}
 * and {@code d}. Blocks of slot a have the keys {@code a/0}, {@code a/1} and so on. Models go into
 * a writer's slots in turn, and when all blocks of one are there the record with the key {@code
 * manifest} says which slot is valid. So whatever compaction removes, wherever a writer dies, and
 * whoever else writes, the blocks that the manifest tells of are there.
 */
public final class ModelTopic {

  static final String MANIFEST = "manifest";

  /** The version of the model that a block is of. */
  static final String VERSION_HEADER = "millrace.version";

  /** Brokers take 1 MB a record unless told otherwise. */
  static final int BLOCK_BYTES = 512 << 10;

  /** The keys allow an archive of 500 GB. */
  private static final Pattern BLOCK_KEY = Pattern.compile("[a-d]/\\d{1,6}");

  private ModelTopic() {}

  static String blockKey(String slot, int block) {
    return slot + "/" + block;
  }

  static boolean isBlockKey(String key) {
    return BLOCK_KEY.matcher(key).matches();
  }

  /**
   * Sees to it that the topic is there and fit for models; it is made if it isn't there.
   *
   * @param limit for each request to the cluster
   * @throws KafkaAccessException if it can't be made, or is there and unfit
   */
  public static void ensure(KafkaCluster cluster, String topic, Duration limit) {
    of(cluster, topic).ensureExactly(1, limit);
  }

  /**
   * Checks that a topic is fit for models, or isn't there yet; changes nothing.
   *
   * @param limit for each request to the cluster
   * @throws KafkaAccessException if it is there and unfit
   */
  public static void check(KafkaCluster cluster, String topic, Duration limit) {
    of(cluster, topic).check(limit);
  }

  private static CompactedTopic of(KafkaCluster cluster, String topic) {
    return new CompactedTopic(cluster, topic, "models", "a model");
  }
}
