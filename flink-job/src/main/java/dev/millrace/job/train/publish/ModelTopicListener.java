package dev.millrace.job.train.publish;

import dev.millrace.kafka.KafkaCluster;
import dev.millrace.kafka.models.ModelTopicWriter;
import dev.millrace.snapshot.SnapshotCatalog;
import dev.millrace.snapshot.SnapshotDescription;
import dev.millrace.snapshot.SnapshotStore;
import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;

/**
 * Writes what is released to a Kafka topic too, see {@link dev.millrace.kafka.models.ModelTopic}.
 */
public final class ModelTopicListener implements ReleaseListener {

  private static final long serialVersionUID = 1;

  private final String topic;
  private final Opener opener;

  private transient ModelTopicWriter writer;

  /** Opens the topic for a writer. */
  public interface Opener extends Serializable {

    /**
     * Returns a writer.
     *
     * @throws dev.millrace.kafka.KafkaAccessException if the topic can't be used
     */
    ModelTopicWriter open();
  }

  /** A job's. */
  public ModelTopicListener(KafkaCluster cluster, String topic) {
    this(topic, () -> ModelTopicWriter.open(cluster, topic));
  }

  /** A listener that writes to a topic which is opened in another way. */
  public ModelTopicListener(String topic, Opener opener) {
    this.topic = topic;
    this.opener = opener;
  }

  /** A person's, who puts a model back while a job writes. */
  public static ModelTopicListener besideJob(KafkaCluster cluster, String topic) {
    return new ModelTopicListener(topic, () -> ModelTopicWriter.openBesideJob(cluster, topic));
  }

  @Override
  public void released(SnapshotDescription snapshot, SnapshotStore store) throws IOException {
    if (writer == null) {
      writer = opener.open();
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
