package dev.millrace.cli.models;

import dev.millrace.cli.audit.Audit;
import dev.millrace.cli.audit.ConsumedRecords;
import dev.millrace.cli.audit.PartitionAudit.Held;
import dev.millrace.history.HistoryLines;
import dev.millrace.kafka.topic.TopicRecords;
import dev.millrace.model.Partition;
import java.io.IOException;
import java.util.List;
import java.util.function.LongConsumer;

/** An {@link Audit} of a model that is kept somewhere, beside topics of a broker. */
public final class TopicAudit {

  private TopicAudit() {}

  /**
   * Reads all records of the topics and files that the model has taken some of. Topics are learned
   * from when all files were, so a file must have been read to its end then.
   *
   * @param path as the audit names the model
   * @param versionOrNull of the model
   * @param separator of columns of files that are tables
   * @param progress told now and then of how many more records were read
   * @throws IOException if the model's ledger can't be read
   * @throws dev.millrace.kafka.KafkaAccessException if a topic may not be read
   */
  public static Audit of(
      String path,
      String versionOrNull,
      StoredModel model,
      TopicRecords topics,
      char separator,
      LongConsumer progress)
      throws IOException {
    List<ConsumedRecords> taken = model.taken();
    boolean filesWereRead =
        taken.stream()
            .anyMatch(one -> !HistoryLines.isFile(one.partition()) && one.all().count() > 0);
    return Audit.of(
        path,
        versionOrNull,
        taken,
        (partition, first, last) ->
            HistoryLines.isFile(partition)
                ? HistoryLines.of(
                        partition, separator, first, filesWereRead ? Long.MAX_VALUE : last)
                    .map(lines -> new Held(lines, 0, lines.last() + 1, false, Partition.NO_ID))
                : topics
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
