package dev.millrace.kafka.models;

import dev.millrace.kafka.KafkaAccessException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * A {@link ModelTopic} in memory, for a simulated run: the real writers' records, one after
 * another. Only the newest of each key is there, as after a compaction.
 *
 * <p>Not thread-safe.
 */
public final class SimulatedModelTopic {

  private static final String NAME = "models";

  private final ModelSlots slots = new ModelSlots(bytes -> true);
  private final Broker broker;
  private long end;

  /** Where the records are, as far as others notice. */
  public interface Broker {

    /**
     * Something is asked for, which takes its time.
     *
     * @throws KafkaAccessException if it fails
     */
    void ask();

    /** A record has come to the topic. */
    void wrote(SimulatedModelTopic topic);
  }

  /** Makes an empty one. */
  public SimulatedModelTopic(Broker broker) {
    this.broker = broker;
  }

  /** Opens a job's writer, or that of a person beside it. */
  public ModelTopicWriter open(boolean besideJob) {
    return ModelTopicWriter.open(new Records(), NAME, besideJob);
  }

  /**
   * Returns the version of the model that is there, as readers find it; empty where there is none.
   *
   * @throws IOException if the manifest names a model whose blocks aren't there
   */
  public Optional<String> version() throws IOException {
    Optional<ModelManifest> manifest = slots.manifest();
    if (manifest.isPresent()) {
      byte[] unused = slots.archive(manifest.get());
    }
    return manifest.map(ModelManifest::version);
  }

  private void add(ProducerRecord<byte[], byte[]> record) {
    ConsumerRecord<byte[], byte[]> there =
        new ConsumerRecord<>(NAME, 0, end++, record.key(), record.value());
    record.headers().forEach(there.headers()::add);
    slots.add(there);
    broker.wrote(this);
  }

  /** The topic, as one writer has it. */
  private final class Records implements TopicRecords {

    @Override
    public long send(List<ProducerRecord<byte[], byte[]>> records) {
      long last = -1;
      for (ProducerRecord<byte[], byte[]> record : records) {
        broker.ask();
        last = end;
        add(record);
      }
      // Whether they are there may stay unknown.
      broker.ask();
      return last;
    }

    @Override
    public long end() {
      broker.ask();
      return end;
    }

    @Override
    public Contents read() {
      broker.ask();
      try {
        return new Contents(slots.manifest().map(ModelManifest::slot).orElse(""), end);
      } catch (IOException e) {
        throw new IllegalStateException("The writer's own manifest can't be read", e);
      }
    }

    @Override
    public void close() {
      // Nothing is open.
    }
  }
}
