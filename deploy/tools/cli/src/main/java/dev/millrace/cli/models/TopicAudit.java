package dev.millrace.cli.models;

import dev.millrace.cli.audit.Audit;
import dev.millrace.cli.audit.PartitionAudit.Held;
import dev.millrace.kafka.topic.TopicRecords;
import java.io.IOException;
import java.util.function.LongConsumer;

/** An {@link Audit} of a model that is kept somewhere, beside topics of a broker. */
public final class TopicAudit {

  private TopicAudit() {}

  /**
   * Reads all records of the topics that the model has taken some of.
   *
   * @param path as the audit names the model
   * @param versionOrNull of the model
   * @param progress told now and then of how many more records were read
   * @throws IOException if the model's ledger can't be read
   * @throws dev.millrace.kafka.KafkaAccessException if a topic may not be read
   */
  public static Audit of(
      String path,
      String versionOrNull,
      StoredModel model,
      TopicRecords topics,
      LongConsumer progress)
      throws IOException {
    return Audit.of(
        path,
        versionOrNull,
        model.taken(),
        (partition, first, last) ->
            topics
                .between(partition, first, last, progress)
                .map(
                    found ->
                        new Held(
                            found.records(),
                            found.beginning(),
                            found.end(),
                            found.compacted(),
                            found.topicId())));
  }
}
