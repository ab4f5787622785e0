package dev.millrace.cli.models;

import dev.millrace.cli.audit.Audit;
import dev.millrace.cli.audit.ConsumedRecords;
import dev.millrace.cli.audit.PartitionAudit.Held;
import dev.millrace.cli.console.ReadingLine;
import dev.millrace.cli.rows.RecordIds;
import dev.millrace.cli.rows.StoredTables;
import dev.millrace.cli.rows.UsesAudit;
import dev.millrace.history.HistoryLines;
import dev.millrace.job.options.CsvOptions;
import dev.millrace.kafka.topic.TopicRecords;
import dev.millrace.model.Partition;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.apache.flink.configuration.Configuration;

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
    return of(path, versionOrNull, model.taken(), topics, separator, value -> {}, progress);
  }

  /**
   * Reads all records as the other one does, and of a savepoint with embedding tables all rows.
   *
   * @param options of its job, by which ids of records are known; without a description of fields
   *     nothing can be told of tables
   * @throws IOException if the model can't be read
   */
  public static Audit withTables(
      String path, StoredModel model, TopicRecords topics, Configuration options, ReadingLine line)
      throws IOException {
    Inspection told = model.inspect();
    String version = told.version() == null ? null : told.version().toString();
    char separator = CsvOptions.settings(options).separator();
    StoredTables tables = model.tables();
    if (tables.tables().isEmpty()) {
      return of(path, version, model, topics, separator, line::records);
    }
    RecordIds ids = RecordIds.of(options, told.shape().outputs()).orElse(null);
    List<ConsumedRecords> taken = model.taken();
    Audit audit =
        of(
            path,
            version,
            taken,
            topics,
            separator,
            ids == null ? value -> {} : ids::add,
            line::records);
    return audit.with(
        new UsesAudit(tables, told.shape().columns().ids(), model.waitingIds())
            .of(audit, taken, ids, line));
  }

  private static Audit of(
      String path,
      String versionOrNull,
      List<ConsumedRecords> taken,
      TopicRecords topics,
      char separator,
      Consumer<byte[]> reader,
      LongConsumer progress)
      throws IOException {
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
                    .between(partition, first, last, reader, progress)
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
