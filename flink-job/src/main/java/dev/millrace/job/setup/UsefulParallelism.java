package dev.millrace.job.setup;

import dev.millrace.job.common.InputSetup;
import dev.millrace.job.options.CheckedOptions;
import dev.millrace.job.options.InputOptions;
import dev.millrace.job.score.options.ScoringOptions;
import dev.millrace.job.score.setup.ScoringSetup;
import dev.millrace.job.train.history.HistorySetup;
import dev.millrace.kafka.topic.TopicCheck;

/** How many subtasks of a job that trains have something to read. */
public final class UsefulParallelism {

  private UsefulParallelism() {}

  /**
   * Asks the cluster: a partition is read by one subtask at a time, and so is a file of history.
   *
   * @param options of a job that trains
   * @throws dev.millrace.kafka.KafkaAccessException if that can't be found out
   */
  public static int of(CheckedOptions options) {
    InputSetup input = new InputSetup(options.values(), InputOptions.shape(options.values()));
    int files = HistorySetup.of(options.values(), input).map(HistorySetup::files).orElse(0);
    int partitions = TopicCheck.partitionCount(input.source(), InputSetup.CHECK_LIMIT);
    int learned = Math.max(partitions, files);
    return ScoringOptions.areGiven(options.values())
        ? Math.max(learned, new ScoringSetup(options).partitions())
        : learned;
  }
}
