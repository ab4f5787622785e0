package dev.millrace.job.train.rebuild;

import dev.millrace.example.Received;
import dev.millrace.exchange.log.RecordRun;
import dev.millrace.history.HistoryLines;
import dev.millrace.model.Partition;
import java.util.function.Consumer;

/**
 * Records of files and of topics.
 *
 * @param files those before the topics
 */
record PlacedExamples(LoggedExamples files, LoggedExamples topics) implements LoggedExamples {

  @Override
  public Partition partition(String topic, int number) {
    return of(topic).partition(topic, number);
  }

  @Override
  public void read(RecordRun records, Consumer<Received> reader) {
    of(records.topic()).read(records, reader);
  }

  private LoggedExamples of(String topic) {
    return HistoryLines.isFile(topic) ? files : topics;
  }

  @Override
  public void close() {
    files.close();
    topics.close();
  }
}
