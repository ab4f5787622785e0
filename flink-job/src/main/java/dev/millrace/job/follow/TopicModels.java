package dev.millrace.job.follow;

import dev.millrace.kafka.KafkaAccessException;
import dev.millrace.kafka.KafkaCluster;
import dev.millrace.kafka.models.ModelTopicReader;
import dev.millrace.snapshot.ArchiveLabel;
import dev.millrace.snapshot.Pointer;
import dev.millrace.snapshot.SnapshotDescription;
import dev.millrace.snapshot.SnapshotStore;
import dev.millrace.snapshot.UnusableSnapshotException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Models of a Kafka topic. */
final class TopicModels implements MirroredFeed.Original {

  private final KafkaCluster cluster;
  private final String topic;
  private ModelTopicReader reader;

  TopicModels(KafkaCluster cluster, String topic) {
    this.cluster = cluster;
    this.topic = topic;
  }

  @Override
  public boolean copyTo(SnapshotStore mirror) throws IOException {
    try {
      if (reader == null) {
        reader = ModelTopicReader.open(cluster, topic);
      }
      return reader.poll(model -> take(model, mirror));
    } catch (KafkaAccessException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private void take(ModelTopicReader.Model model, SnapshotStore mirror) throws IOException {
    String archive = "model-%s.zip".formatted(model.version());
    String description = "model-%s.json".formatted(model.version());
    mirror.put(archive, file -> Files.write(file, model.archive()));
    SnapshotDescription described =
        label(model, Path.of(mirror.locate(archive))).signed(model.signatureOrNull());
    mirror.put(description, file -> Files.writeString(file, described.toJson()));
    Pointer pointer = new Pointer(model.version(), archive, description, model.held());
    mirror.put(Pointer.LATEST, file -> Files.writeString(file, pointer.toJson()));
  }

  private SnapshotDescription label(ModelTopicReader.Model model, Path archive)
      throws UnusableSnapshotException {
    try {
      return ArchiveLabel.read(archive)
          .orElseThrow(
              () -> new IOException("Model %s has no description".formatted(model.version())));
    } catch (IOException e) {
      throw new UnusableSnapshotException(
          "The topic %s has version %s, which can't be used: %s"
              .formatted(topic, model.version(), e.getMessage()),
          e);
    }
  }

  @Override
  public void close() {
    if (reader != null) {
      reader.close();
    }
  }
}
