package dev.millrace.job.train.rebuild;

import dev.millrace.exchange.log.LogEntry;
import dev.millrace.exchange.log.RecordSet;
import dev.millrace.exchange.savepoint.SavedStates;
import dev.millrace.exchange.savepoint.SavedTraining;
import dev.millrace.exchange.schedule.Schedule;
import dev.millrace.job.common.InputSetup;
import dev.millrace.job.options.CheckedOptions;
import dev.millrace.job.options.InputOptions;
import dev.millrace.job.options.InvalidOptionsException;
import dev.millrace.job.setup.JobKind;
import dev.millrace.job.setup.JobOptions;
import dev.millrace.job.setup.JobSetup;
import dev.millrace.job.train.TrainingOperators;
import dev.millrace.job.train.TrainingSettings;
import dev.millrace.job.train.history.HistoryOptions;
import dev.millrace.job.train.history.HistorySetup;
import dev.millrace.job.train.part.rebuild.RebuildOptions;
import dev.millrace.kafka.topic.RecordsByOffset;
import dev.millrace.model.GlobalModel;
import dev.millrace.model.ModelVersion;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.flink.configuration.Configuration;

/** A job whose models can be made again: its options, its log, and the topics that it read. */
public final class RebuildJob {

  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final Configuration options;
  private final InputSetup input;

  /** Looks at what is made. */
  @FunctionalInterface
  public interface Listener {

    /**
     * One more version is made.
     *
     * @param done how many, of {@code all}
     * @param model makes a copy of it
     * @return whether to go on
     */
    boolean made(ModelVersion version, long done, long all, Supplier<GlobalModel> model);
  }

  /**
   * @param given the job's options
   * @throws InvalidOptionsException if they are wrong, or name no log
   */
  public RebuildJob(Configuration given) {
    CheckedOptions checked = JobOptions.check(JobKind.TRAINING, given, new Configuration());
    this.options = checked.values();
    if (!options.contains(RebuildOptions.LOG)) {
      throw new InvalidOptionsException(
          List.of(
              "%s is missing; a model can only be made again of a job that had it"
                  .formatted(RebuildOptions.LOG.key())));
    }
    this.input = new InputSetup(options, InputOptions.shape(options));
  }

  /** Returns what the job reads. */
  public InputSetup input() {
    return input;
  }

  /** Returns the job's options, checked. */
  public Configuration options() {
    return options;
  }

  /**
   * Reads the log.
   *
   * @throws dev.millrace.kafka.KafkaAccessException if it can't be read
   * @throws java.io.UncheckedIOException if it is in a directory, and can't be read
   */
  public LogEntries log() {
    LogEntries log = new LogEntries();
    trainingLog().read(log::add);
    return log;
  }

  /** Returns the log, wherever it is. */
  TrainingLog trainingLog() {
    return TrainingLog.of(options.get(RebuildOptions.LOG), input, LIMIT);
  }

  /**
   * Opens a savepoint or checkpoint of the job.
   *
   * @throws dev.millrace.exchange.savepoint.SavepointException if there is none
   */
  public static SavedTraining saved(String path) throws IOException {
    return new SavedTraining(SavedStates.open(path), TrainingOperators.saved());
  }

  /**
   * Makes the versions of a chain, in order, and returns the last one that is made.
   *
   * @param from a state on the way to begin at; empty for the start of the job
   * @throws dev.millrace.exchange.log.UnusableLogException if the log doesn't fit the job, or the
   *     state isn't on the way
   * @throws dev.millrace.kafka.KafkaAccessException if records aren't there any more
   */
  public GlobalModel make(LogChain chain, Optional<SavedTraining> from, Listener listener)
      throws IOException {
    LogChain behind = from.isPresent() ? chain.behind(from.get().head().version()) : chain.whole();
    if (from.isPresent()) {
      Beginnings.requireWithout(from.get(), behind.forgottenLater());
      Beginnings.requireHeard(from.get(), behind, schedule(behind), blocks(behind));
    }
    try (Rebuild rebuild = open(behind, from, chain.forgotten(), Tail.NONE)) {
      follow(rebuild, behind, listener);
      return rebuild.model();
    }
  }

  /** Returns the job's schedule. */
  Schedule schedule(LogChain chain) {
    return settings(chain.start().readers()).coordinator().pace().schedule();
  }

  /** Returns how many blocks the model has. */
  int blocks(LogChain chain) {
    return settings(chain.start().readers()).replica().layout().count();
  }

  private TrainingSettings settings(int readers) {
    return JobSetup.settings(options, readers);
  }

  /** Whether the job publishes the moving average of its parameters. */
  boolean publishesAverage(LogChain chain) {
    return settings(chain.start().readers()).averaging().published();
  }

  /** Returns the id that a topic has now; empty where nobody says it. */
  String topicId(String topic) {
    try (RecordsByOffset records = new RecordsByOffset(input.cluster(), LIMIT)) {
      return records.topicId(topic);
    }
  }

  /**
   * Opens one that has followed nothing yet, see {@link Rebuild}.
   *
   * @throws dev.millrace.exchange.log.UnusableLogException if the chain can't be followed with one
   *     number of readers
   */
  Rebuild open(LogChain chain, Optional<SavedTraining> from, RecordSet forgotten, Tail tail)
      throws IOException {
    TrainingSettings settings = settings(chain.readers());
    return new Rebuild(
        settings, chain, from, examples(settings, chain, forgotten, tail), forgotten, tail);
  }

  /** Returns what makes a reader for each replica. */
  private Supplier<LoggedExamples> examples(
      TrainingSettings settings, LogChain chain, RecordSet forgotten, Tail tail) {
    Supplier<LoggedExamples> plain = this::records;
    if (input.shape().labelLags() == 0) {
      return plain;
    }
    LoggedExamples ofAll =
        new LaggedExamples(
            plain.get(), logged(chain.whole(), tail), forgotten, settings.replica().labelLags());
    return () -> ofAll;
  }

  /** Returns what the job has read. */
  LoggedRecords logged(LogChain chain, Tail tail) {
    return LoggedRecords.of(chain, tail.logs(), blocks(chain));
  }

  private LoggedExamples records() {
    LoggedExamples topics =
        new TopicExamples(new RecordsByOffset(input.cluster(), LIMIT), input.deserializer());
    return options.contains(HistoryOptions.PATH)
        ? new PlacedExamples(
            new FileExamples(() -> HistorySetup.of(options, input).orElseThrow()), topics)
        : topics;
  }

  /** Follows a chain to its end, or as far as the listener wants. */
  static void follow(Rebuild rebuild, LogChain chain, Listener listener) {
    List<LogEntry> entries = chain.entries();
    if (entries.isEmpty()) {
      boolean unused = listener.made(chain.version(), 1, 1, rebuild::model);
    }
    boolean goesOn = true;
    for (int next = 0; next < entries.size() && goesOn; next++) {
      LogEntry entry = entries.get(next);
      rebuild.make(entry);
      goesOn = listener.made(entry.version(), next + 1L, entries.size(), rebuild::model);
    }
  }
}
