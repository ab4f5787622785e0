package dev.millrace.kafka.models;

import dev.millrace.kafka.KafkaAccessException;
import dev.millrace.kafka.KafkaCluster;
import java.util.List;

/**
 * Writes archives to a {@link ModelTopic}: all blocks of one, and when brokers have them its
 * manifest. A job and a person may write at the same time, since each of them has slots of their
 * own; and of each one after the other, since a writer that finds more in the topic than it wrote
 * looks up anew which slot it must not touch.
 *
 * <p>Not thread-safe.
 */
public final class ModelTopicWriter implements AutoCloseable {

  /** The two slots that a writer fills in turn. */
  private enum Slots {
    OF_JOBS("a", "b"),
    OF_PEOPLE("c", "d");

    private final String one;
    private final String other;

    Slots(String one, String other) {
      this.one = one;
      this.other = other;
    }

    /** One that isn't in use. */
    String free(String used) {
      return used.equals(one) ? other : one;
    }
  }

  private final TopicRecords records;
  private final String topic;
  private final Slots slots;
  private String used;
  private long end;

  private ModelTopicWriter(TopicRecords records, String topic, Slots slots) {
    this.records = records;
    this.topic = topic;
    this.slots = slots;
  }

  /**
   * Opens a job's writer to a topic that is there, and looks up which slot it must not touch.
   *
   * @throws KafkaAccessException if the topic can't be used
   */
  public static ModelTopicWriter open(KafkaCluster cluster, String topic) {
    return open(new BrokerRecords(cluster, topic), topic, false);
  }

  /**
   * Opens a writer for a person, who puts a model back while a job writes.
   *
   * @throws KafkaAccessException if the topic can't be used
   */
  public static ModelTopicWriter openBesideJob(KafkaCluster cluster, String topic) {
    return open(new BrokerRecords(cluster, topic), topic, true);
  }

  static ModelTopicWriter open(TopicRecords records, String topic, boolean besideJob) {
    ModelTopicWriter writer =
        new ModelTopicWriter(records, topic, besideJob ? Slots.OF_PEOPLE : Slots.OF_JOBS);
    try {
      writer.lookUp();
      return writer;
    } catch (RuntimeException e) {
      writer.close();
      throw e;
    }
  }

  /** Finds out which slot is in use. */
  private void lookUp() {
    TopicRecords.Contents found = records.read();
    used = found.slot();
    end = found.end();
  }

  /** Writes an archive that nobody signed. */
  public void write(String version, byte[] archive) {
    write(version, archive, null, false);
  }

  /**
   * Writes an archive, and returns when brokers have all of it.
   *
   * @param version of the model
   * @param signatureOrNull of the archive; null where it wasn't signed
   * @param held whether a person has put the model back, and holds it
   * @throws KafkaAccessException if that fails; readers go on with the model before
   */
  public void write(String version, byte[] archive, String signatureOrNull, boolean held) {
    writeManifest(writeBlocks(version, archive), version, archive, signatureOrNull, held);
  }

  /** The slot that they are in. */
  String writeBlocks(String version, byte[] archive) {
    if (records.end() != end) {
      lookUp();
    }
    String slot = slots.free(used);
    records.send(ModelRecords.blocks(topic, slot, version, archive));
    return slot;
  }

  void writeManifest(
      String slot, String version, byte[] archive, String signatureOrNull, boolean held) {
    end =
        records.send(
                List.of(
                    ModelRecords.manifest(topic, slot, version, archive, signatureOrNull, held)))
            + 1;
    used = slot;
  }

  @Override
  public void close() {
    records.close();
  }
}
