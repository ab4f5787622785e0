package dev.millrace.job.train.rebuild;

import dev.millrace.example.Example;
import dev.millrace.example.LabelLags;
import dev.millrace.example.Received;
import dev.millrace.exchange.log.RecordRun;
import dev.millrace.exchange.log.RecordSet;
import dev.millrace.exchange.log.UnusableLogException;
import dev.millrace.model.Partition;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * Examples that have labels of records before them as features. Whoever learns it, each partition
 * is read once, in its order, from the first record that the job had: of what is passed over,
 * examples wait until they are asked for.
 *
 * <p>Thread-safe.
 */
final class LaggedExamples implements LoggedExamples {

  private final LoggedExamples records;
  private final LoggedRecords logged;
  private final RecordSet forgotten;
  private final LabelLags lags;
  private final Map<Partition, Reading> open = new HashMap<>();

  /** Where a partition's reading is, and the examples that were passed over. */
  private static final class Reading {

    private long next;
    private final Map<Long, Example> waiting = new HashMap<>();
  }

  /**
   * @param records reads them, without labels of others
   * @param logged what the job has read in all, wherever a rebuild begins
   * @param forgotten records whose labels are no features either
   * @param lags knows of no record yet
   */
  LaggedExamples(
      LoggedExamples records, LoggedRecords logged, RecordSet forgotten, LabelLags lags) {
    this.records = records;
    this.logged = logged;
    this.forgotten = forgotten;
    this.lags = lags;
  }

  @Override
  public synchronized Partition partition(String topic, int number) {
    return records.partition(topic, number);
  }

  @Override
  public synchronized void read(RecordRun run, Consumer<Received> reader) {
    Reading reading =
        open.computeIfAbsent(partition(run.topic(), run.partition()), any -> new Reading());
    for (long offset = run.first(); offset < run.end(); offset++) {
      readUpTo(offset, run, reading);
      Example example = reading.waiting.remove(offset);
      if (example == null) {
        throw new UnusableLogException(
            "Record %s of %s-%s was learned, and is no example now; take the options that the job had"
                .formatted(offset, run.topic(), run.partition()));
      }
      reader.accept(example);
    }
  }

  private void readUpTo(long last, RecordRun of, Reading reading) {
    OptionalLong next = next(of, reading);
    while (next.isPresent() && next.getAsLong() <= last) {
      long offset = next.getAsLong();
      if (!forgotten.contains(of.topic(), of.partition(), offset)) {
        records.read(
            new RecordRun(of.topic(), of.partition(), offset, 1),
            received -> pass(received, offset, of, reading));
      }
      reading.next = offset + 1;
      next = next(of, reading);
    }
  }

  private OptionalLong next(RecordRun of, Reading reading) {
    return logged.examples().next(of.topic(), of.partition(), reading.next);
  }

  private void pass(Received received, long offset, RecordRun of, Reading reading) {
    if (received instanceof Example example) {
      lags.complete(example);
      if (logged.learned().contains(of.topic(), of.partition(), offset)) {
        reading.waiting.put(offset, example.copy());
      }
    }
  }

  @Override
  public synchronized void close() {
    records.close();
  }
}
