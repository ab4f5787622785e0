package dev.millrace.job.train.rebuild;

import dev.millrace.exchange.log.LogEntry.Forgotten;
import dev.millrace.exchange.log.RecordRun;
import dev.millrace.exchange.log.RecordSet;
import dev.millrace.exchange.log.UnusableLogException;
import dev.millrace.exchange.savepoint.SavedModelReader;
import dev.millrace.exchange.savepoint.SavedTraining;
import dev.millrace.job.options.InputOptions;
import dev.millrace.job.train.history.HistoryOptions;
import dev.millrace.job.train.options.ExchangeOptions;
import dev.millrace.kafka.topic.RecreatedTopic;
import dev.millrace.model.GlobalModel;
import dev.millrace.model.Ledger;
import dev.millrace.model.ModelVersion;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Makes the state of a job again as if some records had never been in its topics: machine
 * unlearning that is exact, by training again, as in Bourtoule et al. 2021, with the same
 * minibatches otherwise. A job goes on from it as from any savepoint.
 */
public final class Forgetting {

  /** More would be too much for one record of the log. */
  private static final int MOST_RUNS = 20_000;

  private final RebuildJob job;
  private final SavedTraining saved;
  private final LogEntries log;
  private final LogChain chain;

  /**
   * Says what came of it.
   *
   * @param before the model that had learned the records
   * @param after the one that hasn't
   * @param begunAt the version that it was made again from; empty for the start of the job
   * @param savepoint from which a job goes on
   * @param entries of the log that were followed
   */
  public record Outcome(
      GlobalModel before,
      GlobalModel after,
      Optional<ModelVersion> begunAt,
      String savepoint,
      int entries) {}

  /**
   * Reads the log.
   *
   * @param saved a savepoint or checkpoint of the job, from which nobody goes on meanwhile
   * @throws UnusableLogException if the log doesn't lead to it, or its contributions are combined
   *     by process, or it has learned records of files
   */
  public Forgetting(RebuildJob job, SavedTraining saved) throws IOException {
    if (saved.gathers()) {
      throw new UnusableLogException(
          "With %s contributions that wait aren't with the model, and nobody makes these again"
              .formatted(ExchangeOptions.COMBINE.key()));
    }
    if (job.options().contains(HistoryOptions.PATH)) {
      throw new UnusableLogException(
          "With %s records of files may be meant, too, and they are looked for in topics alone"
              .formatted(HistoryOptions.PATH.key()));
    }
    this.job = job;
    this.saved = saved;
    this.log = job.log();
    this.chain = LogChain.to(saved.head().version(), log);
  }

  /**
   * Writes a savepoint beside the one that there is, and an entry of the log that leads to it.
   *
   * @param records that are forgotten, of which there is at least one
   * @param earlier states that may be begun at; the newest that knows none of the records is
   * @param passedOver told of each of these that can't be
   * @throws UnusableLogException if the log doesn't lead from there to the savepoint and all its
   *     records, or sources keep labels of those that are forgotten, or a topic was made again
   * @throws dev.millrace.kafka.KafkaAccessException if a record that is to be learned isn't there
   *     any more; one that is forgotten needn't be
   */
  public Outcome forget(
      RecordSet records,
      List<SavedTraining> earlier,
      Consumer<String> passedOver,
      RebuildJob.Listener listener)
      throws IOException {
    GlobalModel before = published();
    RecordSet all = chain.forgotten();
    all.addAll(records);
    Optional<SavedTraining> from =
        earlier.isEmpty()
            ? Optional.empty()
            : Beginnings.newest(
                earlier, chain, records, job.schedule(chain), job.blocks(chain), passedOver);
    Optional<ModelVersion> begunAt =
        from.isPresent() ? Optional.of(from.get().head().version()) : Optional.empty();
    LogChain followed = begunAt.isPresent() ? chain.behind(begunAt.get()) : chain.whole();
    requireTopics(from);
    Tail tail = Tail.of(saved);
    KeptLabels.requireNoneOf(
        records, () -> job.logged(chain.whole(), tail).examples(), job.options());
    try (Rebuild rebuild = job.open(followed, from, all, tail)) {
      RebuildJob.follow(rebuild, followed, listener);
      rebuild.finish();
      List<Forgotten> entries = entries(rebuild.version().round(), records.runs());
      long generation = entries.get(entries.size() - 1).version().generation();
      rebuild.begin(generation);
      String savepoint = rebuild.write(saved, "_metadata-forgotten-" + generation);
      job.trainingLog().add(entries);
      return new Outcome(before, rebuild.model(), begunAt, savepoint, followed.entries().size());
    }
  }

  /** Returns the records that the savepoint doesn't know because they were forgotten before. */
  public RecordSet forgotten() {
    return chain.forgotten();
  }

  /**
   * Checks what can be checked before anybody has looked for records, which may take hours.
   *
   * @param fromStart whether there is no state to begin at
   * @throws UnusableLogException if the log doesn't lead from the start of the job, and has to, or
   *     sources keep labels that can't be told apart
   */
  public void requireBeginning(boolean fromStart) {
    // Of whichever records it will be asked, kept labels may refuse any, or need the whole log.
    KeptLabels.requireNoneOf(new RecordSet(), () -> chain.whole().forgotten(), job.options());
    if (fromStart) {
      LogChain unused = chain.whole();
    }
  }

  /**
   * Returns the savepoint's model as the job would publish it, as that is which takes its place.
   */
  private GlobalModel published() throws IOException {
    SavedModelReader model = saved.model();
    return job.publishesAverage(chain)
        ? model.readAverage((blocks, ofBlocks, bytes) -> {})
        : model.read((blocks, ofBlocks, bytes) -> {});
  }

  private void requireTopics(Optional<SavedTraining> from) throws IOException {
    if (job.options().get(InputOptions.ON_RECREATED_TOPIC) != RecreatedTopic.CONTINUE) {
      Ledger known = from.isPresent() ? from.get().taken() : new Ledger();
      SameRecords.requireTopics(saved.taken(), known, job::topicId);
    }
  }

  /**
   * Whether the job went on from the savepoint, or behind it: what it has learned since isn't in
   * what is made here.
   */
  public boolean hasGoneOn() {
    return log.goOnFrom(chain.version());
  }

  /** Each goes on from the one before it, and all but the first are of the same model. */
  private List<Forgotten> entries(long round, List<RecordRun> runs) {
    long generation =
        1 + log.versions().stream().mapToLong(ModelVersion::generation).max().orElseThrow();
    List<Forgotten> entries = new ArrayList<>();
    ModelVersion from = chain.version();
    for (int at = 0; at < runs.size(); at += MOST_RUNS) {
      ModelVersion version = new ModelVersion(generation++, round);
      entries.add(
          new Forgotten(version, from, runs.subList(at, Math.min(runs.size(), at + MOST_RUNS))));
      from = version;
    }
    return entries;
  }
}
