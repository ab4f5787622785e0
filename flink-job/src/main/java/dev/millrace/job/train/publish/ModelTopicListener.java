package dev.millrace.job.train.publish;

import dev.millrace.kafka.KafkaCluster;
import dev.millrace.kafka.models.ModelTopicWriter;
import dev.millrace.snapshot.SnapshotCatalog;
import dev.millrace.snapshot.SnapshotDescription;
import dev.millrace.snapshot.SnapshotStore;
import java.io.IOException;
import java.io.InputStream;

/**
 * Writes what is released to a Kafka topic too, see {@link dev.millrace.kafka.models.ModelTopic}.
 */
public final class ModelTopicListener implements ReleaseListener {

  private static final long serialVersionUID = 1;

  private final KafkaCluster cluster;
  private final String topic;
  private final boolean isBesideJob;

  private transient ModelTopicWriter writer;

  /** A job's. */
  public ModelTopicListener(KafkaCluster cluster, String topic) {
    this(cluster, topic, false);
  }

  private ModelTopicListener(KafkaCluster cluster, String topic, boolean isBesideJob) {
    this.cluster = cluster;
    this.topic = topic;
    this.isBesideJob = isBesideJob;
  }

  /** A person's, who puts a model back while a job writes. */
  public static ModelTopicListener besideJob(KafkaCluster cluster, String topic) {
    return new ModelTopicListener(cluster, topic, true);
  }

  @Override
  public void released(SnapshotDescription snapshot, SnapshotStore store) throws IOException {
    if (writer == null) {
      writer =
          isBesideJob
              ? ModelTopicWriter.openBesideJob(cluster, topic)
              : ModelTopicWriter.open(cluster, topic);
    }
    try (InputStream archive = store.read(snapshot.archive())) {
      writer.write(
          snapshot.version().toString(),
          archive.readAllBytes(),
          snapshot.signature(),
          new SnapshotCatalog(store).hold().isPresent());
    } catch (RuntimeException e) {
      // Which blocks got through isn't known: the next one looks at the topic anew.
      close();
      throw e;
    }
  }

  @Override
  public void committed(SnapshotDescription snapshot, SnapshotStore store, boolean again) {
    // Released already.
  }

  @Override
  public void close() {
    if (writer != null) {
      writer.close();
      writer = null;
    }
  }

  @Override
  public String toString() {
    return "the topic " + topic;
  }
}
