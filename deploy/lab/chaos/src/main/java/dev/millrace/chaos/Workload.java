package dev.millrace.chaos;

import dev.millrace.cli.models.StoredModel;
import dev.millrace.kafka.KafkaCluster;
import dev.millrace.kafka.topic.Rate;
import dev.millrace.kafka.topic.TopicRecords;
import dev.millrace.model.Partition;
import dev.millrace.snapshot.LatestSnapshot;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** What a run trains on, and what its model must be like beside the ledger. */
interface Workload {

  /**
   * A model that was trained under faults.
   *
   * @param partitions that it was trained on
   */
  record Trained(
      StoredModel model, LatestSnapshot latest, TopicRecords topics, List<Partition> partitions) {}

  /** Trains on the same records with nobody interfering. */
  @FunctionalInterface
  interface Undisturbed {

    /** Returns the model. */
    LatestSnapshot train() throws IOException, InterruptedException;
  }

  /** The options of the job that say what its records and its model are. */
  Map<String, String> options();

  /**
   * Sends examples until there are no more, or the thread is interrupted.
   *
   * @param seed of the examples
   * @param most to send
   */
  void send(KafkaCluster kafka, String topic, long seed, Rate rate, long most) throws IOException;

  /**
   * Looks at a model.
   *
   * @param say is told what was found
   * @return what isn't as it should be, a sentence each; none where all is
   */
  List<String> judge(Trained trained, Undisturbed undisturbed, Consumer<String> say)
      throws IOException, InterruptedException;
}
