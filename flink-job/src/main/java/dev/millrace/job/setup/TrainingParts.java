package dev.millrace.job.setup;

import dev.millrace.job.common.JobPart;
import dev.millrace.job.options.DeadLetterOptions;
import dev.millrace.job.options.RowsOptions;
import dev.millrace.job.score.ScoringOperators;
import dev.millrace.job.score.options.ScoringOptions;
import dev.millrace.job.train.TrainingOperators;
import dev.millrace.job.train.options.MetricsOptions;
import dev.millrace.job.train.setup.OptionalParts;
import java.util.List;

/** What a job that trains may have besides training. */
final class TrainingParts {

  static final List<JobPart> ALL =
      List.of(
          new JobPart(
              "scoring",
              ScoringOptions.TOPICS.key(),
              ScoringOptions::areGiven,
              List.of(
                  ScoringOperators.SOURCE,
                  ScoringOperators.SCORER,
                  ScoringOperators.PREDICTIONS,
                  ScoringOperators.DEAD_LETTERS)),
          new JobPart(
              "dead letters",
              DeadLetterOptions.TOPIC.key(),
              options -> options.contains(DeadLetterOptions.TOPIC),
              List.of(TrainingOperators.DEAD_LETTERS)),
          new JobPart(
              "a topic of metric records",
              MetricsOptions.TOPIC.key(),
              options -> options.contains(MetricsOptions.TOPIC),
              List.of(TrainingOperators.metrics("topic"))),
          new JobPart(
              "a file of metric records",
              MetricsOptions.FILE.key(),
              options -> options.contains(MetricsOptions.FILE),
              List.of(TrainingOperators.metrics("file"))),
          new JobPart(
              "rows or a training log in a topic",
              OptionalParts.keysOfLastingTopics(),
              // All topics of parts that last have one sink.
              options -> OptionalParts.write().holds().test(options),
              List.of(TrainingOperators.WRITTEN)),
          new JobPart(
              "rows in a directory",
              RowsOptions.FILES.key(),
              options -> options.contains(RowsOptions.FILES),
              List.of(TrainingOperators.ROW_FILES)));

  private TrainingParts() {}
}
